#include "workloads/api/workload.hpp"

#include <cassert>
#include <cstdlib>

#include "workloads/api/session.hpp"

namespace workloads::api {

std::unique_ptr<SessionState> Workload::new_state(Session&) const { return nullptr; }

KindId Workload::append(Session&) const {
  assert(!"a workload says its transaction in `append` or in `transaction`");
  std::abort();
}

boost::asio::awaitable<KindId> Workload::transaction(Session& session) const {
  const KindId kind = append(session);
  co_await session.play();
  co_return kind;
}

bool Workload::retryable(proto_pg::wire::SqlState sqlstate) const {
  return sqlstate == proto_pg::wire::sqlstate::kSerializationFailure ||
         sqlstate == proto_pg::wire::sqlstate::kDeadlockDetected;
}

}  // namespace workloads::api
