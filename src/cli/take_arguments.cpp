// Passwords in argv: everybody on the machine can read them there.
#include <algorithm>
#include <string_view>

#include "src/cli/command_line.hpp"

namespace pgload::cli {
namespace {

/// Where a connection string may begin inside an argument: "dbname=…", "-ddbname=…",
/// "--dbname=postgresql://…".
std::vector<std::size_t> possible_beginnings(std::string_view argument) {
  std::vector<std::size_t> list{0};
  if (argument.starts_with("--")) {
    if (const auto equals = argument.find('='); equals != std::string_view::npos) list.push_back(equals + 1);
  } else if (argument.starts_with('-')) {
    list.push_back(std::min<std::size_t>(2, argument.size()));
  }
  for (const std::string_view mark : {"postgres://", "postgresql://", "password", "sslpassword"})
    for (auto at = argument.find(mark); at != std::string_view::npos; at = argument.find(mark, at + 1))
      list.push_back(at);
  return list;
}

void wipe(char* argument) {
  const std::string copy(argument);
  for (const std::size_t begin : possible_beginnings(copy))
    for (const auto& [from, to] : proto_pg::client::password_spans(std::string_view(copy).substr(begin)))
      std::fill(argument + begin + from, argument + begin + to, '*');
}

}  // namespace

std::vector<std::string> take_arguments(int argc, char** argv) {
  std::vector<std::string> list;
  for (int i = 1; i < argc; ++i) {
    list.emplace_back(argv[i]);
    wipe(argv[i]);
    // --password takes no value, but somebody who thinks so has typed it already.
    if (list.back().starts_with("--password=")) std::fill(argv[i] + 11, argv[i] + list.back().size(), '*');
  }
  return list;
}

}  // namespace pgload::cli
