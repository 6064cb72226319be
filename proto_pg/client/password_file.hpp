#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proto_pg::client {

/// The password file (manual: "The Password File"): lines of hostname:port:database:username:password.
class PasswordFile {
 public:
  /// An empty file, if there is none. One that others may read, or that is no plain file, is passed over with
  /// a warning, as libpq does.
  static PasswordFile load(const std::string& path, const std::function<void(std::string_view)>& warn);
  static PasswordFile parse(std::string_view content);

  /// The password of the first line that fits.
  std::optional<std::string> find(std::string_view host, std::string_view port, std::string_view database,
                                  std::string_view user) const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace proto_pg::client
