#pragma once

#include <vector>

namespace pgload::engine {

/// A level over time, made of straight pieces: a rate per second or a number of sessions. Behind its last
/// piece the last level goes on for ever. Pure arithmetic, seconds since the profile's start.
class LoadProfile {
 public:
  /// `from` to `to` in `length_s`, in a straight line; levels >= 0, length > 0.
  struct Piece {
    double length_s;
    double from;
    double to;
  };

  /// A constant.
  explicit LoadProfile(double level) : last_level_(level) {}
  /// At least one piece.
  explicit LoadProfile(std::vector<Piece> pieces);

  /// The same, `length_s` later; until then at its first level.
  LoadProfile delayed(double length_s) const;
  /// Every level times `factor`.
  LoadProfile scaled(double factor) const;

  bool constant() const { return pieces_.empty(); }
  /// Of all pieces; 0 for a constant.
  double length_s() const;
  double first_level() const { return pieces_.empty() ? last_level_ : pieces_.front().from; }
  double highest_level() const;
  double level(double t) const;

  /// The integral from 0 to t: how many arrivals are planned until then.
  double area(double t) const;
  /// The earliest t with area(t) >= area; infinity if there is none.
  double time_of_area(double area) const;
  /// The earliest t >= from with level(t) >= level; infinity if there is none.
  double time_of_level(double level, double from) const;

 private:
  std::vector<Piece> pieces_;
  std::vector<double> starts_s_;     ///< of each piece, and of what follows the last
  std::vector<double> start_areas_;  ///< the same, as areas
  double last_level_;
};

}  // namespace pgload::engine
