#include "src/report/json_fields.hpp"

namespace pgload::report {
namespace {

void server_fields(auto& archive, auto& server) {
  archive.text("version", server.version);
  archive.text("where", server.where);
  archive.flag("throwaway", server.throwaway);
  archive.text("authentication", server.authentication);
  archive.text("sslmode", server.sslmode);
  archive.flag("tls", server.tls);
  archive.text("tls_version", server.tls_version);
  archive.text("tls_cipher", server.tls_cipher);
  archive.text("tls_verified", server.tls_verified);
}

void activity_fields(auto& archive, auto& activity) {
  archive.count("commits", activity.commits);
  archive.count("rollbacks", activity.rollbacks);
  archive.count("ours", activity.ours);
  archive.count("transactions", activity.transactions);
  archive.count("blocks_read", activity.blocks_read);
  archive.count("blocks_hit", activity.blocks_hit);
  archive.count("deadlocks", activity.deadlocks);
  archive.count("temp_bytes", activity.temp_bytes);
  archive.count("wal_bytes", activity.wal_bytes);
  archive.count("wal_records", activity.wal_records);
  archive.count("wal_full_page_images", activity.wal_full_page_images);
  archive.count("checkpoints_timed", activity.checkpoints_timed);
  archive.count("checkpoints_requested", activity.checkpoints_requested);
  archive.count("autovacuum_runs", activity.autovacuum_runs);
  archive.count("samples", activity.samples);
  archive.list("waits", activity.waits, [](auto& inner, auto& wait) {
    inner.text("where", wait.first);
    inner.count("sightings", wait.second);
  });
  archive.pairs("settings", activity.settings);
}

void machine_fields(auto& archive, auto& machine) {
  archive.text("host_name", machine.host_name);
  archive.text("kernel", machine.kernel);
  archive.text("cpu_model", machine.cpu_model);
  archive.count("cpus", machine.cpus);
  archive.count("memory_bytes", machine.memory_bytes);
  archive.text("build", machine.build);
}

void client_fields(auto& archive, auto& client) {
  archive.count("io_threads", client.io_threads);
  archive.real("cpu_user_s", client.cpu_user_s, 6);
  archive.real("cpu_system_s", client.cpu_system_s, 6);
  archive.real("busiest_worker_cores", client.busiest_worker_cores, 4);
  archive.count("max_rss_bytes", client.max_rss_bytes);
  archive.count("sent_bytes", client.bytes_sent);
  archive.count("received_bytes", client.bytes_received);
  archive.count("sent_messages", client.messages_sent);
  archive.count("received_messages", client.messages_received);
  archive.count("traffic_transactions", client.traffic_transactions);
  archive.count("round_trips", client.round_trips);
}

void part_fields(auto& archive, auto& part) {
  archive.text("name", part.name);
  archive.count("index", part.index);
  archive.real("start_s", part.start_s, 6);
  archive.real("duration_s", part.duration_s, 9);
  archive.count("sessions", part.sessions);
  archive.count("completed_in_window", part.completed);
  archive.latency("latency_us", part.service);
  archive.latency("response_latency_us", part.response);
}

/// What travelled, by the transactions of the time in which it was counted, and round trips by attempts: null
/// without any.
void per_transaction_fields(auto& archive, const auto& run) {
  const auto mean = [](std::uint64_t total, std::uint64_t count) {
    return count == 0 ? Json(nullptr)
                      : json_number(static_cast<double>(total) / static_cast<double>(count), 3);
  };
  const std::uint64_t transactions = run.client.traffic_transactions;
  archive.derived("sent_bytes", mean(run.client.bytes_sent, transactions));
  archive.derived("received_bytes", mean(run.client.bytes_received, transactions));
  archive.derived("sent_messages", mean(run.client.messages_sent, transactions));
  archive.derived("received_messages", mean(run.client.messages_received, transactions));
  archive.derived("round_trips", mean(run.client.round_trips, run.transactions.attempts));
}

}  // namespace

template <class Archive, class Run>
void party_fields(Archive& archive, Run& run) {
  archive.object("server", [&](auto& inner) { server_fields(inner, run.server); });
  archive.optional("server_activity", run.server_activity,
                   [](auto& inner, auto& activity) { activity_fields(inner, activity); });
  archive.object("client", [&](auto& inner) {
    inner.count("index", run.client_index);
    inner.count("of", run.client_count);
    client_fields(inner, run.client);
    inner.object("per_transaction", [&](auto& mean) { per_transaction_fields(mean, run); });
    inner.object("machine", [&](auto& machine) { machine_fields(machine, run.client.machine); });
  });
  archive.list("clients", run.clients, [](auto& inner, auto& part) { part_fields(inner, part); });
}

PGLOAD_BOTH_DIRECTIONS(party_fields);

}  // namespace pgload::report
