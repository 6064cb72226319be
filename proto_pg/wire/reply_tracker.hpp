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
  copy_in_execute,     ///< CopyInResponse, then (after CopyDone) CommandComplete
  sync,                ///< ReadyForQuery
  query,               ///< any number of results, then ReadyForQuery (it is its own Sync)
  copy_in_query,       ///< CopyInResponse, then CommandComplete, then ReadyForQuery
};

/// What one reply meant.
enum class Reply : std::uint8_t {
  row,              ///< a valid DataRow; `payload` is for RowView
  row_description,  ///< valid for RowDescriptionView
  parameters,       ///< valid for ParameterDescriptionView
  copy_in_ready,    ///< the server waits for CopyData
  progress,         ///< something owed was paid; nothing to look at
  failed,           ///< ErrorResponse for an open statement; `last_error()` has it
  ready,            ///< ReadyForQuery: a Sync (or Query) is answered
  parameter_status, ///< asynchronous; decode_parameter_status applies
  notice,           ///< asynchronous NoticeResponse
  notification,     ///< asynchronous NotificationResponse
  fatal,            ///< ErrorResponse that no question is open for (57P01 …): the server is about to close
  violation,        ///< not allowed here: the connection is dead
};

/// Judges each reply against the question it answers. After an error it skips to the Sync, as the server does,
/// and marks what was skipped. Sees no socket. Allocates only while its ring grows to the deepest pipeline used.
///
/// A *statement* groups the questions of one execution (Parse? Bind Describe? Execute, or one Query); its
/// Outcome is found under the number that `begin_statement` returned, until `reset`.
class ReplyTracker {
 public:
  /// Opens the next statement (numbers 0, 1, 2 … since the last `reset`). All later `expect` belong to it.
  std::size_t begin_statement();
  void expect(Question question);

  /// Every reply goes through here, in the order received.
  [[nodiscard]] Reply on_message(const Message& message);

  /// Nothing is owed: every Sync was answered.
  bool idle() const { return head_ == tail_; }
  /// Transaction status of the last ReadyForQuery: 'I', 'T' or 'E'; 'I' before the first.
  char transaction_status() const { return transaction_status_; }

  std::span<const Outcome> outcomes() const { return {outcomes_.data(), statements_}; }
  const ServerError& last_error() const { return last_error_; }
  /// Number of the statement that the last `on_message` was about.
  std::size_t statement() const { return statement_; }

  /// Marks everything pending as lost (the link died) and owes nothing any more.
  void abandon();
  /// Forgets outcomes and numbering. Allowed only when idle.
  void reset();

 private:
  struct Expectation {
    Question question;
    std::uint8_t step;        ///< how far its reply sequence has come
    std::uint32_t statement;
  };

  Expectation& front();
  Reply on_error(const Message& message);
  Reply on_ready(const Message& message);
  Reply answer(const Message& message);
  void pay();

  std::vector<Expectation> ring_;  ///< power-of-two size
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::vector<Outcome> outcomes_;
  std::size_t statements_ = 0;
  std::size_t statement_ = 0;
  bool skipping_ = false;
  char transaction_status_ = 'I';
  ServerError last_error_;
};

}  // namespace proto_pg::wire
