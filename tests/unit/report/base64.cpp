#include "src/report/base64.hpp"

#include <doctest/doctest.h>

#include <random>

namespace {

using namespace pgload::report;

TEST_CASE("the test vectors of RFC 4648") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xFB\xFF\xFE") == "+//+");
}

TEST_CASE("bytes of any length come back") {
  std::mt19937 random(3);
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    CHECK(from_base64(base64(bytes)) == bytes);
    bytes += static_cast<char>(random());
  }
}

TEST_CASE("what is not base64 is refused") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zm9v=", "Zm9v\n", "Z===", "====", "Zg==Zm9v", "Zm-_", "Zm 9"}) {
    CAPTURE(text);
    CHECK_FALSE(from_base64(text));
  }
}

}  // namespace
