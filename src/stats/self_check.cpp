#include "src/stats/self_check.hpp"

namespace pgload::stats {

const char* to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::client_bound:
      return "client-bound";
    case VerdictKind::rate_not_reached:
      return "rate-not-reached";
    case VerdictKind::too_few_samples:
      return "too-few-samples";
  }
  return "unknown";
}

}  // namespace pgload::stats
