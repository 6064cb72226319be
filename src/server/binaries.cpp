#include "src/server/binaries.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "src/server/error.hpp"

namespace pgload::server {
namespace {

namespace fs = std::filesystem;

bool complete(const fs::path& bindir) {
  return ::access((bindir / "initdb").c_str(), X_OK) == 0 &&
         ::access((bindir / "postgres").c_str(), X_OK) == 0;
}

/// Where packagers put versions side by side: <parent>/<prefix><version><suffix>.
struct Place {
  std::string_view parent, prefix, suffix;
};
constexpr std::array kPlaces{
    Place{"usr/lib/postgresql", "", "bin"},           // Debian, Ubuntu, Gentoo
    Place{"usr", "pgsql-", "bin"},                    // PGDG packages for Red Hat
    Place{"usr/local", "pgsql", "bin"},               // from source
    Place{"opt/homebrew/opt", "postgresql@", "bin"},  // Homebrew
    Place{"usr/libexec", "postgresql", ""},           // Alpine
};

/// "15", "9.6": numbers to sort by, 0 for none.
double version_of(std::string_view text) {
  double version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

}  // namespace

fs::path find_bindir(const std::optional<fs::path>& asked, const std::string& path, const fs::path& root) {
  if (asked) {
    if (complete(*asked)) return fs::absolute(*asked);
    throw ThrowawayServerError(fmt::format(
        "no initdb and postgres in {} (--pg-bindir); give the folder that holds both", asked->string()));
  }
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    const fs::path folder(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (folder.is_absolute() && complete(folder)) return folder;
  }
  std::vector<std::pair<double, fs::path>> found;
  for (const Place& place : kPlaces) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(root / place.parent, ignored)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(place.prefix)) continue;
      const fs::path bindir = entry.path() / place.suffix;
      if (complete(bindir))
        found.emplace_back(version_of(std::string_view(name).substr(place.prefix.size())), bindir);
    }
  }
  const auto newest = std::max_element(found.begin(), found.end(),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
  if (newest != found.end()) return newest->second;
  throw ThrowawayServerError(
      "--ephemeral needs PostgreSQL's initdb and postgres, and none were found: apt install postgresql (dnf "
      "install postgresql-server), or name their folder with --pg-bindir");
}

}  // namespace pgload::server
