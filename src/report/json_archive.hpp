#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/stats/packed_histogram.hpp"
#include "src/stats/run_result.hpp"

/// One list of fields serves both directions: a JsonWriter puts them into an object, a JsonReader takes them
/// out of one. So a document that was read and written again is the same, byte for byte.
namespace pgload::report {

using Json = nlohmann::ordered_json;
using TextPairs = std::vector<std::pair<std::string, std::string>>;

/// Rounded to `decimals`: the digits beyond are noise of the clock. Not a number: null.
Json json_number(double value, int decimals);
/// null for an empty one; bytes that are not UTF-8 become \xE9.
Json json_text(std::string_view value);

/// What a latency object holds besides the fixed parts.
struct LatencyOptions {
  std::vector<double> percentiles;  ///< ascending, each once
  stats::VerdictLimits limits;      ///< which of them have too few samples
};

class JsonWriter {
 public:
  JsonWriter(Json& object, const LatencyOptions& latency) : object_(object), latency_(latency) {}

  void count(const char* key, std::unsigned_integral auto value) { object_[key] = value; }
  void flag(const char* key, bool value) { object_[key] = value; }
  void real(const char* key, double value, int decimals) { object_[key] = json_number(value, decimals); }
  void real(const char* key, const std::optional<double>& value, int decimals);
  void count(const char* key, const std::optional<std::uint64_t>& value);
  /// null unless it exists.
  void count_if(bool exists, const char* key, std::uint64_t value) {
    object_[key] = exists ? Json(value) : Json(nullptr);
  }
  /// An empty text is null.
  void text(const char* key, const std::string& value) { object_[key] = json_text(value); }
  template <class T>
  void choice(const char* key, const T& value, std::initializer_list<std::pair<const char*, T>> choices) {
    for (const auto& [name, meaning] : choices) {
      if (value == meaning) {
        object_[key] = name;
      }
    }
  }
  void pairs(const char* key, const TextPairs& values);
  void numbers(const char* key, const std::vector<double>& values) { object_[key] = values; }
  void texts(const char* key, const std::vector<std::string>& values);

  /// The histogram with its figures, and all that restores it.
  void latency(const char* key, const stats::LatencyHistogram& histogram);
  void latency(const char* key, const std::optional<stats::LatencyHistogram>& histogram);
  /// The same; null if empty.
  void latency_if_any(const char* key, const stats::LatencyHistogram& histogram);
  /// What restores a histogram, into this object itself.
  void packed(const stats::PackedHistogram& packed);

  /// What a reader makes anew from the rest.
  void derived(const char* key, Json value) { object_[key] = std::move(value); }
  /// What `make()` returns, computed only when writing.
  template <class Make>
  void derived_latency(const char* key, Make make) {
    latency(key, make());
  }

  template <class Fields>
  void object(const char* key, Fields fields) {
    Json inner = Json::object();
    JsonWriter writer(inner, latency_);
    fields(writer);
    object_[key] = std::move(inner);
  }
  /// null unless it exists.
  template <class Fields>
  void object_if(bool exists, const char* key, Fields fields) {
    object_[key] = nullptr;
    if (exists) {
      object(key, fields);
    }
  }
  template <class T, class Fields>
  void optional(const char* key, const std::optional<T>& value, Fields fields) {
    object_[key] = nullptr;
    if (value) {
      object(key, [&](JsonWriter& inner) { fields(inner, *value); });
    }
  }
  template <class T, class Fields>
  void list(const char* key, const std::vector<T>& items, Fields fields) {
    Json array = Json::array();
    for (const T& item : items) {
      Json inner = Json::object();
      JsonWriter writer(inner, latency_);
      fields(writer, item);
      array.push_back(std::move(inner));
    }
    object_[key] = std::move(array);
  }

 private:
  Json& object_;
  const LatencyOptions& latency_;
};

/// Where a document is not what it should be: "kinds[0].count is no count".
struct JsonMismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Every function throws JsonMismatch for a key that is missing or of another type.
class JsonReader {
 public:
  JsonReader(const Json& object, std::string path);

  void count(const char* key, std::unsigned_integral auto& value) {
    const std::uint64_t number = count_at(key);
    value = static_cast<std::remove_reference_t<decltype(value)>>(number);
    if (value != number) {
      refuse(key, "is too large");
    }
  }
  void flag(const char* key, bool& value);
  void real(const char* key, double& value, int decimals);
  void real(const char* key, std::optional<double>& value, int decimals);
  void count(const char* key, std::optional<std::uint64_t>& value);
  void count_if(bool, const char* key, std::uint64_t& value) {
    value = at(key).is_null() ? 0 : count_at(key);
  }
  void text(const char* key, std::string& value);
  template <class T>
  void choice(const char* key, T& value, std::initializer_list<std::pair<const char*, T>> choices) {
    std::string name;
    text(key, name);
    for (const auto& [known, meaning] : choices) {
      if (name == known) {
        value = meaning;
        return;
      }
    }
    refuse(key, "is none of the words that it may be");
  }
  void pairs(const char* key, TextPairs& values);
  void numbers(const char* key, std::vector<double>& values);
  void texts(const char* key, std::vector<std::string>& values);

  void latency(const char* key, stats::LatencyHistogram& histogram);
  void latency(const char* key, std::optional<stats::LatencyHistogram>& histogram);
  void latency_if_any(const char* key, stats::LatencyHistogram& histogram);
  void packed(stats::PackedHistogram& packed);

  void derived(const char*, const Json&) {}
  template <class Make>
  void derived_latency(const char*, Make) {}

  template <class Fields>
  void object(const char* key, Fields fields) {
    JsonReader reader(at(key), path_of(key));
    fields(reader);
  }
  template <class Fields>
  void object_if(bool, const char* key, Fields fields) {
    if (!at(key).is_null()) {
      object(key, fields);
    }
  }
  template <class T, class Fields>
  void optional(const char* key, std::optional<T>& value, Fields fields) {
    if (!at(key).is_null()) {
      object(key, [&](JsonReader& inner) { fields(inner, value.emplace()); });
    }
  }
  template <class T, class Fields>
  void list(const char* key, std::vector<T>& items, Fields fields) {
    const Json& array = array_at(key);
    for (std::size_t i = 0; i < array.size(); ++i) {
      JsonReader reader(array[i], path_of(key) + '[' + std::to_string(i) + ']');
      fields(reader, items.emplace_back());
    }
  }

 private:
  const Json& at(const char* key) const;
  const Json& array_at(const char* key) const;
  std::uint64_t count_at(const char* key) const;
  std::string path_of(const char* key) const { return path_.empty() ? key : path_ + '.' + key; }
  [[noreturn]] void refuse(const char* key, const char* what) const;

  const Json& object_;
  std::string path_;
};

}  // namespace pgload::report
