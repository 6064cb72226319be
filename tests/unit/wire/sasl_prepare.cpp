#include <doctest/doctest.h>

#include <string>

#include "proto_pg/wire/scram.hpp"

using proto_pg::wire::sasl_prepare;
using namespace std::string_literals;

TEST_CASE("ASCII stays as it is, control characters too") {
  CHECK(sasl_prepare("") == "");
  CHECK(sasl_prepare("pencil") == "pencil");
  CHECK(sasl_prepare(" \x01\t\x7f ") == " \x01\t\x7f ");
}

TEST_CASE("mapped and normalised (RFC 4013 section 3, and more)") {
  CHECK(sasl_prepare("I\u00adX") == "IX");          // soft hyphen: mapped to nothing
  CHECK(sasl_prepare("\u00aa") == "a");             // feminine ordinal indicator
  CHECK(sasl_prepare("\u2168") == "IX");            // roman numeral nine
  CHECK(sasl_prepare("\ufb01ne") == "fine");        // ligature
  CHECK(sasl_prepare("a\u00a0b") == "a b");         // no-break space
  CHECK(sasl_prepare("a\u3000b") == "a b");         // ideographic space
  CHECK(sasl_prepare("u\u0308") == "\u00fc");       // composed
  CHECK(sasl_prepare("\u00dcBER") == "\u00dcBER");  // case stays
  CHECK(sasl_prepare("\u0627\u0628") == "\u0627\u0628");
}

TEST_CASE("growth") { CHECK(sasl_prepare("\ufdfa\ufdfa").size() == 66); }

// Found by comparing with what PostgreSQL 15 stores: it judges the characters before it normalises them.
TEST_CASE("judged before they are normalised") {
  CHECK(sasl_prepare("\u00aa\u0340") == "\u00aa\u0340");  // prohibited, although it would become U+0300
  CHECK(sasl_prepare("\u00aa\ufe76") == "\u00aa\ufe76");  // right-to-left, although it would be a mark
  CHECK(sasl_prepare("\u00aa\u2136") == "a\u05d1");       // left-to-right, although it will be a letter bet
}

TEST_CASE("the raw bytes where preparation fails, as the server does") {
  const std::string raw[] = {
      "\u00e4\x07",          // an ASCII control character beside a letter
      "\u00e4\u0085",        // a control character
      "a\ue000",             // private use
      "\u00aa\u0221",        // unassigned in Unicode 3.2, so the first letter is not mapped either
      "\u0627a",             // right-to-left and left-to-right
      "\u06271",             // right-to-left, not at the end
      "\u00ad",              // nothing would be left
      "\u00aa\xff",          // not UTF-8
      "\xc3",                // cut
      "\u00aa\xed\xa0\x80",  // a surrogate
      "\u00aa\0b"s,          // a zero byte
  };
  for (const auto& password : raw) {
    CAPTURE(password);
    CHECK(sasl_prepare(password) == password);
  }
}
