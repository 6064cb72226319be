#include "tests/support/scratch_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace support {

ScratchFolder::ScratchFolder() {
  std::string name = std::filesystem::temp_directory_path() / "pgload-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace support
