#include "src/engine/crew.hpp"

#include "src/engine/connect_phase.hpp"

namespace pgload::engine {

namespace {

/// A server that hangs must not hang the cancelling too.
client::ConnectInfo brief(client::ConnectInfo info) {
  info.connect_timeout = std::chrono::seconds(1);
  return info;
}

}  // namespace

Crew::Crew(const RunInput& input)
    : cancel_info_(brief(input.connect.info)),
      cancel_context_{cancel_info_, input.connect.tls, input.connect.scram_keys},
      context_{
          input.plan, input.workload, input.catalog, input.connect, cancel_context_, input.hosts, {}, {}, {},
          {}} {
  for (std::size_t i = 0; i < input.plan.io_threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(context_, i));
  }
}

std::vector<std::string> Crew::open(const RunPlan& plan, const RunObserver& observer) {
  context_.plan = plan;
  context_.admission.reset();
  return open_all_sessions(context_, workers_, observer);
}

void Crew::dismiss() {
  for (auto& worker : workers_) worker->join();
}

}  // namespace pgload::engine
