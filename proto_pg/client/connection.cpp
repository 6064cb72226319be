#include "proto_pg/client/connection.hpp"

#include <utility>

#include "proto_pg/wire/frontend.hpp"

namespace proto_pg::client {
namespace {

/// A session that receives without end lets the others have their turn after so many full reads.
constexpr int kReadsPerTurn = 16;

/// What is kept of the memory that a large message needed.
constexpr std::size_t kMaxKeptBytes = std::size_t{1} << 20;

}  // namespace

Connection::Connection(Poller& poller) : stream_(poller), poller_(poller) {}

void Connection::begin_batch() {
  out_.clear();
  sent_ = 0;
  copy_ready_ = refused_ = false;
  tracker_.reset();
}

// The one loop of a connection. After a write it waits first and reads then: a read at once would find
// nothing.
asio::awaitable<std::error_code> Connection::exchange(ReplyVisitor visitor) {
  std::error_code error = link_state();
  received_ = {};
  stands_for_ = 0;
  chosen_ = !stream_.stamped();
  while (!error) {
    if (sent_ < out_.size()) error = flush_some();
    if (!error) error = read_available(visitor);
    if (error || finished()) break;
    const Readiness wanted = sent_ < out_.size() ? Readiness::either : stream_.read_needs();
    co_await stream_.wait(wanted);
    error = interrupted_;
  }
  if (error) error = lose_link(error, visitor);
  if (stands_for_ > 0) report_receipt();
  co_return error;
}

std::error_code Connection::link_state() const {
  if (interrupted_) return interrupted_;
  if (!is_open()) return wire::Errc::connection_closed;
  return out_.error();
}

bool Connection::finished() const {
  if (sent_ < out_.size()) return false;
  switch (goal_) {
    case Goal::answered:
      return tracker_.idle();
    case Goal::copy_begun:
      return copy_ready_ || tracker_.idle();
    case Goal::copy_sent:
      return !refused_ || tracker_.idle();
  }
  return true;
}

std::error_code Connection::flush_some() {
  if (sent_ > 0 && !stream_.writable()) return {};
  const Stream::Transfer transfer = stream_.try_write(out_.view().substr(sent_));
  sent_ += transfer.bytes;
  traffic_.bytes_sent += transfer.bytes;
  return transfer.error;
}

std::error_code Connection::read_available(ReplyVisitor visitor) {
  std::vector<char>& buffer = poller_.read_buffer();
  for (int reads = 0; reads < kReadsPerTurn && stream_.readable(); ++reads) {
    const Stream::Transfer transfer = read_some();
    if (transfer.error) return transfer.error;
    traffic_.bytes_received += transfer.bytes;
    const std::error_code error = consume({buffer.data(), transfer.bytes}, visitor);
    if (error) return error;
    if (tracker_.idle()) break;  // all is answered: an end of the stream behind it is the next batch's
  }
  return {};
}

Stream::Transfer Connection::read_some() {
  if (!chosen_) {
    stands_for_ = poller_.receive_sampler().choose();
    chosen_ = true;
  }
  std::vector<char>& buffer = poller_.read_buffer();
  return stands_for_ > 0 ? stream_.try_read_stamped(buffer, received_) : stream_.try_read(buffer);
}

void Connection::report_receipt() const {
  if (received_.count() > 0 && !broken_) poller_.receive_sampler().handled(received_, stands_for_);
}

// Complete messages are handled where they lie, in the worker's buffer. What is incomplete at the end moves
// to the session's own bytes, and is completed there by the next read; it grows as bytes arrive, whatever its
// length word announces.
std::error_code Connection::consume(std::string_view bytes, ReplyVisitor visitor) {
  while (!bytes.empty()) {
    const bool resumed = !partial_.empty();
    if (resumed) {
      const std::string_view more = bytes.substr(0, partial_needs_ - partial_.size());
      partial_.append(more);
      bytes.remove_prefix(more.size());
      if (partial_.size() < partial_needs_) break;
    }
    const wire::Framed framed = wire::next_message(resumed ? partial_ : bytes, wire::kMaxReplyBytes);
    if (framed.status == wire::Framed::Status::error) return framed.error;
    if (framed.status == wire::Framed::Status::incomplete) {
      partial_needs_ = framed.bytes;
      if (resumed) continue;
      partial_.assign(bytes);
      break;
    }
    const std::error_code error = on_message(framed.message, visitor);
    if (error) return error;
    if (!resumed) {
      bytes.remove_prefix(framed.bytes);
    } else if (partial_.clear(); partial_.capacity() > kMaxKeptBytes) {
      partial_.shrink_to_fit();
    }
  }
  return {};
}

std::error_code Connection::on_message(const wire::Message& message, ReplyVisitor visitor) {
  ++traffic_.messages_received;
  switch (tracker_.on_message(message)) {
    case wire::Reply::row:
      if (visitor.row) visitor.row(visitor.object, tracker_.statement(), wire::RowView(message.payload));
      break;
    case wire::Reply::parameters:
      if (visitor.parameters) {
        visitor.parameters(visitor.object, tracker_.statement(),
                           wire::ParameterDescriptionView(message.payload));
      }
      break;
    case wire::Reply::ready:
      traffic_.transactions_ended += tracker_.transaction_status() == 'I';
      if (visitor.ready) visitor.ready(visitor.object, tracker_.statement());
      break;
    case wire::Reply::copy_in_ready:
      copy_ready_ = true;
      break;
    case wire::Reply::failed:
      refused_ = true;
      break;
    case wire::Reply::parameter_status:
      set_parameter(message.payload);
      break;
    case wire::Reply::fatal:
      return wire::Errc::connection_closed;
    case wire::Reply::violation:
      return wire::Errc::protocol_violation;
    default:
      break;
  }
  return {};
}

void Connection::set_parameter(std::string_view payload) {
  const auto status = wire::decode_parameter_status(payload);
  if (!status) return;
  for (auto& [name, value] : parameters_) {
    if (name != status->name) continue;
    value = status->value;
    return;
  }
  parameters_.emplace_back(status->name, status->value);
}

// A server that closes says why before it does, and our write may notice the end first: so look once for its
// last words.
std::error_code Connection::lose_link(std::error_code error, ReplyVisitor visitor) {
  if (!interrupted_ && is_open() && sent_ < out_.size() && !out_.error()) {
    stream_.probe();
    (void)read_available(visitor);
  }
  tracker_.abandon();
  broken_ = error != out_.error();  // a batch that could not be encoded has sent nothing
  return interrupted_ ? interrupted_ : error;
}

std::optional<std::string_view> Connection::parameter(std::string_view name) const {
  for (const auto& [known, value] : parameters_) {
    if (known == name) return value;
  }
  return std::nullopt;
}

void Connection::interrupt(wire::Errc reason) {
  if (!interrupted_) interrupted_ = reason;
  stream_.shutdown();
}

void Connection::close() {
  if (is_open() && !interrupted_ && tracker_.idle() && sent_ == out_.size()) {
    begin_batch();
    wire::encode_terminate(out_);
    (void)stream_.try_write(out_.view());
    begin_batch();
  }
  stream_.close();
}

asio::awaitable<Connection::Result> Connection::query(std::string sql) {
  Result result;
  begin_batch();
  tracker_.begin_statement();
  tracker_.expect(wire::Question::query);
  wire::encode_query(out_, sql);
  ReplyVisitor visitor;
  visitor.object = &result.rows;
  visitor.row = [](void* object, std::size_t, wire::RowView columns) {
    std::vector<std::optional<std::string>> row(columns.size());
    for (auto& value : row) value = columns.next();
    static_cast<decltype(result.rows)*>(object)->push_back(std::move(row));
  };
  goal_ = Goal::answered;
  const std::error_code error = co_await exchange(visitor);
  auto rows = std::move(result.rows);
  result = result_of(error);
  result.rows = std::move(rows);
  co_return result;
}

Connection::Result Connection::result_of(std::error_code error) const {
  Result result;
  result.error = error;
  if (refused_) result.server_error = tracker_.last_error();
  return result;
}

}  // namespace proto_pg::client
