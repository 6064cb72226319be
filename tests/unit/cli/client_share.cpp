#include "src/cli/client_share.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "src/cli/quantities.hpp"

using pgload::cli::parse_client_share;

namespace {

struct Variables {
  std::map<std::string, std::string> values;
  const char* operator()(const char* name) const {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.c_str();
  }
};

}  // namespace

TEST_CASE("a share is said, or taken from what launchers set") {
  CHECK(parse_client_share("2/8", Variables{}).index == 1);
  CHECK(parse_client_share("2/8", Variables{}).count == 8);
  const Variables mpi{{{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}};
  CHECK(parse_client_share("auto", mpi).index == 3);
  CHECK(parse_client_share("auto", mpi).count == 4);
  const Variables slurm{{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}}};
  CHECK(parse_client_share("auto", slurm).count == 2);
  const Variables job{{{"JOB_COMPLETION_INDEX", "5"}}};
  CHECK(parse_client_share("auto/6", job).index == 5);
}

TEST_CASE("a share that is none is refused") {
  const Variables half{{{"OMPI_COMM_WORLD_RANK", "3"}}};
  const Variables wrong{{{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}}};
  for (const char* text : {"", "0/4", "5/4", "1", "a/b", "-1/4", "1/0", "auto/4", "auto"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_client_share(text, Variables{}), pgload::cli::QuantityError);
  }
  CHECK_THROWS_AS(parse_client_share("auto", half), pgload::cli::QuantityError);
  CHECK_THROWS_AS(parse_client_share("auto", wrong), pgload::cli::QuantityError);
}
