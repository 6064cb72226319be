#pragma once

#include <stdexcept>

namespace pgload::cli {

/// Bad usage: one or two plain lines that name the thing and the remedy. Never contains a password.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pgload::cli
