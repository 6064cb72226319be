#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace pgload::server {

/// The folder that holds `initdb` and `postgres`: `asked` (--pg-bindir), else the first of `path` (as in the
/// variable PATH), else the newest version in the folders where distributions put them, below `root`.
/// Throws ThrowawayServerError: one line that says how to get them.
std::filesystem::path find_bindir(const std::optional<std::filesystem::path>& asked, const std::string& path,
                                  const std::filesystem::path& root = "/");

}  // namespace pgload::server
