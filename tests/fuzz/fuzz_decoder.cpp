// Any bytes from a server must end in a judgement, never in a crash: framing, every decoder, the
// ReplyTracker.
//
// Input: a byte with the number of questions (low 5 bits), a byte for each question (low 4 bits: which,
// modulo their number; high bit: it opens a new statement), then what the server sends.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "proto_pg/wire/backend.hpp"
#include "proto_pg/wire/reply_tracker.hpp"
#include "proto_pg/wire/server_error.hpp"

namespace {

using namespace proto_pg::wire;

constexpr unsigned kQuestions = static_cast<unsigned>(Question::copy_in_query) + 1;

/// A broken invariant must stop the fuzzer in every kind of build, so no assert.
void require(bool holds) {
  if (!holds) std::abort();
}

/// Reads every byte: a view that leaves the input is the sanitizer's to find.
unsigned touch(std::string_view bytes) {
  unsigned sum = 0;
  for (const char c : bytes) sum += static_cast<unsigned char>(c);
  return sum;
}

void decode_everything(std::string_view payload) {
  volatile unsigned sink = 0;
  if (RowView::valid(payload)) {
    RowView row(payload);
    for (std::size_t i = 0; i < row.size(); ++i) sink = sink + touch(row.next().value_or(std::string_view{}));
  }
  RowDescriptionView columns(payload);
  while (const auto column = columns.next()) sink = sink + touch(column->name);
  ParameterDescriptionView parameters(payload);
  while (const auto type = parameters.next()) sink = sink + *type;
  if (const auto status = decode_parameter_status(payload))
    sink = sink + touch(status->name) + touch(status->value);
  if (const auto key = decode_backend_key_data(payload)) sink = sink + touch(key->secret_key);
  sink = sink + static_cast<unsigned>(decode_ready_for_query(payload).value_or('I'));
  sink = sink + static_cast<unsigned>(decode_command_complete(payload).value_or(0));
  static ServerError error;  // reused, as a connection does
  const bool well_formed = error.assign(payload);
  sink = sink + (well_formed ? 1U : 0U);
  require(error.message.size() <= ServerError::kMaxFieldBytes);
}

std::string_view ask(ReplyTracker& tracker, std::string_view input) {
  tracker.begin_statement();
  std::size_t count = input.empty() ? 0 : static_cast<unsigned char>(input.front()) & 0x1f;
  input.remove_prefix(input.empty() ? 0 : 1);
  for (; count > 0 && !input.empty(); --count, input.remove_prefix(1)) {
    const unsigned code = static_cast<unsigned char>(input.front());
    if (code & 0x80) tracker.begin_statement();
    tracker.expect(static_cast<Question>((code & 0x0f) % kQuestions));
  }
  return input;
}

void answer(ReplyTracker& tracker, std::string_view stream) {
  for (;;) {
    const Framed found = next_message(stream, kMaxReplyBytes);
    if (found.status != Framed::Status::complete) {
      require(found.status == Framed::Status::error || found.bytes > stream.size());
      return;
    }
    require(found.bytes == kHeaderBytes + found.message.payload.size());
    // A copy of its own, so that a read behind the payload is not hidden by the next message.
    const std::vector<char> copy(found.message.payload.begin(), found.message.payload.end());
    const std::string_view payload(copy.data(), copy.size());
    decode_everything(payload);
    const Reply reply = tracker.on_message(Message{found.message.type, payload});
    require(tracker.statement() < tracker.outcomes().size());
    if (reply == Reply::row) require(RowView::valid(payload));
    if (reply == Reply::violation) return;
    stream.remove_prefix(found.bytes);
  }
}

bool none_pending(const ReplyTracker& tracker) {
  for (const Outcome& outcome : tracker.outcomes()) {
    if (outcome.status == Outcome::Status::pending) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  ReplyTracker tracker;
  const std::string_view stream = ask(tracker, input);
  answer(tracker, stream);

  // The next batch on the same tracker, then a Sync: whatever came before, it aligns again or is lost.
  if (tracker.idle()) tracker.reset();
  ask(tracker, input);
  tracker.expect(Question::sync);
  require(!tracker.idle());
  answer(tracker, stream);
  const std::size_t statements = tracker.outcomes().size();
  tracker.abandon();
  require(tracker.idle() && none_pending(tracker) && tracker.outcomes().size() == statements);
  return 0;
}
