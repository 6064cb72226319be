#include "src/cli/client_share.hpp"

#include <array>
#include <optional>

#include "src/cli/quantities.hpp"

namespace pgload::cli {
namespace {

constexpr std::uint32_t kMost = 100'000;

struct Variables {
  const char* index;
  const char* count;
};
constexpr std::array kLaunchers{Variables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                Variables{"PMI_RANK", "PMI_SIZE"}, Variables{"SLURM_PROCID", "SLURM_NTASKS"}};
constexpr std::array kIndexes{"JOB_COMPLETION_INDEX", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};

std::uint32_t whole(std::string_view text, std::uint64_t min) {
  return static_cast<std::uint32_t>(parse_count(text, min, kMost));
}

engine::ClientShare checked(std::uint32_t index, std::uint32_t count) {
  if (index >= count) throw QuantityError("the I of I/N goes from 1 to N");
  return {index, count};
}

}  // namespace

engine::ClientShare parse_client_share(std::string_view text, const Environment& environment) {
  if (text == "auto") {
    for (const Variables& launcher : kLaunchers) {
      const char* index = environment(launcher.index);
      const char* count = environment(launcher.count);
      if (index != nullptr && count != nullptr) return checked(whole(index, 0), whole(count, 1));
    }
    throw QuantityError(
        "no launcher (Open MPI, PMI, Slurm) has set a rank and a size: give I/N, or auto/N for an index");
  }
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) throw QuantityError("I/N is wanted, such as 2/8, or auto");
  const std::uint32_t count = whole(text.substr(slash + 1), 1);
  if (text.substr(0, slash) != "auto") return checked(whole(text.substr(0, slash), 1) - 1, count);
  for (const char* name : kIndexes) {
    if (const char* index = environment(name)) return checked(whole(index, 0), count);
  }
  throw QuantityError("no JOB_COMPLETION_INDEX is set: give I/N");
}

}  // namespace pgload::cli
