#include <cmath>

#include "src/report/escape.hpp"
#include "src/report/json_archive.hpp"

namespace pgload::report {

Json json_number(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  const double rounded = std::round(value * scale) / scale;
  return std::isfinite(rounded) ? Json(rounded) : std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_text(std::string_view value) { return value.empty() ? Json(nullptr) : Json(valid_utf8(value)); }

void JsonWriter::real(const char* key, const std::optional<double>& value, int decimals) {
  object_[key] = value ? json_number(*value, decimals) : Json(nullptr);
}

void JsonWriter::count(const char* key, const std::optional<std::uint64_t>& value) {
  object_[key] = value ? Json(*value) : Json(nullptr);
}

void JsonWriter::pairs(const char* key, const TextPairs& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) {
    object[valid_utf8(name)] = valid_utf8(value);
  }
  object_[key] = std::move(object);
}

void JsonWriter::texts(const char* key, const std::vector<std::string>& values) {
  Json array = Json::array();
  for (const std::string& value : values) {
    array.push_back(valid_utf8(value));
  }
  object_[key] = std::move(array);
}

}  // namespace pgload::report
