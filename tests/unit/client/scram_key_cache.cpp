#include "proto_pg/client/scram_key_cache.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/loop.hpp"

namespace asio = boost::asio;
using proto_pg::client::ScramKeyCache;
using proto_pg::wire::ScramKeys;

namespace {

/// Long enough to be still in progress when a test goes on: some tens of milliseconds.
constexpr std::uint32_t kSlow = 100'000;

bool right(const ScramKeys& keys, const std::string& password, std::uint32_t iterations) {
  const auto expected = proto_pg::wire::derive_scram_keys(password, "salt", iterations);
  return keys.client_key == expected.client_key && keys.server_key == expected.server_key;
}

/// Asks, and notes the answer and the thread on which it came.
asio::awaitable<void> ask(ScramKeyCache& cache, std::string password, std::uint32_t iterations,
                          std::vector<ScramKeys>& answers, bool& other_thread) {
  const auto asked_on = std::this_thread::get_id();
  const auto keys = co_await cache.keys(password, "salt", iterations);
  if (std::this_thread::get_id() != asked_on) other_thread = true;
  answers.push_back(keys);
}

struct Asked {
  std::vector<ScramKeys> answers;
  bool other_thread = false;
};

Asked ask_at_once(ScramKeyCache& cache, int count, std::uint32_t iterations) {
  asio::io_context context(1);
  Asked asked;
  for (int i = 0; i < count; ++i) {
    asio::co_spawn(context, ask(cache, "pencil", iterations, asked.answers, asked.other_thread),
                   asio::detached);
  }
  context.run();
  return asked;
}

}  // namespace

TEST_CASE("the keys are those of derive_scram_keys, on the asker's thread") {
  ScramKeyCache cache;
  const auto asked = ask_at_once(cache, 1, 10);
  REQUIRE(asked.answers.size() == 1);
  CHECK(right(asked.answers[0], "pencil", 10));
  CHECK_FALSE(asked.other_thread);
}

TEST_CASE("a thousand askers cost one derivation, later ones none") {
  ScramKeyCache cache;
  const auto first = ask_at_once(cache, 1000, 5000);
  CHECK(first.answers.size() == 1000);
  CHECK(cache.derivations() == 1);
  for (const auto& keys : first.answers) CHECK(keys.client_key == first.answers[0].client_key);
  CHECK(ask_at_once(cache, 10, 5000).answers.size() == 10);
  CHECK(cache.derivations() == 1);
}

TEST_CASE("other passwords, salts and iteration counts have their own keys") {
  ScramKeyCache cache;
  support::Loop loop;
  const auto one = loop.run(cache.keys("a", "salt", 10));
  const auto other_password = loop.run(cache.keys("b", "salt", 10));
  const auto other_salt = loop.run(cache.keys("a", "pepper", 10));
  const auto other_iterations = loop.run(cache.keys("a", "salt", 11));
  const auto moved_boundary = loop.run(cache.keys("asalt", "", 10));
  CHECK(cache.derivations() == 5);
  CHECK(right(one, "a", 10));
  CHECK(right(other_password, "b", 10));
  CHECK(right(other_iterations, "a", 11));
  CHECK(other_salt.client_key != one.client_key);
  CHECK(moved_boundary.client_key != one.client_key);
}

TEST_CASE("nothing is remembered if it is not to be") {
  ScramKeyCache cache(false);
  CHECK(ask_at_once(cache, 20, 10).answers.size() == 20);
  CHECK(cache.derivations() == 20);
  CHECK(ask_at_once(cache, 1, 10).answers.size() == 1);
  CHECK(cache.derivations() == 21);
}

TEST_CASE("askers of several threads share one derivation") {
  ScramKeyCache cache;
  std::vector<Asked> asked(4);
  std::vector<std::thread> workers;
  for (auto& mine : asked) {
    workers.emplace_back([&cache, &mine] { mine = ask_at_once(cache, 100, kSlow); });
  }
  for (auto& worker : workers) worker.join();
  CHECK(cache.derivations() == 1);
  for (const auto& mine : asked) {
    CHECK(mine.answers.size() == 100);
    CHECK_FALSE(mine.other_thread);
  }
}

TEST_CASE("the loop goes on while keys are derived") {
  ScramKeyCache cache;
  asio::io_context context(1);
  Asked asked;
  asio::co_spawn(context, ask(cache, "pencil", kSlow, asked.answers, asked.other_thread), asio::detached);
  bool other_work_done = false;
  asio::post(context, [&] { other_work_done = true; });
  while (!other_work_done) context.run_one();
  CHECK(asked.answers.empty());
  context.run();
  CHECK(asked.answers.size() == 1);
}
