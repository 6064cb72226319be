#include "src/cli/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace pgload::cli {

void occupy_standard_streams() {
  // The lowest free number is what `open` gives; read only: a write fails with EBADF, as the caller wanted
  // it.
  int got = ::open("/dev/null", O_RDONLY);
  while (got >= 0 && got <= STDERR_FILENO) got = ::open("/dev/null", O_RDONLY);
  if (got > STDERR_FILENO) ::close(got);
}

}  // namespace pgload::cli
