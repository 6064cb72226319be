#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "proto_pg/wire/backend.hpp"
#include "proto_pg/wire/outcome.hpp"
#include "proto_pg/wire/server_error.hpp"

namespace proto_pg::wire {

/// What a frontend message asks for, and so which replies it is owed (manual: "Message Flow").
enum class Question : std::uint8_t {
  parse,               ///< ParseComplete
  bind,                ///< BindComplete
  describe_statement,  ///< ParameterDescription, then RowDescription or NoData
  describe_portal,     ///< RowDescription or NoData
  execute,             ///< DataRow*, then CommandComplete, EmptyQueryResponse or PortalSuspended
  close,               ///< CloseComplete
  copy_in_execute,  ///< CopyInResponse, then (after CopyDone) CommandComplete; send the Sync behind CopyDone:
                    ///< inside a COPY the server ignores one
  sync,             ///< ReadyForQuery
  query,            ///< any number of results, then ReadyForQuery (it is its own Sync)
  copy_in_query,    ///< CopyInResponse, then CommandComplete, then ReadyForQuery
};

/// What one reply meant.
enum class Reply : std::uint8_t {
  row,               ///< a valid DataRow; `payload` is for RowView
  row_description,   ///< valid for RowDescriptionView
  parameters,        ///< valid for ParameterDescriptionView
  copy_in_ready,     ///< the server waits for CopyData
  progress,          ///< something owed was paid; nothing to look at
  failed,            ///< ErrorResponse for an open question; `last_error()` has it
  ready,             ///< ReadyForQuery: a Sync (or Query) is answered
  parameter_status,  ///< asynchronous; decode_parameter_status applies
  notice,            ///< asynchronous NoticeResponse
  notification,      ///< asynchronous NotificationResponse
  fatal,             ///< ErrorResponse that no question is open for (57P01 …): the server is about to close
  violation,         ///< not allowed here: the connection is dead
};

/// Judges each reply against the question it answers. After an error it skips to the Sync, as the server
/// does, and marks what was skipped. Sees no socket. Allocates only while its ring grows to the deepest
/// pipeline used.
///
/// A *statement* groups the questions of one execution (Parse? Bind Describe? Execute, or one Query); its
/// Outcome is found under the number that `begin_statement` returned, until `reset`.
///
/// An error belongs to the statement whose question is open. That may be a Sync's: the implicit transaction
/// is committed there, so a deferred constraint or a serialization failure turns a statement that was good
/// already into a failed one (the last before the Sync). Earlier good ones of the same Sync are rolled back
/// by the server, yet stay good here: a workload that needs to know puts a Sync behind each, or BEGIN and
/// COMMIT around them.
///
/// A FATAL error while a question is open is charged to its statement like any other; nothing follows it but
/// the end of the stream, and then `abandon` marks as lost what had not been answered. FATAL with nothing
/// open is Reply::fatal.
class ReplyTracker {
 public:
  /// Opens the next statement (numbers 0, 1, 2 … since the last `reset`). All later `expect` belong to it;
  /// one without any statement is a bug (assert).
  std::size_t begin_statement();
  void expect(Question question);

  /// Every reply goes through here, in the order received. After a violation the connection is to be closed.
  [[nodiscard]] Reply on_message(const Message& message);

  /// Nothing is owed: every Sync was answered.
  bool idle() const { return head_ == tail_; }
  /// Transaction status of the last ReadyForQuery: 'I', 'T' or 'E'; 'I' before the first and after `abandon`.
  char transaction_status() const { return transaction_status_; }

  std::span<const Outcome> outcomes() const { return {outcomes_.data(), statements_}; }
  const ServerError& last_error() const { return last_error_; }
  /// Number of the statement that the last reply was about; asynchronous ones leave it as it was.
  std::size_t statement() const { return statement_; }

  /// Marks everything pending as lost (the link died) and owes nothing any more.
  void abandon();
  /// Forgets outcomes and numbering, keeps the memory. Allowed only when idle (assert). Where the server
  /// skips to a Sync that was not sent yet, it stays so: the next question that counts is that Sync.
  void reset();

 private:
  /// How far the reply sequence of the front question has come.
  enum class Step : std::uint8_t {
    start,
    rows,      ///< execute: a DataRow came; query: RowDescription came
    copy_in,   ///< CopyInResponse came
    copy_out,  ///< CopyOutResponse came
    complete,  ///< nothing but CommandComplete (query, after CopyDone) or RowDescription/NoData (describe)
               ///< fits
    ready,     ///< nothing but ReadyForQuery fits
  };

  struct Expectation {
    Question question;
    Step step;
    std::uint32_t statement;
  };

  Expectation& front() { return ring_[head_ & (ring_.size() - 1)]; }
  bool expects(Question question) { return !idle() && front().question == question; }
  Outcome& outcome_of(const Expectation& expectation);
  void grow_ring();
  Reply pay(Reply meaning = Reply::progress);
  Reply pay_if(bool fits, std::string_view payload);

  Reply on_row(std::string_view payload);
  Reply on_command_complete(std::string_view payload);
  Reply on_ready(std::string_view payload);
  Reply on_other(const Message& message);
  Reply on_row_description(std::string_view payload);
  Reply on_parameter_description(std::string_view payload);
  Reply on_no_data(std::string_view payload);
  Reply on_empty_query(std::string_view payload);
  Reply on_suspended(std::string_view payload);
  Reply on_copy_in(std::string_view payload);
  Reply on_copy_out(const Message& message);
  Reply on_error(std::string_view payload);
  void skip_to_sync();

  std::vector<Expectation> ring_;  ///< power-of-two size; head_ and tail_ count without end
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::vector<Outcome> outcomes_;  ///< the first statements_ are in use
  std::size_t statements_ = 0;
  std::size_t statement_ = 0;
  std::size_t settled_ = 0;  ///< statements below it are not pending any more
  /// The server skips to a Sync that is not in the ring: it has not been announced yet.
  bool sync_missing_ = false;
  char transaction_status_ = 'I';
  ServerError last_error_;
};

}  // namespace proto_pg::wire
