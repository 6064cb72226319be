#include "src/cli/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "src/cli/client_share.hpp"
#include "src/cli/profile_syntax.hpp"
#include "src/cli/quantities.hpp"
#include "src/cli/usage_error.hpp"

namespace pgload::cli {
namespace {

constexpr std::uint32_t kMostSessions = 1'000'000;
constexpr double kHighestRate = 1e12;

template <class Parse>
auto parsed(const OptionReader& reader, const char* name, Parse parse) {
  try {
    return parse(*reader.text(name));
  } catch (const QuantityError& error) {
    reader.refuse(name, error.what());
  }
}

/// A number, or a profile: then as many sessions are opened as it asks for at its highest.
void read_sessions(const OptionReader& reader, engine::RunPlan& plan, stats::LoadFacts& load) {
  const std::string text = reader.text("sessions").value_or("1");
  if (text.find(' ') == std::string::npos) {
    reader.count("sessions", plan.sessions, 1, kMostSessions);
    return;
  }
  const auto profile = parsed(reader, "sessions", [](const std::string& value) {
    return parse_profile(value, "number of sessions", kMostSessions);
  });
  plan.sessions = static_cast<std::uint32_t>(std::lround(profile.highest_level()));
  if (plan.sessions == 0) reader.refuse("sessions", "a profile with at least 1 session somewhere is wanted");
  plan.active_sessions = profile;
  load.sessions = text;
}

void read_rate(const OptionReader& reader, engine::RunPlan& plan, stats::LoadFacts& load) {
  plan.rate = parsed(reader, "rate", [](const std::string& value) {
    return parse_profile(value, "rate per second", kHighestRate);
  });
  if (plan.rate->highest_level() <= 0) reader.refuse("rate", "a rate above 0 per second is wanted");
  load.rate = *reader.text("rate");
  using engine::ArrivalKind;
  plan.arrivals = reader.choice<ArrivalKind>(
      "arrivals", {{"poisson", ArrivalKind::poisson}, {"uniform", ArrivalKind::uniform}});
  load.arrivals = reader.text("arrivals").value_or("poisson");
  load.late_policy = reader.text("late-policy").value_or("queue");
  constexpr std::string_view kSkip = "skip:";
  if (load.late_policy == "queue") return;
  if (!load.late_policy.starts_with(kSkip))
    reader.refuse("late-policy", "queue is wanted, or skip:TIME such as skip:100ms");
  plan.skip_after = parsed(reader, "late-policy", [&](const std::string& value) {
    return parse_duration(std::string_view(value).substr(kSkip.size()));
  });
}

void read_think(const OptionReader& reader, engine::RunPlan& plan, stats::LoadFacts& load) {
  load.think = *reader.text("think");
  constexpr std::string_view kExponential = "exp:";
  plan.think.exponential = load.think.starts_with(kExponential);
  const std::size_t prefix = plan.think.exponential ? kExponential.size() : 0;
  plan.think.mean = parsed(reader, "think", [&](const std::string& value) {
    return parse_duration(std::string_view(value).substr(prefix));
  });
}

void read_client(const OptionReader& reader, engine::RunPlan& plan) {
  if (reader.has("client")) {
    const auto environment = [](const char* name) -> const char* { return std::getenv(name); };
    plan.client = parsed(reader, "client",
                         [&](const std::string& text) { return parse_client_share(text, environment); });
  }
  if (!reader.has("start-at")) return;
  plan.start_at = parsed(reader, "start-at", [](const std::string& text) { return parse_instant(text); });
  if (*plan.start_at < std::chrono::system_clock::now())
    reader.refuse("start-at", "that time is over; one in the future is wanted");
}

void refuse_contradictions(const OptionReader& reader, const engine::RunPlan& plan) {
  if (!plan.rate) {
    for (const char* name : {"arrivals", "late-policy"})
      if (reader.has(name)) throw UsageError(fmt::format("--{} says how a --rate is kept: give one", name));
  } else if (plan.active_sessions) {
    throw UsageError("--rate with a profile of --sessions: give one of them as a constant");
  } else if (reader.has("think")) {
    throw UsageError(
        "--think is the pause of a closed loop; with --rate the schedule decides: give one of them");
  } else if (plan.pipeline > 1) {
    throw UsageError("--pipeline sends transactions together, --rate each at its own time: give one of them");
  }
}

/// Without a word on when to end: after 10 s, or where the longest profile ends.
std::chrono::nanoseconds usual_time(const engine::RunPlan& plan) {
  double profile_s = 0;
  for (const auto* profile : {&plan.rate, &plan.active_sessions})
    if (*profile) profile_s = std::max(profile_s, (*profile)->length_s());
  return profile_s > 0 ? std::chrono::nanoseconds(std::llround(profile_s * 1e9)) : std::chrono::seconds(10);
}

}  // namespace

void read_run_plan(const OptionReader& reader, engine::RunPlan& plan, stats::LoadFacts& load) {
  using std::chrono::nanoseconds;
  read_sessions(reader, plan, load);
  if (reader.has("rate")) read_rate(reader, plan, load);
  if (reader.has("think")) read_think(reader, plan, load);
  read_client(reader, plan);
  reader.count("min-sessions", plan.min_sessions, 1, kMostSessions);
  plan.io_threads = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  reader.count("io-threads", plan.io_threads, 1, 1024);
  reader.count("pipeline", plan.pipeline, 1, 10'000);
  reader.count("max-retries", plan.max_retries, 0, 1'000'000);
  if (reader.has("transactions")) plan.transactions = reader.count("transactions", 1);
  if (!plan.transactions) plan.time = usual_time(plan);
  if (reader.has("time")) plan.time = reader.duration("time", nanoseconds(1));
  if (reader.has("warmup")) plan.warmup = reader.duration("warmup");
  if (reader.has("drain")) plan.drain = reader.duration("drain");
  if (reader.has("statement-timeout"))
    plan.statement_timeout = reader.duration("statement-timeout", nanoseconds(1));
  if (reader.has("max-failed")) plan.max_failed_ratio = reader.ratio("max-failed");
  using workloads::api::Protocol;
  plan.protocol = reader.choice<Protocol>(
      "protocol",
      {{"prepared", Protocol::prepared}, {"extended", Protocol::extended}, {"simple", Protocol::simple}});
  // Short enough to be typed again, and exact in every JSON reader.
  plan.seed = reader.has("seed") ? reader.count("seed", 0) : std::random_device()();
  refuse_contradictions(reader, plan);
}

}  // namespace pgload::cli
