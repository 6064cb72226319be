#include "src/report/json_reader.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>

#include "src/report/escape.hpp"
#include "src/report/json_fields.hpp"
#include "src/report/json_report.hpp"

namespace pgload::report {
namespace {

Json parsed(std::string_view text, const std::string& name) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw NoResultError(error.byte > text.size()
                            ? fmt::format("{}: the document is cut off after {} bytes", name, text.size())
                            : fmt::format("{}: not a JSON document (byte {})", name, error.byte));
  } catch (const Json::exception&) {  // a number beyond all range
    throw NoResultError(fmt::format("{}: not a JSON document", name));
  }
}

void check_schema(const Json& document, const std::string& name) {
  constexpr std::string_view kFamily = "pgload.run/";
  const auto found = document.is_object() ? document.find("schema") : document.end();
  const std::string schema = found != document.end() && found->is_string() ? found->get<std::string>() : "";
  if (schema == kRunSchema) {
    return;
  }
  if (schema.starts_with(kFamily)) {
    throw NoResultError(
        fmt::format("{}: its schema is {}, this pgload reads {}: use the pgload that wrote it", name,
                    visible(schema, 40), kRunSchema));
  }
  throw NoResultError(fmt::format("{}: not a result that pgload wrote with --json", name));
}

}  // namespace

JsonReader::JsonReader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
  if (!object_.is_object()) {
    throw JsonMismatch(path_ + " is no object");
  }
}

void JsonReader::refuse(const char* key, const char* what) const {
  throw JsonMismatch(path_of(key) + ' ' + what);
}

const Json& JsonReader::at(const char* key) const {
  const auto found = object_.find(key);
  if (found == object_.end()) {
    refuse(key, "is missing");
  }
  return *found;
}

const Json& JsonReader::array_at(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array()) {
    refuse(key, "is no list");
  }
  return value;
}

std::uint64_t JsonReader::count_at(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number_unsigned()) {
    refuse(key, "is no count");
  }
  return value.get<std::uint64_t>();
}

void JsonReader::count(const char* key, std::optional<std::uint64_t>& value) {
  value = at(key).is_null() ? std::nullopt : std::optional(count_at(key));
}

void JsonReader::flag(const char* key, bool& value) {
  const Json& found = at(key);
  if (!found.is_boolean()) {
    refuse(key, "is neither true nor false");
  }
  value = found.get<bool>();
}

void JsonReader::real(const char* key, std::optional<double>& value, int) {
  const Json& found = at(key);
  if (!found.is_number() && !found.is_null()) {
    refuse(key, "is no number");
  }
  value = found.is_null() ? std::nullopt : std::optional(found.get<double>());
}

void JsonReader::real(const char* key, double& value, int decimals) {
  std::optional<double> found;
  real(key, found, decimals);
  value = found.value_or(std::numeric_limits<double>::quiet_NaN());
}

void JsonReader::text(const char* key, std::string& value) {
  const Json& found = at(key);
  if (!found.is_string() && !found.is_null()) {
    refuse(key, "is no text");
  }
  value = found.is_null() ? std::string() : found.get<std::string>();
}

void JsonReader::pairs(const char* key, TextPairs& values) {
  const Json& found = at(key);
  if (!found.is_object()) {
    refuse(key, "is no object");
  }
  for (const auto& [name, value] : found.items()) {
    if (!value.is_string()) {
      refuse(key, "holds what is no text");
    }
    values.emplace_back(name, value.template get<std::string>());
  }
}

void JsonReader::numbers(const char* key, std::vector<double>& values) {
  for (const Json& value : array_at(key)) {
    if (!value.is_number()) {
      refuse(key, "holds what is no number");
    }
    values.push_back(value.get<double>());
  }
}

void JsonReader::texts(const char* key, std::vector<std::string>& values) {
  for (const Json& value : array_at(key)) {
    if (!value.is_string()) {
      refuse(key, "holds what is no text");
    }
    values.push_back(value.get<std::string>());
  }
}

stats::RunResult read_json_report(std::string_view text, const std::string& name) {
  const Json document = parsed(text, name);
  check_schema(document, name);
  stats::RunResult run;
  try {
    JsonReader reader(document, "");
    offer_fields(reader, run);
    count_fields(reader, run);
    trust_fields(reader, run);
    row_fields(reader, run);
    party_fields(reader, run);
    interval_fields(reader, run);
  } catch (const JsonMismatch& mismatch) {
    throw NoResultError(fmt::format("{}: not as pgload writes results: {}", name, mismatch.what()));
  }
  return run;
}

stats::RunResult read_json_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  if (!stream || (content << stream.rdbuf()).bad() || stream.bad()) {
    throw NoResultError(fmt::format("cannot read {}: {}", file, std::generic_category().message(errno)));
  }
  return read_json_report(content.str(), file);
}

}  // namespace pgload::report
