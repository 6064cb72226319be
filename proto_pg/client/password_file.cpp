#include "proto_pg/client/password_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace proto_pg::client {
namespace {

/// Consumes a field and its ':' if the field is "*" or spells `wanted`; a backslash takes the next byte as it
/// is.
bool take_field(std::string_view& line, std::string_view wanted) {
  if (line.starts_with("*:")) {
    line.remove_prefix(2);
    return true;
  }
  std::size_t i = 0;
  for (; i < line.size() && line[i] != ':'; ++i) {
    if (line[i] == '\\' && ++i == line.size()) return false;
    if (wanted.empty() || wanted.front() != line[i]) return false;
    wanted.remove_prefix(1);
  }
  if (i == line.size() || !wanted.empty()) return false;
  line.remove_prefix(i + 1);
  return true;
}

std::string without_backslashes(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    result += text[i];
  }
  return result;
}

}  // namespace

PasswordFile PasswordFile::load(const std::string& path, const std::function<void(std::string_view)>& warn) {
  struct stat status{};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return {};
  const auto pass_over = [&](std::string_view why) {
    if (warn) warn("password file \"" + path + "\" " + std::string(why));
    return PasswordFile{};
  };
  if (!S_ISREG(status.st_mode)) return pass_over("is ignored: it is not a plain file");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return pass_over("is ignored: group or others have access; permissions should be u=rw (0600) or less");
  std::ifstream in(path, std::ios::binary);
  return parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

PasswordFile PasswordFile::parse(std::string_view content) {
  PasswordFile file;
  while (!content.empty()) {
    auto line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(line.size() + 1, content.size()));
    while (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#') file.lines_.emplace_back(line);
  }
  return file;
}

std::optional<std::string> PasswordFile::find(std::string_view host, std::string_view port,
                                              std::string_view database, std::string_view user) const {
  for (std::string_view line : lines_) {
    if (take_field(line, host) && take_field(line, port) && take_field(line, database) &&
        take_field(line, user))
      return without_backslashes(line);
  }
  return std::nullopt;
}

}  // namespace proto_pg::client
