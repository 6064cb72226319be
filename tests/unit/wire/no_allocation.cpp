// Warm, neither building a batch nor judging its replies allocates.

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

#include "proto_pg/wire/frontend.hpp"
#include "tests/unit/wire/replies.hpp"

namespace {
thread_local std::size_t allocations = 0;
}

// Replaced for the whole executable; everything else of the family ends in these.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace proto_pg::wire {
namespace {

using namespace test;
using Q = Question;

constexpr int kDepth = 32;  // statements of a batch, a Sync each

void build(SendBuffer& out, ReplyTracker& tracker) {
  const Format formats[] = {Format::binary, Format::text};
  for (int i = 0; i < kDepth; ++i) {
    tracker.begin_statement();
    BindWriter bind(out, "oltp_point_select", formats);
    bind.put_int8(i);
    bind.put_decimal(i);
    bind.finish(Format::binary);
    encode_execute(out, "", 0);
    encode_sync(out);
    tracker.expect(Q::bind);
    tracker.expect(Q::execute);
    tracker.expect(Q::sync);
  }
}

std::size_t answer(ReplyTracker& tracker, const std::string& stream) {
  std::size_t ready = 0;
  for (std::string_view rest = stream; !rest.empty();) {
    const Framed found = next_message(rest, kMaxReplyBytes);
    if (tracker.on_message(found.message) == Reply::ready) ++ready;
    rest.remove_prefix(found.bytes);
  }
  return ready;
}

TEST_CASE("a warm batch allocates nothing") {
  std::string stream;
  for (int i = 0; i < kDepth; ++i) {
    stream +=
        message('2', "") + message('D', payload_of('D')) + message('C', z("SELECT 1")) + message('Z', "I");
  }
  SendBuffer out;
  ReplyTracker tracker;
  std::size_t counted = 0;
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = allocations;
    out.clear();
    tracker.reset();
    build(out, tracker);
    const std::size_t ready = answer(tracker, stream);
    counted = allocations - before;
    CHECK(ready == kDepth);
    if (round == 0) CHECK(counted > 0);  // the counter counts
  }
  CHECK(counted == 0);
}

}  // namespace
}  // namespace proto_pg::wire
