#include "proto_pg/wire/scram.hpp"

#include <doctest/doctest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "proto_pg/wire/errc.hpp"

using namespace proto_pg::wire;
using namespace std::string_literals;

namespace {

// RFC 7677 section 3.
const std::string kNonce = "rOprNGfwEbeRWgbNEkqO";
const std::string kServerFirst =
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
const std::string kCombined = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";

ScramExchange answered(Gs2 gs2 = Gs2::not_supported, const std::string& binding = "") {
  ScramExchange exchange(gs2, kNonce, binding);
  REQUIRE_FALSE(exchange.on_server_first(kServerFirst));
  return exchange;
}

ScramKeys keys_of(const ScramExchange& exchange) {
  return derive_scram_keys("pencil", exchange.salt(), exchange.iterations());
}

std::string hex(const ScramDigest& digest) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (const auto byte : digest) {
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  return result;
}

}  // namespace

TEST_CASE("the example of RFC 7677 section 3, byte for byte") {
  ScramExchange exchange(Gs2::not_supported, kNonce, "", "user");
  CHECK(exchange.client_first() == "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
  REQUIRE_FALSE(exchange.on_server_first(kServerFirst));
  CHECK(exchange.iterations() == 4096);
  CHECK(exchange.salt() == "\x5b\x6d\x99\x68\x9d\x12\x35\x8e\xec\xa0\x4b\x14\x12\x36\xfa\x81"s);
  const auto keys = keys_of(exchange);
  CHECK(exchange.client_final(keys) ==
        "c=biws,r=" + kCombined + ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
  CHECK_FALSE(exchange.on_server_final("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
}

// Expected values of the next three computed with Python's hashlib and hmac from the formulas of RFC 5802.
TEST_CASE("keys") {
  const auto keys = keys_of(answered());
  CHECK(hex(keys.client_key) == "a60fc923d67e8644a92d16b96eda5ef4656b0c725c484374be25535576996e8b");
  CHECK(hex(keys.server_key) == "c1f3cbc1c13a9d35a14c0990eed97629ea225863e566a4314ab99f3f00e5d9d5");
  const auto of_empty_password = derive_scram_keys("", "salt", 1);
  const auto of_null_view = derive_scram_keys({}, "salt", 1);
  CHECK(of_empty_password.client_key == of_null_view.client_key);
  CHECK(of_empty_password.client_key != derive_scram_keys("", "salt", 2).client_key);
}

TEST_CASE("the header that the server is to see, and its repetition in client-final") {
  SUBCASE("no channel binding here") {
    auto exchange = answered();
    CHECK(exchange.client_first() == "n,,n=,r=" + kNonce);
    CHECK(exchange.client_final(keys_of(exchange)) ==
          "c=biws,r=" + kCombined + ",p=qvT2SWdEH5Q06albL+hjSYuUhCG7VndFyzIb7CK4n9k=");
    CHECK_FALSE(exchange.on_server_final("v=3HO6Qt1M4MKJrmlKaoOqLAI0/0TV0HZe7J9H3MBtSOg="));
  }
  SUBCASE("none at the server") {
    auto exchange = answered(Gs2::server_lacks_it);
    CHECK(exchange.client_first() == "y,,n=,r=" + kNonce);
    CHECK(exchange.client_final(keys_of(exchange)) ==
          "c=eSws,r=" + kCombined + ",p=VpuC5DGQa5ro9tXE9MnKs69NH1nxnuregZZcclqIGfM=");
    CHECK_FALSE(exchange.on_server_final("v=FOmOj9BpTGwvnzwBtWQjBaPmVxT9I8IeHBOhcIPu3us="));
  }
  SUBCASE("bound to the server's certificate") {
    std::string hash;
    for (char c = 0; c < 32; ++c) hash += c;
    auto exchange = answered(Gs2::tls_server_end_point, hash);
    CHECK(exchange.client_first() == "p=tls-server-end-point,,n=,r=" + kNonce);
    CHECK(exchange.client_final(keys_of(exchange)) ==
          "c=cD10bHMtc2VydmVyLWVuZC1wb2ludCwsAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=,r=" + kCombined +
              ",p=Q8h71kjaoMzNI7dPksDrhRE/5mTUObF0fUHVIgBOWQg=");
    CHECK_FALSE(exchange.on_server_final("v=ykwoqH8mLqO5AQCeuwwf6lsj9f8zyJZT/CcvAbN4Ssc="));
  }
}

TEST_CASE("server-first: what is refused") {
  const auto error_of = [](const std::string& message) {
    ScramExchange exchange(Gs2::not_supported, "abc", "");
    return exchange.on_server_first(message);
  };
  const std::vector<std::string> malformed = {
      "",
      "r",
      "r=",
      "r=abcd",
      "r=abcd,",
      "r=abcd,s=",
      "r=abcd,s=AAAA",
      "r=abcd,s=AAAA,",
      "r=abcd,s=AAAA,i",
      "r=abcd,s=AAAA,i=",
      "r=,s=AAAA,i=1",
      "s=AAAA,r=abcd,i=1",
      "m=x,r=abcd,s=AAAA,i=1",
      "r=ab d,s=AAAA,i=1",
      "r=abc\x7f,s=AAAA,i=1",
      "r=abc\xc3\xa4,s=AAAA,i=1",
      "r=abcd,s=,i=1",
      "r=abcd,s=AAA,i=1",
      "r=abcd,s=AAA*,i=1",
      "r=abcd,s= AAA,i=1",
      "r=abcd,s=A===,i=1",
      "r=abcd,s=AA=A,i=1",
      "r=abcd,s====,i=1",
      "r=abcd,s=AAAA,i=0",
      "r=abcd,s=AAAA,i=01",
      "r=abcd,s=AAAA,i=-1",
      "r=abcd,s=AAAA,i=+1",
      "r=abcd,s=AAAA,i= 1",
      "r=abcd,s=AAAA,i=1x",
      "r=abcd,s=AAAA,i=1000001",
      "r=abcd,s=AAAA,i=4294967297",
      "r=abcd,s=AAAA,i=99999999999999999999",
      "r=abcd,s=AAAA,i=1,",
      "r=abcd,s=AAAA,i=1,x",
      "r=abcd,s=AAAA,i=1,1=x",
      "r=abcd,s=AAAA,i=1\0"s,
  };
  for (const auto& message : malformed) {
    CAPTURE(message);
    CHECK(error_of(message) == Errc::protocol_violation);
  }
  CHECK(error_of("r=abc,s=AAAA,i=1") == Errc::server_not_authentic);
  CHECK(error_of("r=xabcd,s=AAAA,i=1") == Errc::server_not_authentic);
  CHECK(error_of("r=abd,s=AAAA,i=1") == Errc::server_not_authentic);
}

TEST_CASE("server-first: what is accepted") {
  ScramExchange exchange(Gs2::not_supported, "abc", "");
  CHECK_FALSE(exchange.on_server_first("r=abcd,s=AA==,i=1"));
  CHECK(exchange.salt() == "\0"s);
  CHECK(exchange.iterations() == 1);
  CHECK_FALSE(exchange.on_server_first("r=abcd,s=AAE=,i=1000000,x=anything=at all"));
  CHECK(exchange.salt() == "\0\1"s);
  CHECK(exchange.iterations() == kMaxScramIterations);
}

TEST_CASE("server-final: what is refused") {
  const auto error_of = [](const std::string& message) {
    auto exchange = answered();
    (void)exchange.client_final(keys_of(exchange));
    return exchange.on_server_final(message);
  };
  const std::string good = "v=3HO6Qt1M4MKJrmlKaoOqLAI0/0TV0HZe7J9H3MBtSOg=";
  CHECK_FALSE(error_of(good));
  CHECK_FALSE(error_of(good + ",x=later versions may add"));
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK(error_of(good.substr(0, size)) == Errc::protocol_violation);
  }
  CHECK(error_of(good + "\n") == Errc::protocol_violation);
  CHECK(error_of(good + ",") == Errc::protocol_violation);
  CHECK(error_of("p" + good.substr(1)) == Errc::protocol_violation);
  CHECK(error_of("v=AAAA") == Errc::protocol_violation);
  CHECK(error_of("v=4HO6Qt1M4MKJrmlKaoOqLAI0/0TV0HZe7J9H3MBtSOg=") == Errc::server_not_authentic);
  CHECK(error_of("v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") == Errc::server_not_authentic);
}

TEST_CASE("server-final: a signature proves nothing before our proof is sent") {
  auto exchange = answered();
  CHECK(exchange.on_server_final("v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") ==
        Errc::protocol_violation);
}

TEST_CASE("server-final: the error attribute") {
  auto exchange = answered();
  (void)exchange.client_final(keys_of(exchange));
  CHECK(exchange.on_server_final("e=invalid-proof") == Errc::refused_by_server);
  CHECK(exchange.refusal() == "invalid-proof");
}
