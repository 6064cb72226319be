#include "proto_pg/wire/reply_tracker.hpp"

#include <algorithm>
#include <cassert>

namespace proto_pg::wire {
namespace {

constexpr std::size_t kFirstRing = 16;  // a transaction of a few statements

bool valid_row_description(std::string_view payload) {
  RowDescriptionView columns(payload);
  while (columns.next()) {
  }
  return !columns.bad();
}

// CopyInResponse and CopyOutResponse: overall format, column count, a format per column.
bool valid_copy_response(std::string_view payload) {
  if (payload.size() < 3) return false;
  return payload.size() == 3 + 2 * std::size_t{load_big_endian<std::uint16_t>(payload.data() + 1)};
}

}  // namespace

std::size_t ReplyTracker::begin_statement() {
  if (statements_ == outcomes_.size()) {
    outcomes_.emplace_back();
  } else {
    outcomes_[statements_] = {};
  }
  return statements_++;
}

void ReplyTracker::expect(Question question) {
  assert(statements_ > 0 && "a question without statement");
  const auto statement = static_cast<std::uint32_t>(statements_ - 1);
  if (sync_missing_) [[unlikely]] {
    if (question != Question::sync) {
      Outcome& outcome = outcomes_[statement];
      if (outcome.status == Outcome::Status::pending) outcome.status = Outcome::Status::skipped;
      return;
    }
    sync_missing_ = false;
  }
  if (tail_ - head_ == ring_.size()) grow_ring();
  ring_[tail_ & (ring_.size() - 1)] = {question, Step::start, statement};
  ++tail_;
}

void ReplyTracker::grow_ring() {
  std::vector<Expectation> larger(std::max(kFirstRing, 2 * ring_.size()));
  for (std::size_t i = head_; i != tail_; ++i)
    larger[i & (larger.size() - 1)] = ring_[i & (ring_.size() - 1)];
  ring_ = std::move(larger);
}

Outcome& ReplyTracker::outcome_of(const Expectation& expectation) {
  statement_ = expectation.statement;
  return outcomes_[expectation.statement];
}

Reply ReplyTracker::pay(Reply meaning) {
  statement_ = front().statement;
  ++head_;
  return meaning;
}

Reply ReplyTracker::pay_if(bool fits, std::string_view payload) {
  return fits && payload.empty() ? pay() : Reply::violation;
}

// The four messages of a prepared statement's execution come first: nearly all traffic is theirs.
Reply ReplyTracker::on_message(const Message& message) {
  switch (message.type) {
    case 'D':
      return on_row(message.payload);
    case 'C':
      return on_command_complete(message.payload);
    case '2':
      return pay_if(expects(Question::bind), message.payload);
    case 'Z':
      return on_ready(message.payload);
    default:
      return on_other(message);
  }
}

// S, N and A may come between any two messages (manual: "Asynchronous Operations") and change nothing here.
Reply ReplyTracker::on_other(const Message& message) {
  switch (message.type) {
    case '1':
      return pay_if(expects(Question::parse), message.payload);
    case '3':
      return pay_if(expects(Question::close), message.payload);
    case 'T':
      return on_row_description(message.payload);
    case 't':
      return on_parameter_description(message.payload);
    case 'n':
      return on_no_data(message.payload);
    case 'I':
      return on_empty_query(message.payload);
    case 's':
      return on_suspended(message.payload);
    case 'E':
      return on_error(message.payload);
    case 'G':
      return on_copy_in(message.payload);
    case 'H':
    case 'd':
    case 'c':
      return on_copy_out(message);
    case 'S':
      return decode_parameter_status(message.payload) ? Reply::parameter_status : Reply::violation;
    case 'N':
      return Reply::notice;
    case 'A':
      return Reply::notification;
    default:
      return Reply::violation;
  }
}

// execute: DataRow* (CommandComplete | EmptyQueryResponse | PortalSuspended)
// query:   (RowDescription DataRow* CommandComplete | …)* ReadyForQuery
Reply ReplyTracker::on_row(std::string_view payload) {
  if (idle()) return Reply::violation;
  Expectation& open = front();
  const bool fits =
      open.question == Question::execute || (open.question == Question::query && open.step == Step::rows);
  if (!fits || !RowView::valid(payload)) return Reply::violation;
  open.step = Step::rows;
  Outcome& outcome = outcome_of(open);
  ++outcome.rows;
  outcome.bytes += kHeaderBytes + payload.size();
  return Reply::row;
}

// execute:         DataRow* CommandComplete
// copy_in_execute: CopyInResponse CommandComplete
// copy_in_query:   CopyInResponse CommandComplete ReadyForQuery
// query:           ((RowDescription DataRow*)? CommandComplete | CopyOutResponse CopyData* CopyDone
// CommandComplete
//                   | EmptyQueryResponse)* ReadyForQuery
// The tag's count is the answer only where no row came: "SELECT 3" repeats what has been counted.
Reply ReplyTracker::on_command_complete(std::string_view payload) {
  if (idle()) return Reply::violation;
  Expectation& open = front();
  const Step step = open.step;
  bool fits = false;
  bool last = true;  // pays the question, otherwise ReadyForQuery does
  switch (open.question) {
    case Question::execute:
      fits = true;
      break;
    case Question::copy_in_execute:
      fits = step == Step::copy_in;
      break;
    case Question::copy_in_query:
      fits = step == Step::copy_in;
      last = false;
      break;
    case Question::query:
      fits = step != Step::copy_out && step != Step::ready;
      last = false;
      break;
    default:
      break;
  }
  const auto count = decode_command_complete(payload);
  if (!fits || !count) return Reply::violation;
  Outcome& outcome = outcome_of(open);
  if (step == Step::start || step == Step::copy_in) outcome.rows += *count;
  if (!last) {
    open.step = open.question == Question::query ? Step::start : Step::ready;
    return Reply::progress;
  }
  if (outcome.status == Outcome::Status::pending) outcome.status = Outcome::Status::good;
  return pay();
}

// sync: ReadyForQuery, also after an error. query, copy_in_query: between two results, or after an error.
// Whatever is still pending up to here executed nothing (Parse, Describe, Close) or was a query: good.
Reply ReplyTracker::on_ready(std::string_view payload) {
  const auto status = decode_ready_for_query(payload);
  if (idle() || !status) return Reply::violation;
  const Expectation& open = front();
  const bool fits = open.question == Question::sync || open.step == Step::ready ||
                    (open.question == Question::query && open.step == Step::start);
  if (!fits) return Reply::violation;
  transaction_status_ = *status;
  for (; settled_ <= open.statement; ++settled_) {
    Outcome& outcome = outcomes_[settled_];
    if (outcome.status == Outcome::Status::pending) outcome.status = Outcome::Status::good;
  }
  return pay(Reply::ready);
}

// describe_statement: ParameterDescription (RowDescription | NoData)
// describe_portal:    (RowDescription | NoData)
// query:              (RowDescription DataRow* CommandComplete | …)* ReadyForQuery
Reply ReplyTracker::on_row_description(std::string_view payload) {
  if (idle() || !valid_row_description(payload)) return Reply::violation;
  Expectation& open = front();
  if (open.question == Question::query && open.step == Step::start) {
    open.step = Step::rows;
    statement_ = open.statement;
    return Reply::row_description;
  }
  const bool described = open.question == Question::describe_portal ||
                         (open.question == Question::describe_statement && open.step == Step::complete);
  return described ? pay(Reply::row_description) : Reply::violation;
}

// describe_statement: ParameterDescription (RowDescription | NoData)
Reply ReplyTracker::on_parameter_description(std::string_view payload) {
  if (!expects(Question::describe_statement) || front().step != Step::start) return Reply::violation;
  if (ParameterDescriptionView(payload).bad()) return Reply::violation;
  front().step = Step::complete;
  statement_ = front().statement;
  return Reply::parameters;
}

// describe_statement: ParameterDescription (RowDescription | NoData)
// describe_portal:    (RowDescription | NoData)
Reply ReplyTracker::on_no_data(std::string_view payload) {
  const bool fits = expects(Question::describe_portal) ||
                    (expects(Question::describe_statement) && front().step == Step::complete);
  return pay_if(fits, payload);
}

// execute: EmptyQueryResponse, alone: a statement of no words succeeds without rows
// query:   EmptyQueryResponse ReadyForQuery
Reply ReplyTracker::on_empty_query(std::string_view payload) {
  const bool fits = expects(Question::execute) || expects(Question::query);
  if (!fits || front().step != Step::start || !payload.empty()) return Reply::violation;
  Outcome& outcome = outcome_of(front());
  if (front().question == Question::query) return Reply::progress;
  if (outcome.status == Outcome::Status::pending) outcome.status = Outcome::Status::good;
  return pay();
}

// execute with a row limit: DataRow* PortalSuspended
Reply ReplyTracker::on_suspended(std::string_view payload) {
  if (!expects(Question::execute) || !payload.empty()) return Reply::violation;
  Outcome& outcome = outcome_of(front());
  if (outcome.status == Outcome::Status::pending) outcome.status = Outcome::Status::good;
  return pay();
}

// copy_in_execute: CopyInResponse CommandComplete
// copy_in_query:   CopyInResponse CommandComplete ReadyForQuery
// To any other question it is a violation: the caller has no rows to give, and the server would wait for
// ever.
Reply ReplyTracker::on_copy_in(std::string_view payload) {
  const bool fits = expects(Question::copy_in_execute) || expects(Question::copy_in_query);
  if (!fits || front().step != Step::start || !valid_copy_response(payload)) return Reply::violation;
  front().step = Step::copy_in;
  statement_ = front().statement;
  return Reply::copy_in_ready;
}

// query: CopyOutResponse CopyData* CopyDone CommandComplete. The lines count as rows, their contents are not
// shown.
Reply ReplyTracker::on_copy_out(const Message& message) {
  if (!expects(Question::query)) return Reply::violation;
  Expectation& open = front();
  Outcome& outcome = outcome_of(open);
  switch (message.type) {
    case 'H':
      if (open.step != Step::start || !valid_copy_response(message.payload)) return Reply::violation;
      open.step = Step::copy_out;
      return Reply::progress;
    case 'd':
      if (open.step != Step::copy_out) return Reply::violation;
      ++outcome.rows;
      outcome.bytes += kHeaderBytes + message.payload.size();
      return Reply::progress;
    default:
      if (open.step != Step::copy_out || !message.payload.empty()) return Reply::violation;
      open.step = Step::complete;
      return Reply::progress;
  }
}

// any question: ErrorResponse, then nothing but the ReadyForQuery of the next Sync. A Query is its own Sync,
// unless it is being skipped: the server then ignores it like everything else up to the Sync. A second error
// before that ReadyForQuery (FATAL: the server shuts down) changes no Outcome.
Reply ReplyTracker::on_error(std::string_view payload) {
  if (!last_error_.assign(payload)) return Reply::violation;
  if (idle()) return Reply::fatal;
  Expectation& open = front();
  Outcome& outcome = outcome_of(open);
  if (open.step == Step::ready && outcome.status != Outcome::Status::pending) return Reply::failed;
  if (outcome.status != Outcome::Status::failed) {
    outcome.status = Outcome::Status::failed;
    outcome.sqlstate = last_error_.sqlstate;
  }
  skip_to_sync();
  return Reply::failed;
}

void ReplyTracker::skip_to_sync() {
  const Question failed = front().question;
  if (failed == Question::query || failed == Question::copy_in_query) {
    front().step = Step::ready;
    return;
  }
  for (; head_ != tail_; ++head_) {
    Outcome& outcome = outcomes_[front().statement];
    if (outcome.status == Outcome::Status::pending) outcome.status = Outcome::Status::skipped;
    if (front().question == Question::sync) {
      front().step = Step::ready;
      return;
    }
  }
  sync_missing_ = true;
}

void ReplyTracker::abandon() {
  for (std::size_t i = 0; i < statements_; ++i) {
    if (outcomes_[i].status == Outcome::Status::pending) outcomes_[i].status = Outcome::Status::lost;
  }
  head_ = tail_;
  sync_missing_ = false;
  transaction_status_ = 'I';
}

void ReplyTracker::reset() {
  assert(idle());
  statements_ = 0;
  statement_ = 0;
  settled_ = 0;
}

}  // namespace proto_pg::wire
