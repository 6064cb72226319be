// Feeds every file of a folder to a fuzz target: its corpus as a test for every compiler.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s <folder of inputs>\n", argv[0]);
    return 2;
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
    std::printf("%s (%zu bytes)\n", entry.path().c_str(), bytes.size());
    std::fflush(stdout);  // after a crash, the last line names the input
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++files;
  }
  if (files == 0) std::fprintf(stderr, "%s: no inputs in %s\n", argv[0], argv[1]);
  return files == 0 ? 1 : 0;
}
