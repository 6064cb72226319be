#include "src/cli/descriptor_limit.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "src/cli/usage_error.hpp"

using pgload::cli::raise_descriptor_limit;

namespace {

/// In a child of its own, since a hard limit never rises again. 0: it did what `body` expects.
template <class Body>
int in_child(rlim_t soft, rlim_t hard, Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{soft, hard};
    ::_exit(::setrlimit(RLIMIT_NOFILE, &limit) == 0 && body() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

rlim_t soft_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace

TEST_CASE("the soft limit is raised when needed, and only then") {
  CHECK(in_child(100, 500, [] {
          raise_descriptor_limit(10);
          return soft_limit() == 100;
        }) == 0);
  CHECK(in_child(100, 500, [] {
          raise_descriptor_limit(400);
          return soft_limit() >= 400 && soft_limit() <= 500;
        }) == 0);
}

TEST_CASE("the hard limit is answered with the numbers") {
  CHECK(in_child(100, 256, [] {
          try {
            raise_descriptor_limit(1000);
          } catch (const pgload::cli::UsageError& error) {
            const std::string sentence = error.what();
            return sentence.starts_with("1,000 sessions need 1,064 open files, and the limit is 256") &&
                   soft_limit() == 100;
          }
          return false;
        }) == 0);
}
