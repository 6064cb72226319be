#pragma once

#include <span>

#include "src/engine/run.hpp"

namespace pgload::engine {

/// Asks the first host that answers, once and on one connection, what it makes of every statement (Parse +
/// Describe), so that all sessions can declare and encode the parameter types that it expects. Also the
/// cheapest proof that tables and columns exist. Throws SetupError with the server's words.
workloads::api::StatementCatalog describe_statements(const client::ConnectContext& connect,
                                                     std::span<const HostTarget> hosts,
                                                     const workloads::api::Workload& workload,
                                                     workloads::api::Protocol protocol);

}  // namespace pgload::engine
