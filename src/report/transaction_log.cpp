#include "src/report/transaction_log.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "src/report/format.hpp"

namespace pgload::report {
namespace {

const char* to_string(stats::TransactionSample::Outcome outcome) {
  using Outcome = stats::TransactionSample::Outcome;
  switch (outcome) {
    case Outcome::completed:
      return "completed";
    case Outcome::failed:
      return "failed";
    case Outcome::unfinished:
      return "unfinished";
  }
  return "";
}

/// A cell of CSV: what has commas or quotes of its own stands in quotes (RFC 4180).
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char letter : text) {
    quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  }
  return quoted + '"';
}

}  // namespace

std::string transaction_log_head() {
  return "window_began,arrival_ns,dispatch_ns,completion_ns,kind,host,session,outcome,retries\n";
}

std::string transaction_log_lines(const std::vector<stats::TransactionSample>& samples,
                                  const stats::SampleNames& names) {
  std::string out;
  for (const stats::TransactionSample& one : samples) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{}\n", names.started_at, one.arrival_ns,
                   one.dispatch_ns, one.completion_ns, cell(names.kinds.at(one.kind)),
                   cell(names.hosts.at(one.host)), one.session, to_string(one.outcome), one.retries);
  }
  return out;
}

TransactionLog::TransactionLog(const std::string& path) : file_(path), writer_([this] { write_all(); }) {}

TransactionLog::~TransactionLog() {
  if (writer_.joinable()) {
    finish();
  }
}

void TransactionLog::begin(stats::SampleNames names) {
  const std::lock_guard lock(mutex_);
  names_ = std::move(names);
}

void TransactionLog::add(stats::TransactionSamples samples) {
  {
    const std::lock_guard lock(mutex_);
    dropped_ += samples.dropped;
    if (waiting_samples_ + samples.samples.size() > kMostWaiting) {
      dropped_ += samples.samples.size();
      return;
    }
    waiting_samples_ += samples.samples.size();
    waiting_.push_back(std::move(samples.samples));
  }
  more_.notify_one();
}

void TransactionLog::write_all() {
  bool headed = false;
  for (;;) {
    std::unique_lock lock(mutex_);
    more_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) {
      break;
    }
    const auto samples = std::move(waiting_.front());
    waiting_.pop_front();
    const stats::SampleNames names = names_;
    lock.unlock();
    file_.append((std::exchange(headed, true) ? "" : transaction_log_head()) +
                 transaction_log_lines(samples, names));
    lock.lock();
    waiting_samples_ -= samples.size();
    dropped_ += file_.failure() ? samples.size() : 0;
  }
  if (!headed) {
    file_.append(transaction_log_head());
  }
}

std::vector<std::string> TransactionLog::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  more_.notify_one();
  writer_.join();
  std::vector<std::string> sentences;
  if (file_.failure()) {
    sentences.push_back(*file_.failure());
  }
  if (dropped_ > 0) {
    sentences.push_back(fmt::format("{} not in the log of transactions: it could not follow",
                                    counted(dropped_, "sampled transaction")));
  }
  return sentences;
}

}  // namespace pgload::report
