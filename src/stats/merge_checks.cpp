#include <algorithm>
#include <string_view>

#include "src/stats/merge_results.hpp"
#include "src/stats/wall_clock.hpp"

namespace pgload::stats {
namespace {

/// Compares one property after another of two parts.
struct Comparison {
  const NamedResult& one;
  const NamedResult& other;

  void expect_equal(std::string_view property, const std::string& left, const std::string& right) const {
    if (left == right) return;
    const auto shown = [](const std::string& text) { return text.empty() ? "none" : text; };
    throw MergeError("cannot merge " + one.name + " and " + other.name + ": " + std::string(property) +
                     " differs (" + shown(left) + ", " + shown(right) + ")");
  }
};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

template <class Items>
std::string names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return joined(names);
}

void compare_options(const Comparison& parts) {
  const auto &left = parts.one.result.workload_options, &right = parts.other.result.workload_options;
  const auto value_of = [](const auto& options, const std::string& name) {
    const auto found = std::ranges::find(options, name, [](const auto& option) { return option.first; });
    return found == options.end() ? std::string() : found->second;
  };
  for (const auto* options : {&left, &right})
    for (const auto& [name, value] : *options)
      parts.expect_equal("--" + name, value_of(left, name), value_of(right, name));
}

void compare(const NamedResult& one, const NamedResult& other) {
  const Comparison parts{one, other};
  const RunResult &left = one.result, &right = other.result;
  parts.expect_equal("the version of pgload", left.pgload_version, right.pgload_version);
  parts.expect_equal("the workload", left.workload, right.workload);
  compare_options(parts);
  parts.expect_equal("the protocol", left.protocol, right.protocol);
  parts.expect_equal("--pipeline", std::to_string(left.pipeline), std::to_string(right.pipeline));
  parts.expect_equal("the loop", left.open_loop ? "open" : "closed", right.open_loop ? "open" : "closed");
  parts.expect_equal("--rate", left.load.rate, right.load.rate);
  parts.expect_equal("--arrivals", left.load.arrivals, right.load.arrivals);
  parts.expect_equal("--late-policy", left.load.late_policy, right.load.late_policy);
  parts.expect_equal("--think", left.load.think, right.load.think);
  parts.expect_equal("the number of clients", std::to_string(left.client_count),
                     std::to_string(right.client_count));
  parts.expect_equal("the list of transaction kinds", names_of(left.kinds), names_of(right.kinds));
  parts.expect_equal("the list of statements", names_of(left.statements), names_of(right.statements));
}

bool is_same_run(const RunResult& one, const RunResult& other) {
  return one.started_at == other.started_at && one.seed == other.seed &&
         one.client_index == other.client_index && one.duration_s == other.duration_s &&
         one.transactions.completed == other.transactions.completed &&
         one.service().exact() == other.service().exact();
}

void check_pair(const NamedResult& one, const NamedResult& other) {
  const RunResult &left = one.result, &right = other.result;
  if (is_same_run(left, right))
    throw MergeError("cannot merge " + one.name + " and " + other.name + ": they hold the same run");
  if (left.client_count > 1 && left.client_index != 0 && left.client_index == right.client_index)
    throw MergeError("cannot merge " + one.name + " and " + other.name + ": both are client " +
                     std::to_string(left.client_index) + " of " + std::to_string(left.client_count));
}

/// Every window shares a moment with every other.
void check_overlap(const std::vector<NamedResult>& parts) {
  const NamedResult *last_to_start = nullptr, *first_to_end = nullptr;
  const auto start_of = [](const NamedResult& part) { return *parse_utc(part.result.started_at); };
  const auto end_of = [&](const NamedResult& part) {
    return start_of(part) +
           std::chrono::microseconds(static_cast<std::int64_t>(part.result.duration_s * 1e6));
  };
  for (const NamedResult& part : parts) {
    if (!parse_utc(part.result.started_at))
      throw MergeError("cannot merge " + part.name + ": it does not say when it started");
    if (!last_to_start || start_of(part) > start_of(*last_to_start)) last_to_start = &part;
    if (!first_to_end || end_of(part) < end_of(*first_to_end)) first_to_end = &part;
  }
  if (start_of(*last_to_start) >= end_of(*first_to_end))
    throw MergeError("cannot merge " + first_to_end->name + " and " + last_to_start->name +
                     ": their windows do not overlap (one ended at " + utc_text(end_of(*first_to_end)) +
                     ", the other started at " + utc_text(start_of(*last_to_start)) + ")");
}

}  // namespace

void check_mergeable(const std::vector<NamedResult>& parts) {
  if (parts.size() < 2) throw MergeError("to merge, two results or more are needed");
  for (const NamedResult& part : parts) {
    if (const auto findings = part.result.check(); !findings.empty())
      throw MergeError("cannot merge " + part.name + ": its counts do not add up: " + findings.front());
    if (!(part.result.duration_s > 0))
      throw MergeError("cannot merge " + part.name + ": it has no measured window");
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) compare(parts[0], parts[i]);
    for (std::size_t k = 0; k < i; ++k) check_pair(parts[k], parts[i]);
  }
  check_overlap(parts);
}

}  // namespace pgload::stats
