#include "workloads/ycsb/options.hpp"

#include <fmt/format.h>

#include <map>

namespace workloads::ycsb {

namespace {

using Spec = api::OptionSpec;
using Type = api::OptionSpec::Type;

RequestDistribution distribution_named(const std::string& name) {
  static const std::map<std::string, RequestDistribution> names{
      {"uniform", RequestDistribution::uniform},         {"zipfian", RequestDistribution::zipfian},
      {"latest", RequestDistribution::latest},           {"hotspot", RequestDistribution::hotspot},
      {"exponential", RequestDistribution::exponential}, {"sequential", RequestDistribution::sequential}};
  return names.at(name);
}

FieldLength::Distribution length_named(const std::string& name) {
  if (name == "uniform") return FieldLength::Distribution::uniform;
  return name == "zipfian" ? FieldLength::Distribution::zipfian : FieldLength::Distribution::constant;
}

std::uint64_t count(const api::OptionValues& values, std::string_view name) {
  return static_cast<std::uint64_t>(values.integer(name));
}

double share(const api::OptionValues& values, std::string_view name, double most = 1) {
  const double value = values.real(name);
  if (value >= 0 && value <= most) return value;
  throw api::OptionError(fmt::format("--{} {}: from 0 to {:g} is wanted", name, values.text(name), most));
}

Mix mix_of(const api::OptionValues& values) {
  constexpr double kMost = 1e6;  // they are weights
  const Mix mix{share(values, "readproportion", kMost), share(values, "updateproportion", kMost),
                share(values, "insertproportion", kMost), share(values, "scanproportion", kMost),
                share(values, "readmodifywriteproportion", kMost)};
  if (mix.read + mix.update + mix.insert + mix.scan + mix.read_modify_write <= 0)
    throw api::OptionError("all proportions are 0: no operation would be done");
  return mix;
}

KeyRange range_of(const api::OptionValues& values, const Mix& mix) {
  KeyRange range;
  range.distribution = distribution_named(values.text("requestdistribution"));
  range.records = count(values, "recordcount");
  range.first = count(values, "insertstart");
  if (range.first >= range.records)
    throw api::OptionError(
        fmt::format("--insertstart {} is not below --recordcount {}", range.first, range.records));
  range.count = values.given("insertcount") ? count(values, "insertcount") : range.records - range.first;
  if (range.count == 0 || range.count > range.records - range.first)
    throw api::OptionError(
        fmt::format("--insertcount {}: from 1 to --recordcount less --insertstart, {}, is wanted",
                    range.count, range.records - range.first));
  const double sum = mix.read + mix.update + mix.insert + mix.scan + mix.read_modify_write;
  range.expected_inserts = static_cast<std::uint64_t>(values.real("operationcount") * (mix.insert / sum) * 2);
  range.hotspot_data = share(values, "hotspotdatafraction");
  range.hotspot_operations = share(values, "hotspotopnfraction");
  range.exponential_percentile = share(values, "exponential-percentile", 99.9999);
  range.exponential_share = share(values, "exponential-frac");
  if (range.exponential_percentile <= 0 || range.exponential_share <= 0)
    throw api::OptionError("--exponential-percentile and --exponential-frac have to be above 0");
  return range;
}

}  // namespace

Options::Options(const api::OptionValues& values)
    : table(values.text("table")),
      mix(mix_of(values)),
      keys(range_of(values, mix)),
      records_given(values.given("recordcount")),
      count_given(values.given("insertcount")),
      format{values.text("insertorder") == "hashed", static_cast<unsigned>(values.integer("zeropadding"))},
      fields(count(values, "fieldcount")),
      field_prefix(values.text("fieldnameprefix")),
      shortest_field(count(values, "minfieldlength")),
      longest_field(count(values, "fieldlength")),
      field_length(length_named(values.text("fieldlengthdistribution"))),
      write_all_fields(values.boolean("writeallfields")),
      update_in_transaction(values.boolean("rmw-transaction")),
      shortest_scan(count(values, "minscanlength")),
      longest_scan(count(values, "maxscanlength")),
      zipfian_scan(values.text("scanlengthdistribution") == "zipfian") {
  if (table.empty()) throw api::OptionError("--table: a name is wanted");
  if (shortest_field > longest_field) throw api::OptionError("--minfieldlength is more than --fieldlength");
  if (shortest_scan > longest_scan) throw api::OptionError("--minscanlength is more than --maxscanlength");
}

std::vector<api::OptionSpec> options_of(const Letter& letter) {
  const auto number = [](double value) { return fmt::format("{:g}", value); };
  const auto text = [](const char* name, std::string_view value, const char* help,
                       std::vector<std::string> choices = {}) {
    return Spec{name, Type::text, std::string(value), help, 0, 0, std::move(choices)};
  };
  const auto whole = [](const char* name, std::uint64_t value, const char* help, std::int64_t least = 0,
                        std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4) {
    return Spec{name, Type::integer, std::to_string(value), help, least, most, {}};
  };
  const auto real = [&](const char* name, double value, const char* help) {
    return Spec{name, Type::real, number(value), help, 0, 0, {}};
  };
  return {
      whole("recordcount", 1000, "records in the table", 1),
      whole("insertstart", 0, "the first key number of this client's part"),
      whole("insertcount", 0, "records of this client's part; 0: all from insertstart on"),
      real("readproportion", letter.mix.read, "share of READ"),
      real("updateproportion", letter.mix.update, "share of UPDATE"),
      real("insertproportion", letter.mix.insert, "share of INSERT"),
      real("scanproportion", letter.mix.scan, "share of SCAN"),
      real("readmodifywriteproportion", letter.mix.read_modify_write, "share of READ-MODIFY-WRITE"),
      text("requestdistribution", letter.distribution, "of the keys",
           {"uniform", "zipfian", "latest", "hotspot", "exponential", "sequential"}),
      whole("operationcount", 0, "zipfian: operations for which room for inserts is kept in the range", 0,
            1'000'000'000'000),
      real("hotspotdatafraction", 0.2, "hotspot: share of the keys that is hot"),
      real("hotspotopnfraction", 0.8, "hotspot: share of the operations that go there"),
      real("exponential-percentile", 95, "exponential: percent of the operations …"),
      real("exponential-frac", 0.8571428571, "exponential: … on this share of the newest keys"),
      text("insertorder", "hashed", "hashed: neighbours are strewn over the table", {"hashed", "ordered"}),
      whole("zeropadding", 1, "digits of a key at least", 1, KeyText::kMaxDigits),
      whole("fieldcount", 10, "columns beside the key", 1, 1000),
      text("fieldnameprefix", "field", "what their names begin with"),
      whole("fieldlength", 100, "bytes of a value, or the most", 1, 1'000'000),
      whole("minfieldlength", 1, "the least", 1, 1'000'000),
      text("fieldlengthdistribution", "constant", "between the two", {"constant", "uniform", "zipfian"}),
      Spec{"writeallfields", Type::boolean, "off", "updates write all columns, not one", 0, 0, {}},
      Spec{"rmw-transaction", Type::boolean, "off", "READ-MODIFY-WRITE between BEGIN and COMMIT", 0, 0, {}},
      whole("minscanlength", 1, "records of a scan at least", 1, 1'000'000),
      whole("maxscanlength", letter.longest_scan, "at most", 1, 1'000'000),
      text("scanlengthdistribution", "uniform", "between the two", {"uniform", "zipfian"}),
      text("table", "usertable", "its name"),
  };
}

}  // namespace workloads::ycsb
