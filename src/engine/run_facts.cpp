#include "src/engine/run_facts.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "workloads/api/grouped.hpp"

namespace pgload::engine {

namespace {

double cpu_seconds(const timeval& used) {
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_usec) * 1e-6;
}

rusage process_usage() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage;
}

/// Calls `use` with each session that is open, before the run.
template <class Use>
void for_each_open(const Workers& workers, Use use) {
  for (const auto& worker : workers) {
    for (const SessionSlot& slot : worker->sessions()) {
      if (slot.state == SessionSlot::State::idle) use(slot);
    }
  }
}

}  // namespace

Usage Usage::now(const Workers& workers) {
  const rusage used = process_usage();
  Usage usage{cpu_seconds(used.ru_utime), cpu_seconds(used.ru_stime), {}};
  for (const auto& worker : workers) usage.workers_s.push_back(worker->cpu_s());
  return usage;
}

void describe_server(stats::RunResult& result, const RunContext& run, const Workers& workers) {
  stats::ServerFacts& server = result.server;
  for_each_open(workers, [&](const SessionSlot& slot) {
    if (!server.version.empty()) return;
    const client::Connection& connection = slot.session.connection();
    const client::TlsFacts tls = connection.tls_facts();
    server.version = connection.parameter("server_version").value_or("unknown version");
    server.where = run.hosts[slot.host].name + "/" + run.connect.info.database;
    server.tls = connection.tls();
    server.tls_version = tls.version;
    server.tls_cipher = tls.cipher;
    server.tls_verified = tls.host_verified ? "chain and host" : tls.verified ? "chain" : "no";
    server.sslmode = client::to_string(run.connect.info.sslmode);
    server.authentication = connection.authentication_method();
  });
}

void describe_hosts(stats::RunResult& result, const RunContext& run, const Workers& workers) {
  for (const HostTarget& target : run.hosts) result.hosts.emplace_back().name = target.name;
  for_each_open(workers, [&](const SessionSlot& slot) {
    ++result.hosts[slot.host].sessions;
    ++result.sessions_open;
  });
}

void describe_client(stats::RunResult& result, const Workers& workers, const std::optional<Usage>& at_start,
                     const Usage& at_end) {
  stats::ClientFacts& client = result.client;
  client.max_rss_bytes = static_cast<std::uint64_t>(process_usage().ru_maxrss) * 1024;
  client.io_threads = static_cast<std::uint32_t>(workers.size());
  if (at_start) {
    client.cpu_user_s = at_end.user_s - at_start->user_s;
    client.cpu_system_s = at_end.system_s - at_start->system_s;
  }
  for (std::size_t i = 0; at_start && result.duration_s > 0 && i < workers.size(); ++i) {
    const double used_s = at_end.workers_s[i] - at_start->workers_s[i];
    client.busiest_worker_cores = std::max(client.busiest_worker_cores, used_s / result.duration_s);
  }
}

std::vector<client::Traffic> traffic_by_host(const Workers& workers, std::size_t hosts) {
  std::vector<client::Traffic> sums(hosts);
  for (const auto& worker : workers) {
    for (const SessionSlot& slot : worker->sessions()) sums[slot.host] += slot.session.connection().traffic();
  }
  return sums;
}

void describe_traffic(stats::RunResult& result, const Workers& workers,
                      const std::vector<client::Traffic>& setup) {
  stats::ClientFacts& client = result.client;
  std::vector<proto_pg::client::Traffic> total = traffic_by_host(workers, result.hosts.size());
  for (std::size_t i = 0; i < result.hosts.size(); ++i) {
    proto_pg::client::Traffic& load = total[i];
    load -= setup[i];
    client.bytes_sent += load.bytes_sent;
    client.bytes_received += load.bytes_received;
    client.messages_sent += load.messages_sent;
    client.messages_received += load.messages_received;
    result.hosts[i].setup_transactions = setup[i].transactions_ended;
    result.hosts[i].server_transactions = load.transactions_ended;
  }
}

void set_outcome(stats::RunResult& result, const RunPlan& plan, int signal) {
  const stats::TransactionCounts& counts = result.transactions;
  const std::uint64_t ended = counts.completed + counts.failed;
  if (signal != 0) {
    result.status = stats::RunStatus::stopped;
    result.reason = fmt::format("stopped by SIG{}", ::sigabbrev_np(signal));
  } else if (counts.completed == 0) {
    result.status = stats::RunStatus::failed;
    result.reason = result.open_loop && counts.arrivals == 0
                        ? "no transaction was planned in the measured time"
                        : "no transaction completed";
  } else if (static_cast<double>(counts.failed) > plan.max_failed_ratio * static_cast<double>(ended)) {
    result.status = stats::RunStatus::failed;
    result.reason = fmt::format("{} of {} transactions failed, more than --max-failed {:g} %",
                                workloads::api::grouped(counts.failed), workloads::api::grouped(ended),
                                plan.max_failed_ratio * 100);
  }
}

}  // namespace pgload::engine
