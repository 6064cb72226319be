#pragma once

#include <stdexcept>

namespace pgload::server {

/// The throwaway server cannot be had: a sentence for people, with the remedy.
struct ThrowawayServerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `stop` became true.
struct Interrupted : ThrowawayServerError {
  Interrupted() : ThrowawayServerError("interrupted") {}
};

}  // namespace pgload::server
