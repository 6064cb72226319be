#include "src/cli/verdict_options.hpp"

#include <doctest/doctest.h>

#include <string>

#include "src/cli/quantities.hpp"

namespace {

using pgload::cli::parse_verdict_limits;
using pgload::cli::QuantityError;

std::string refusal(const std::string& text) {
  try {
    parse_verdict_limits(text);
  } catch (const QuantityError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("limits that are not named stay as they are") {
  const auto limits = parse_verdict_limits("lag=2ms,client-share=10%");
  CHECK(limits.lag_p99_ms == 2);
  CHECK(limits.client_share == 0.1);
  CHECK(limits.busy_core == 0.9);
  CHECK(limits.samples_beyond == 10);
}

TEST_CASE("every limit has a name") {
  const auto limits = parse_verdict_limits(
      "client-share=1%,lag=250us,lag-share=2%,busy=80%,busy-seconds=3%,rate=95%,samples=0");
  CHECK(limits.client_share == 0.01);
  CHECK(limits.lag_p99_ms == 0.25);
  CHECK(limits.lag_p99_share == 0.02);
  CHECK(limits.busy_core == 0.8);
  CHECK(limits.busy_seconds_share == 0.03);
  CHECK(limits.rate_reached == 0.95);
  CHECK(limits.samples_beyond == 0);
}

TEST_CASE("what is no limit is refused, with the names or the value's form") {
  for (const char* text : {"", "lags=1ms", "5%", "lag=1ms,", "=1"})
    CHECK(refusal(text).find("client-share, lag, lag-share, busy, busy-seconds, rate, samples") !=
          std::string::npos);
  CHECK(refusal("lag") == "lag: a duration is wanted, such as 500ms, 1m30s, 2h or 10 (seconds)");
  CHECK(refusal("busy=120%").starts_with("busy: a share is wanted"));
  CHECK(refusal("samples=-1").starts_with("samples: a whole number"));
}
