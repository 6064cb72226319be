#include "src/cli/print.hpp"

#include <cerrno>
#include <system_error>

namespace pgload::cli {

void write_text(std::FILE* stream, std::string_view text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  if (!written && errno != EPIPE)
    throw std::system_error(errno, std::system_category(), "cannot write the report");
}

}  // namespace pgload::cli
