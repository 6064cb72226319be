#include "src/cli/profile_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "src/cli/quantities.hpp"

namespace pgload::cli {
namespace {

using Piece = engine::LoadProfile::Piece;
using Words = std::vector<std::string_view>;

/// The parts of `text` between `separator`s, without spaces around them.
Words split(std::string_view text, char separator) {
  Words parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (!part.empty() || separator != ' ') parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

class ProfileParser {
 public:
  ProfileParser(std::string_view what, double highest) : what_(what), highest_(highest) {}

  engine::LoadProfile parse(std::string_view text) {
    const Words parts = split(text, ',');
    if (parts.size() == 1 && split(text, ' ').size() == 1) return engine::LoadProfile(level(text));
    for (const std::string_view part : parts) add(part);
    return engine::LoadProfile(std::move(pieces_));
  }

 private:
  void add(std::string_view part) {
    if (part.empty()) throw QuantityError("nothing stands between two commas (or at an end)");
    const Words words = split(part, ' ');
    const auto is = [&](std::size_t count,
                        std::initializer_list<std::pair<std::size_t, std::string_view>> fixed) {
      return words.size() == count &&
             std::ranges::all_of(fixed, [&](const auto& word) { return words[word.first] == word.second; });
    };
    const auto range = words.size() > 1 ? words[1].find("..") : std::string_view::npos;
    if (is(4, {{0, "ramp"}, {2, "over"}}) && range != std::string_view::npos) {
      piece(time(words[3]), level(words[1].substr(0, range)), level(words[1].substr(range + 2)));
    } else if (is(5, {{0, "ramp"}, {1, "to"}, {3, "over"}})) {
      piece(time(words[4]), before(part), level(words[2]));
    } else if (is(2, {{0, "hold"}})) {
      piece(time(words[1]), before(part), before(part));
    } else if (is(6, {{0, "step"}, {2, "every"}, {4, "to"}})) {
      steps(part, level(words[1]), time(words[3]), level(words[5]));
    } else if (is(3, {{1, "for"}})) {
      const double held = level(words[0]);
      piece(time(words[2]), held, held);
    } else {
      throw QuantityError(fmt::format("'{}' is no piece of a profile: {}", part, wanted()));
    }
  }

  void piece(double length_s, double from, double to) { pieces_.push_back({length_s, from, to}); }

  void steps(std::string_view part, double step, double length_s, double last) {
    constexpr double kMostSteps = 100'000;
    const double first = before(part);
    const double count = std::ceil(std::abs(last - first) / step);
    if (!(step > 0) || !(count <= kMostSteps))
      throw QuantityError(fmt::format("'{}': a step above 0 is wanted, and at most 100,000 of them", part));
    const double signed_step = last < first ? -step : step;
    for (double i = 1; i <= count; ++i) {
      const double held = i == count ? last : first + i * signed_step;
      piece(length_s, held, held);
    }
  }

  double before(std::string_view part) const {
    if (pieces_.empty())
      throw QuantityError(fmt::format("'{}' goes on from a level, but nothing stands before it", part));
    return pieces_.back().to;
  }

  double level(std::string_view text) const {
    const auto value = parse_real(text);
    if (!value) throw QuantityError(fmt::format("'{}' is no {}: {}", text, what_, wanted()));
    if (*value < 0 || *value > highest_)
      throw QuantityError(fmt::format("a {} from 0 to {:g} is wanted", what_, highest_));
    return *value;
  }

  static double time(std::string_view text) {
    const double length_s = std::chrono::duration<double>(parse_duration(text)).count();
    if (length_s <= 0) throw QuantityError("a piece of a profile lasts longer than 0");
    return length_s;
  }

  std::string wanted() const {
    return fmt::format(
        "a {} is wanted, such as 5000, or pieces such as "
        "'ramp 0..200 over 60s, hold 5m, step 10 every 30s to 500'",
        what_);
  }

  std::string_view what_;
  double highest_;
  std::vector<Piece> pieces_;
};

}  // namespace

engine::LoadProfile parse_profile(std::string_view text, std::string_view what, double highest) {
  return ProfileParser(what, highest).parse(text);
}

}  // namespace pgload::cli
