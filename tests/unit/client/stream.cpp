#include "proto_pg/client/stream.hpp"

#include <doctest/doctest.h>

#include <string>
#include <thread>

#include "proto_pg/wire/errc.hpp"
#include "tests/unit/client/sockets.hpp"

using namespace proto_pg::client;
using proto_pg::wire::Errc;
using sockets::Pair;

namespace {

struct Rig {
  asio::io_context context{1};
  Poller poller{context};
  Pair pair;
  Stream stream{poller};

  Rig() { REQUIRE(!stream.open(pair.ours)); }
};

/// Everything until the stream ends; `why` it ended.
asio::awaitable<void> read_to_end(Stream& stream, std::string& all, std::error_code& why) {
  char buffer[1024];
  while (!why) {
    if (!stream.readable()) co_await stream.wait(stream.read_needs());
    const auto transfer = stream.try_read(buffer);
    all.append(buffer, transfer.bytes);
    why = transfer.error;
  }
}

asio::awaitable<void> write_everything(Stream& stream, std::string_view bytes, int& blocked) {
  while (!bytes.empty()) {
    const auto transfer = stream.try_write(bytes);
    if (transfer.error) co_return;
    bytes.remove_prefix(transfer.bytes);
    if (!transfer.would_block) continue;
    ++blocked;
    co_await stream.wait(Readiness::writable);
  }
  stream.shutdown();
}

std::string numbered(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + ' ';
  return text;
}

}  // namespace

TEST_CASE("data and end that arrive together are both seen") {
  Rig rig;
  REQUIRE(::send(rig.pair.peer, "hello", 5, 0) == 5);
  SUBCASE("the peer still listens") { ::shutdown(rig.pair.peer, SHUT_WR); }
  SUBCASE("the peer is gone") { rig.pair.close_peer(); }
  std::string all;
  std::error_code why;
  sockets::spawn(rig.context, read_to_end(rig.stream, all, why));
  rig.context.run();
  CHECK(all == "hello");
  CHECK(why == Errc::connection_closed);
}

TEST_CASE("a long text arrives whole, in whatever pieces the peer writes") {
  Rig rig;
  const std::string sent = numbered(3'000'000);
  std::string all;
  std::error_code why;
  std::thread peer([&] {
    std::size_t done = 0;
    for (std::size_t piece = 1; done < sent.size(); piece = piece * 7 % 4099 + 1)
      done += static_cast<std::size_t>(
          std::max<ssize_t>(0, ::send(rig.pair.peer, &sent[done], std::min(piece, sent.size() - done), 0)));
    ::shutdown(rig.pair.peer, SHUT_WR);
  });
  sockets::spawn(rig.context, read_to_end(rig.stream, all, why));
  rig.context.run();
  peer.join();
  CHECK(all == sent);
  CHECK(why == Errc::connection_closed);
}

TEST_CASE("a write that the peer is slow to take goes on where it stopped") {
  Rig rig;
  const std::string sent = numbered(3'000'000);
  std::string got;
  int blocked = 0;
  std::thread peer([&] {
    char buffer[777];
    for (ssize_t count; (count = ::recv(rig.pair.peer, buffer, sizeof buffer, 0)) > 0;)
      got.append(buffer, static_cast<std::size_t>(count));
  });
  sockets::spawn(rig.context, write_everything(rig.stream, sent, blocked));
  rig.context.run();
  peer.join();
  CHECK(got == sent);
  CHECK(blocked > 0);
}

TEST_CASE("shutdown ends a waiting reader; the descriptor stays open until its owner closes it") {
  Rig rig;
  std::string all;
  std::error_code why;
  sockets::spawn(rig.context, read_to_end(rig.stream, all, why));
  rig.context.poll();
  CHECK(!why);
  rig.stream.shutdown();
  rig.context.run();
  CHECK(why == Errc::connection_closed);
  CHECK(rig.stream.is_open());
  CHECK(rig.stream.shut_down());
}

TEST_CASE("a socket opened after a shutdown is shut down too, until reset") {
  Rig rig;
  rig.stream.close();
  rig.stream.shutdown();
  Pair second, third;
  char byte = 0;
  REQUIRE(!rig.stream.open(second.ours));
  CHECK(rig.stream.try_read({&byte, 1}).error == Errc::connection_closed);
  rig.stream.close();
  rig.stream.reset();
  REQUIRE(!rig.stream.open(third.ours));
  CHECK(rig.stream.try_read({&byte, 1}).would_block);
}

TEST_CASE("writing to a peer that is gone is an error, not a signal") {
  Rig rig;
  rig.pair.close_peer();
  const auto transfer = rig.stream.try_write("x");
  CHECK(transfer.error == std::errc::broken_pipe);
}
