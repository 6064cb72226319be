// Load by a schedule against servers whose times are known: they log them, and are the referees.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "src/stats/verdict.hpp"
#include "tests/integration/engine_run.hpp"
#include "tests/support/service_times.hpp"

namespace {

using namespace std::chrono_literals;
using integration::EngineRun;
using integration::ServerOfAnswers;
using pgload::engine::ArrivalKind;
using pgload::engine::LoadProfile;
using pgload::stats::LatencyHistogram;
using pgload::stats::RunResult;
using pgload::stats::VerdictKind;
using support::ServiceTimes;
using Execution = ServerOfAnswers::Execution;
using Clock = std::chrono::steady_clock;
using Duration = std::chrono::nanoseconds;

/// What is wrong, a sentence each.
using Findings = std::vector<std::string>;

/// A machine that does something else at the wrong moment must not fail a measurement; a program that
/// measures wrongly does so every time.
void measure_up_to_three_times(const std::function<Findings()>& measure) {
  Findings findings = measure();
  for (int again = 0; again < 2 && !findings.empty(); ++again) findings = measure();
  for (const std::string& finding : findings) FAIL_CHECK(finding);
}

double ms(Duration time) { return std::chrono::duration<double, std::milli>(time).count(); }
double ms(std::optional<Duration> time) { return ms(time.value_or(Duration(0))); }

void expect_near(Findings& findings, const std::string& what, double got_ms, double at_least_ms,
                 double at_most_ms) {
  if (got_ms >= at_least_ms * 0.99 - 0.05 && got_ms <= at_most_ms * 1.01 + 0.05) return;
  std::ostringstream text;
  text << what << " is " << got_ms << " ms, expected " << at_least_ms << " to " << at_most_ms;
  findings.push_back(text.str());
}

ServerOfAnswers::Answer served(ServiceTimes& times) {
  return [&times](const Execution& execution) {
    times.serve(execution.session.received());
    return ServerOfAnswers::row();
  };
}

EngineRun offering(double rate, ArrivalKind kind, const ServerOfAnswers& server) {
  EngineRun run({server.port()});
  run.plan.rate = LoadProfile(rate);
  run.plan.arrivals = kind;
  run.plan.transactions.reset();
  return run;
}

/// The `p`-th percentile of ascending values, or the last.
Duration percentile(const std::vector<Duration>& sorted, double p) {
  const auto rank = static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

/// In percent of the replies: those that the client handled more than `time` after the kernel had them.
double late_replies(const LatencyHistogram& client_error, Duration time) {
  std::uint64_t late = 0;
  const auto counts = client_error.counts();
  for (std::size_t i = LatencyHistogram::index_of(time.count()); i < counts.size(); ++i) late += counts[i];
  return 100.0 * static_cast<double>(late) /
         static_cast<double>(std::max<std::uint64_t>(client_error.count(), 1));
}

/// Each measured time is one that the server logged, and what the client was late (its stamps tell) on top.
/// So a percentile p is at least the logged one; and if k % of the replies were handled too late to be within
/// the tolerance, at most the logged percentile p + k, and nothing can be said where that is above 100.
void expect_percentile(Findings& findings, double p, const LatencyHistogram& measured,
                       const std::vector<Duration>& logged, const LatencyHistogram& client_error) {
  const Duration least = percentile(logged, p);
  const double with_late = p + late_replies(client_error, least / 200 + 25us);
  const double most_ms = with_late < 100 ? ms(percentile(logged, with_late)) : INFINITY;
  expect_near(findings, "p" + std::to_string(p), ms(measured.percentile(p)), ms(least), most_ms);
}

Findings compare_with_log(const RunResult& result, const ServiceTimes& times) {
  Findings findings;
  const std::vector<Duration> logged = times.sorted();
  const LatencyHistogram service = result.service();
  const LatencyHistogram& client_error = result.self_check.client_error;
  if (logged.size() != service.count()) findings.push_back("the server answered another number of requests");
  for (const double p : {50.0, 90.0, 99.0}) expect_percentile(findings, p, service, logged, client_error);
  double sum_ms = 0;
  for (const Duration time : logged) sum_ms += ms(time);
  const double mean_ms = sum_ms / static_cast<double>(logged.size()) + *client_error.mean_ns() / 1e6;
  expect_near(findings, "mean", *service.mean_ns() / 1e6, mean_ms, mean_ms);
  return findings;
}

Findings measure_service_times(const ServiceTimes::Draw& draw) {
  ServiceTimes times(draw);
  ServerOfAnswers server(served(times));
  EngineRun run = offering(200, ArrivalKind::poisson, server);
  run.plan.sessions = 16;
  run.plan.io_threads = 2;
  run.plan.receive_stamps = 1;
  run.plan.time = 3s;
  return compare_with_log(run(), times);
}

TEST_CASE("constant service times are measured as the server logged them") {
  measure_up_to_three_times([] { return measure_service_times(ServiceTimes::constant(30ms)); });
}

TEST_CASE("exponential service times are measured as the server logged them") {
  measure_up_to_three_times([] { return measure_service_times(ServiceTimes::exponential(30ms)); });
}

TEST_CASE("bimodal service times are measured as the server logged them") {
  measure_up_to_three_times([] { return measure_service_times(ServiceTimes::bimodal(15ms, 120ms, 0.15)); });
}

/// Nobody is answered from `begin` after the first request on, for `length`.
class Stall {
 public:
  Stall(Duration begin, Duration length) : begin_(begin), length_(length) {}

  std::string answer(const Execution&) {
    const Clock::time_point now = Clock::now();
    std::call_once(first_, [&] { begins_ = now + begin_; });
    if (now >= begins_) std::this_thread::sleep_until(begins_ + length_);
    const std::lock_guard lock(mutex_);
    answered_.push_back(Clock::now());
    return ServerOfAnswers::row();
  }
  /// Ascending.
  std::vector<Clock::time_point> answered() {
    const std::lock_guard lock(mutex_);
    std::vector<Clock::time_point> sorted = answered_;
    std::ranges::sort(sorted);
    return sorted;
  }

 private:
  Duration begin_, length_;
  std::once_flag first_;
  Clock::time_point begins_;
  std::mutex mutex_;
  std::vector<Clock::time_point> answered_;
};

Findings measure_a_stall() {
  Stall stall(4s, 2s);
  ServerOfAnswers server([&](const Execution& execution) { return stall.answer(execution); });
  EngineRun run = offering(500, ArrivalKind::uniform, server);
  run.plan.sessions = 16;
  run.plan.io_threads = 2;
  run.plan.receive_stamps = 1;
  run.plan.time = 10s;
  Clock::time_point origin;
  run.observer.load_begins = [&] { origin = Clock::now(); };
  const RunResult result = run();
  const std::vector<Clock::time_point> answered = stall.answered();
  Findings findings;
  // The last may be queued for ever: their timer was late, and 2 ms after the very last the window ends.
  if (result.transactions.arrivals != 5000) findings.push_back("not 5,000 arrivals");
  if (result.transactions.completed != answered.size() || answered.size() < 4995)
    return {"not all 5,000 were answered"};
  std::vector<Duration> responses;
  for (std::size_t k = 0; k < answered.size(); ++k) responses.push_back(answered[k] - (origin + k * 2ms));
  std::ranges::sort(responses);
  const LatencyHistogram response = *result.response();
  for (const double p : {85.0, 90.0, 95.0, 99.0})
    expect_percentile(findings, p, response, responses, result.self_check.client_error);
  // 50 values lie beyond: of 50 arrivals, 2 ms apart, which waited longer. On top of it, who waited had to be
  // served, by a machine that is not ours alone.
  const double logged_ms = ms(percentile(responses, 99));
  expect_near(findings, "computed p99", logged_ms, 2000 - 50 * 2, 2000);
  // What a closed loop would have shown: 16 of 5,000 waited.
  if (*result.service().percentile(99) > 500ms) findings.push_back("the queue is in the service time");
  if (*result.service().max() < 1900ms) findings.push_back("the service time does not know of the stall");
  if (result.self_check.all_busy_ratio < 0.1)
    findings.push_back("nobody noticed that all sessions were busy for 2 of 10 s");
  return findings;
}

TEST_CASE("a stall of 2 s in 10 s is in the response times of all who arrived in it") {
  measure_up_to_three_times(measure_a_stall);
}

TEST_CASE("a closed loop hides a stall, and says how long it was silent") {
  Stall stall(500ms, 1s);
  ServerOfAnswers server([&](const Execution& execution) { return stall.answer(execution); });
  EngineRun run({server.port()});
  run.plan.sessions = 2;
  run.plan.transactions.reset();
  run.plan.time = 2s;
  const RunResult result = run();
  CHECK(result.response() == std::nullopt);
  const auto estimate = result.closed_loop_estimate;
  REQUIRE(estimate);
  CHECK(estimate->longest_silence_s >= 0.99);
  CHECK(estimate->longest_silence_s <= result.duration_s);
  CHECK(estimate->fixed_rate_p99_us >= 0.9e6);
  CHECK(estimate->fixed_rate_p99_us <= 1.05 * *result.service().max_us());
}

bool said(const RunResult& result, VerdictKind kind) {
  const auto verdicts = judge(result);
  return std::ranges::any_of(verdicts, [&](const auto& verdict) { return verdict.kind == kind; });
}

TEST_CASE("a server slower than the rate: what was not started is queued, at least as old as it is") {
  ServiceTimes times(ServiceTimes::constant(10ms));
  ServerOfAnswers server(served(times));
  EngineRun run = offering(1000, ArrivalKind::uniform, server);
  run.plan.sessions = 4;
  run.plan.warmup = 300ms;
  run.plan.time = 2s;
  const RunResult result = run();
  const auto& counts = result.transactions;
  CHECK(counts.arrivals == 2000);
  CHECK(counts.started == counts.completed);
  CHECK(counts.started + counts.queued == 2000);
  CHECK(counts.started <= 804);  // 4 sessions, 10 ms each
  CHECK(result.duration_s == doctest::Approx(2));
  CHECK(result.load.mean_rate == doctest::Approx(1000));
  CHECK(said(result, VerdictKind::rate_not_reached));
  const LatencyHistogram response = *result.response();
  CHECK(response.count() == 2000);
  CHECK(response.at_least_count() == counts.queued);
  // The queue grows from the warm-up on: the first of the window stand behind those 300 less what was done.
  CHECK(*response.min() >= 150ms);
  CHECK(*response.percentile(100) >= 1s);
  CHECK(result.intervals.back().drain);
  CHECK(result.intervals[1].queued == counts.queued);
  CHECK(result.intervals[0].arrivals + result.intervals[1].arrivals == 2000);
}

TEST_CASE("a server slower than the rate: the late are skipped, the others waited no longer than the limit") {
  ServiceTimes times(ServiceTimes::constant(10ms));
  ServerOfAnswers server(served(times));
  EngineRun run = offering(1000, ArrivalKind::poisson, server);
  run.plan.sessions = 4;
  run.plan.time = 2s;
  run.plan.skip_after = 50ms;
  const RunResult result = run();
  const auto& counts = result.transactions;
  CHECK(counts.arrivals == doctest::Approx(2000).epsilon(0.2));
  CHECK(counts.skipped >= 1000);
  CHECK(counts.queued <= 300);                   // 50 ms of arrivals
  CHECK(*result.queue->percentile(90) <= 55ms);  // finding the next young one takes a moment
  const double busy_s = *result.service().mean_ns() / 1e9 * static_cast<double>(counts.completed);
  CHECK(busy_s <= 1.01 * 4 * (result.duration_s + result.drain_s));  // and is in no service time
  CHECK(said(result, VerdictKind::rate_not_reached));
}

TEST_CASE("a rate of a million millions per second is skipped without a loop, and the run ends on time") {
  ServerOfAnswers server;
  EngineRun run = offering(1e12, ArrivalKind::poisson, server);
  run.plan.sessions = 2;
  run.plan.time = 500ms;
  run.plan.skip_after = 1ms;
  const RunResult result = run();
  CHECK(result.duration_s == doctest::Approx(0.5));
  CHECK(result.drain_s < 5);
  CHECK(static_cast<double>(result.transactions.arrivals) == doctest::Approx(5e11).epsilon(1e-4));
  CHECK(result.transactions.skipped >= 3e11);
  CHECK(result.transactions.completed > 0);
}

TEST_CASE("a server that stops answering does not keep the run") {
  std::atomic<int> answers{0};
  ServerOfAnswers server([&](const Execution& execution) {
    if (++answers > 40) execution.session.hold();
    return ServerOfAnswers::row();
  });
  EngineRun run = offering(200, ArrivalKind::uniform, server);
  run.plan.sessions = 4;
  run.plan.time = 1s;
  run.plan.drain = 300ms;
  const RunResult result = run();
  CHECK(result.duration_s == doctest::Approx(1));
  CHECK(result.drain_s < 5);
  const auto& counts = result.transactions;
  CHECK(counts.arrivals == 200);
  CHECK(counts.completed == 40);
  CHECK(counts.unfinished == 4);
  CHECK(counts.queued == 156);
  const LatencyHistogram response = *result.response();
  CHECK(response.at_least_count() == 160);
  CHECK(response.count() == 200);
  CHECK(*response.percentile(75) >= 500ms);
  CHECK(*response.max() >= 1s);  // the oldest ran on through the drain
  CHECK(server.cancels() == 4);
}

}  // namespace
