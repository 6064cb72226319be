#include "src/engine/load_profile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace pgload::engine {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

using Piece = LoadProfile::Piece;

double slope(const Piece& piece) { return (piece.to - piece.from) / piece.length_s; }

/// Of the first `t` seconds of `piece`.
double area_of(const Piece& piece, double t) { return (piece.from + slope(piece) * t / 2) * t; }

/// The t at which `piece` has that area. The form without cancellation where the slope is small.
double time_in(const Piece& piece, double area) {
  const double root = std::sqrt(std::max(0.0, piece.from * piece.from + 2 * slope(piece) * area));
  const double divisor = piece.from + root;
  return divisor > 0 ? std::min(2 * area / divisor, piece.length_s) : 0;
}

/// The piece that `value` lies in: starts ascend.
std::size_t index_in(const std::vector<double>& starts, double value) {
  const auto above = std::ranges::upper_bound(starts, value);
  return static_cast<std::size_t>(above - starts.begin()) - 1;
}

}  // namespace

LoadProfile::LoadProfile(std::vector<Piece> pieces)
    : pieces_(std::move(pieces)), last_level_(pieces_.back().to) {
  double start_s = 0, start_area = 0;
  for (const Piece& piece : pieces_) {
    starts_s_.push_back(start_s);
    start_areas_.push_back(start_area);
    start_s += piece.length_s;
    start_area += area_of(piece, piece.length_s);
  }
  starts_s_.push_back(start_s);
  start_areas_.push_back(start_area);
}

LoadProfile LoadProfile::delayed(double length_s) const {
  if (constant() || length_s <= 0) return *this;
  std::vector<Piece> pieces{{length_s, first_level(), first_level()}};
  pieces.insert(pieces.end(), pieces_.begin(), pieces_.end());
  return LoadProfile(std::move(pieces));
}

LoadProfile LoadProfile::scaled(double factor) const {
  if (constant()) return LoadProfile(last_level_ * factor);
  std::vector<Piece> pieces = pieces_;
  for (Piece& piece : pieces) {
    piece.from *= factor;
    piece.to *= factor;
  }
  return LoadProfile(std::move(pieces));
}

double LoadProfile::length_s() const { return pieces_.empty() ? 0 : starts_s_.back(); }

double LoadProfile::highest_level() const {
  double highest = last_level_;
  for (const Piece& piece : pieces_) highest = std::max({highest, piece.from, piece.to});
  return highest;
}

double LoadProfile::level(double t) const {
  if (t >= length_s()) return last_level_;
  const std::size_t i = index_in(starts_s_, t);
  return pieces_[i].from + slope(pieces_[i]) * (t - starts_s_[i]);
}

double LoadProfile::area(double t) const {
  if (constant()) return last_level_ * t;
  if (t >= length_s()) return start_areas_.back() + last_level_ * (t - length_s());
  const std::size_t i = index_in(starts_s_, t);
  return start_areas_[i] + area_of(pieces_[i], t - starts_s_[i]);
}

double LoadProfile::time_of_area(double area) const {
  const double before = constant() ? 0 : start_areas_.back();
  if (area > before) return last_level_ > 0 ? length_s() + (area - before) / last_level_ : kNever;
  if (constant()) return 0;
  // The earliest: of several pieces that begin with this area (those before have none), the first.
  const auto reached = std::ranges::lower_bound(start_areas_, area);
  if (*reached == area) return starts_s_[static_cast<std::size_t>(reached - start_areas_.begin())];
  const std::size_t i = static_cast<std::size_t>(reached - start_areas_.begin()) - 1;
  return starts_s_[i] + time_in(pieces_[i], area - start_areas_[i]);
}

double LoadProfile::time_of_level(double level, double from) const {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (starts_s_[i] + piece.length_s <= from) continue;
    const double begin = std::max(from - starts_s_[i], 0.0);
    if (piece.from + slope(piece) * begin >= level) return starts_s_[i] + begin;
    if (piece.to >= level) return starts_s_[i] + (level - piece.from) / slope(piece);
  }
  return last_level_ >= level ? std::max(from, length_s()) : kNever;
}

}  // namespace pgload::engine
