#include "workloads/api/option.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace workloads::api;

namespace {

std::vector<OptionSpec> specs() {
  OptionSpec size;
  size.name = "table-size";
  size.default_value = "10000";
  size.min = 1;
  OptionSpec level;
  level.name = "level";
  level.default_value = "0";
  level.min = -5;
  level.max = 5;
  OptionSpec skew;
  skew.name = "skew";
  skew.type = OptionSpec::Type::real;
  skew.default_value = "0.5";
  OptionSpec ranges;
  ranges.name = "ranges";
  ranges.type = OptionSpec::Type::boolean;
  ranges.default_value = "on";
  OptionSpec keys;
  keys.name = "keys";
  keys.type = OptionSpec::Type::text;
  keys.default_value = "uniform";
  keys.choices = {"uniform", "zipfian"};
  return {size, level, skew, ranges, keys};
}

OptionValues with(const std::string& name, const std::string& text) {
  return OptionValues(specs(), {{name, text}});
}

std::string refusal(const std::string& name, const std::string& text) {
  try {
    with(name, text);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("what is not given has its default") {
  const OptionValues values(specs(), {});
  CHECK(values.integer("table-size") == 10'000);
  CHECK(values.real("skew") == 0.5);
  CHECK(values.boolean("ranges"));
  CHECK(values.text("keys") == "uniform");
  CHECK_FALSE(values.given("table-size"));
}

TEST_CASE("integers take decimal units") {
  CHECK(with("table-size", "20k").integer("table-size") == 20'000);
  CHECK(with("table-size", "3M").integer("table-size") == 3'000'000);
  CHECK(with("table-size", "5G").integer("table-size") == 5'000'000'000);
  CHECK(with("table-size", "9223372036854775807").integer("table-size") == 9223372036854775807);
  CHECK(with("level", "-5").integer("level") == -5);
  CHECK(with("table-size", "7").given("table-size"));
}

TEST_CASE("junk and values out of range are refused in one sentence that names option, value and range") {
  for (const char* junk : {"", "x", "10q", "1 ", " 1", "1.5", "1kk", "0x10", "+1", "k"})
    CHECK(
        refusal("table-size", junk).starts_with("--table-size '" + std::string(junk) + "': a whole number"));
  for (const char* outside : {"0", "-1", "9223372036854775808", "9223372037G", "-9223372037G"})
    CHECK(refusal("table-size", outside).starts_with("--table-size '"));
  CHECK(refusal("level", "6") == "--level '6': a whole number from -5 to 5 is wanted (units k, M, G)");
  CHECK(refusal("level", "-6") == "--level '-6': a whole number from -5 to 5 is wanted (units k, M, G)");
}

TEST_CASE("booleans, reals and choices") {
  for (const char* yes : {"on", "true", "1"}) CHECK(with("ranges", yes).boolean("ranges"));
  for (const char* no : {"off", "false", "0"}) CHECK_FALSE(with("ranges", no).boolean("ranges"));
  CHECK(refusal("ranges", "maybe") == "--ranges 'maybe': on or off is wanted");
  CHECK(with("skew", "1e-3").real("skew") == 0.001);
  for (const char* junk : {"", "x", "1,5", "1.5x", "nan", "inf"})
    CHECK(refusal("skew", junk) == "--skew '" + std::string(junk) + "': a number is wanted");
  CHECK(with("keys", "zipfian").text("keys") == "zipfian");
  CHECK(refusal("keys", "zipf") == "--keys 'zipf': one of these is wanted: uniform zipfian");
}

TEST_CASE("an undeclared name is refused, and asking for one is a bug") {
  CHECK(refusal("tabel-size", "1") == "--tabel-size: this workload has no such option");
  const OptionValues values(specs(), {});
  CHECK_THROWS_AS(values.integer("nothing"), std::logic_error);
}

TEST_CASE("all options as reports show them: in order, in one notation") {
  const OptionValues values(specs(), {{"table-size", "20k"}, {"ranges", "0"}});
  const std::vector<std::pair<std::string, std::string>> expected{
      {"table-size", "20000"}, {"level", "0"}, {"skew", "0.5"}, {"ranges", "off"}, {"keys", "uniform"}};
  CHECK(values.all() == expected);
}
