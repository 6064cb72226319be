// When the kernel received a reply, and how long the client took to handle it.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "tests/integration/client.hpp"
#include "tests/integration/statements.hpp"
#include "tests/support/backend_messages.hpp"
#include "tests/support/fake_server.hpp"

namespace {

using namespace std::chrono_literals;
using namespace support::backend;
using integration::add_statement;
using integration::add_sync;
using proto_pg::client::ReplyVisitor;
using std::chrono::system_clock;
using support::FakeServer;
using support::FakeSession;

/// What the sampler handed over; handled - received.
struct Errors {
  std::vector<std::chrono::nanoseconds> list;
};

void note(void* object, std::chrono::nanoseconds received, std::uint32_t) {
  static_cast<Errors*>(object)->list.push_back(system_clock::now().time_since_epoch() - received);
}

struct Sampled : integration::Client {
  Errors errors;

  explicit Sampled(const FakeServer& fake)
      : Client(integration::conninfo(fake.port(), "u", "sslmode=disable")) {
    loop().poller().receive_sampler().start(1, &errors, note);
    open();
    INFO(failure().text);
    REQUIRE(!failure().failed());
  }
  void ask(ReplyVisitor visitor = {}) {
    connection().begin_batch();
    add_statement(connection(), "select 1");
    add_sync(connection());
    REQUIRE(!run(visitor));
  }
};

/// Answers whatever is asked after `delay`.
FakeServer::Script answering_after(std::chrono::milliseconds delay) {
  return [=](FakeSession& session) {
    session.accept_startup(welcome());
    while (true) {
      session.expect_until('S');
      std::this_thread::sleep_for(delay);  // the server's time, which must not count
      session.send(parse_complete() + bind_complete() + row_description({{"a"}}) + data_row({"1"}) +
                   command_complete("SELECT 1") + ready());
    }
  };
}

// The kernel begins to stamp a moment after it was asked to: in a task of its own, which a busy machine
// delays.
void wait_for_stamps(Sampled& client) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (client.errors.list.empty() && std::chrono::steady_clock::now() < deadline) client.ask();
  REQUIRE(!client.errors.list.empty());
  client.errors.list.clear();
}

TEST_CASE("the server's time is not the client's") {
  FakeServer fake(answering_after(30ms));
  Sampled client(fake);
  wait_for_stamps(client);
  for (int i = 0; i < 10; ++i) client.ask();
  REQUIRE(client.errors.list.size() == 10);
  for (const auto error : client.errors.list) CHECK(error > 0ns);
  std::ranges::sort(client.errors.list);
  CHECK(client.errors.list[5] < 15ms);
}

TEST_CASE("the client's time is the client's") {
  FakeServer fake(answering_after(0ms));
  Sampled client(fake);
  wait_for_stamps(client);
  ReplyVisitor slow;
  slow.row = [](void*, std::size_t, proto_pg::wire::RowView) {
    const auto end = std::chrono::steady_clock::now() + 20ms;
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  client.ask(slow);
  REQUIRE(client.errors.list.size() == 1);
  CHECK(client.errors.list[0] >= 20ms);
}

}  // namespace
