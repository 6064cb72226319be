#include "workloads/api/session.hpp"

#include <cassert>
#include <limits>

#include "proto_pg/wire/frontend.hpp"
#include "workloads/api/literal.hpp"

namespace workloads::api {

namespace wire = proto_pg::wire;

namespace {

void put_integer(wire::BindWriter& bind, wire::Oid type, std::int64_t value) {
  switch (type) {
    case wire::oid::kInt8:
      return bind.put_int8(value);
    case wire::oid::kInt4:
      return bind.put_int4(static_cast<std::int32_t>(value));
    case wire::oid::kInt2:
      return bind.put_int2(static_cast<std::int16_t>(value));
    default:
      return bind.put_decimal(value);
  }
}

template <class Integer>
bool fits(std::int64_t value) {
  return value >= std::numeric_limits<Integer>::min() && value <= std::numeric_limits<Integer>::max();
}

/// Binary where the described type has a binary form that the value fits; else text, and the server judges.
wire::Format format_for(wire::Oid type, const Parameter& parameter) {
  if (parameter.kind == Parameter::Kind::text) return wire::Format::text;
  const bool binary = type == wire::oid::kInt8 ||
                      (type == wire::oid::kInt4 && fits<std::int32_t>(parameter.integer)) ||
                      (type == wire::oid::kInt2 && fits<std::int16_t>(parameter.integer));
  return binary ? wire::Format::binary : wire::Format::text;
}

}  // namespace

std::size_t StatementCatalog::size() const {
  std::size_t total = 0;
  for (const auto& list : variants) total += list.size();
  return total;
}

Session::Session(const StatementCatalog& catalog, proto_pg::client::Poller& poller, std::uint64_t seed,
                 std::uint32_t number, std::uint32_t sessions)
    : catalog_(catalog), connection_(poller), random_(seed, number), number_(number), sessions_(sessions) {}

boost::asio::awaitable<Outcome> Session::prepare() {
  Outcome outcome;
  outcome.status = Outcome::Status::good;
  mark_ = Clock::now();
  if (catalog_.protocol != Protocol::prepared) co_return outcome;
  connection_.begin_batch();
  for (const auto& list : catalog_.variants) {
    for (const PreparedStatement& statement : list) {
      connection_.tracker().begin_statement();
      connection_.tracker().expect(wire::Question::parse);
      wire::encode_parse(connection_.out(), statement.name, statement.sql, statement.types);
    }
  }
  connection_.tracker().expect(wire::Question::sync);
  wire::encode_sync(connection_.out());
  link_error_ = co_await connection_.run();
  for (const Outcome& each : connection_.tracker().outcomes()) {
    if (each.status == Outcome::Status::failed) outcome = each;
  }
  if (link_error_) outcome.status = Outcome::Status::lost;
  co_return outcome;
}

void Session::begin_transaction(Clock::time_point dispatch) {
  mark_ = dispatch;
  samples_.clear();
  flight_.clear();
  synced_ = true;
  connection_.begin_batch();
}

void Session::append(StatementId id, std::size_t variant, std::span<const Parameter> parameters) {
  const PreparedStatement& statement = catalog_.variants[id][variant];
  if (flight_.empty()) connection_.begin_batch();
  flight_.push_back(id);
  connection_.tracker().begin_statement();
  switch (catalog_.protocol) {
    case Protocol::prepared:
      append_bind_execute(statement, statement.name, parameters);
      break;
    case Protocol::extended:
      connection_.tracker().expect(wire::Question::parse);
      wire::encode_parse(connection_.out(), {}, statement.sql, statement.types);
      append_bind_execute(statement, {}, parameters);
      break;
    case Protocol::simple:
      append_simple(statement, parameters);
      break;
  }
}

void Session::append_bind_execute(const PreparedStatement& statement, std::string_view name,
                                  std::span<const Parameter> parameters) {
  assert(parameters.size() == statement.types.size());
  formats_.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    formats_[i] = format_for(statement.types[i], parameters[i]);
  wire::SendBuffer& out = connection_.out();
  wire::BindWriter bind(out, name, formats_);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == Parameter::Kind::text) {
      bind.put_text(parameters[i].text);
    } else if (formats_[i] == wire::Format::binary) {
      put_integer(bind, statement.types[i], parameters[i].integer);
    } else {
      bind.put_decimal(parameters[i].integer);
    }
  }
  bind.finish(wire::Format::binary);
  wire::encode_execute(out, {}, 0);
  connection_.tracker().expect(wire::Question::bind);
  connection_.tracker().expect(wire::Question::execute);
  synced_ = false;
}

void Session::append_simple(const PreparedStatement& statement, std::span<const Parameter> parameters) {
  literal_.clear();
  for (std::size_t i = 0; i < statement.literal_pieces.size(); ++i) {
    literal_ += statement.literal_pieces[i];
    if (i < statement.literal_order.size()) append_literal(literal_, parameters[statement.literal_order[i]]);
  }
  connection_.tracker().expect(wire::Question::query);
  wire::encode_query(connection_.out(), literal_);
  synced_ = true;
}

void Session::sync() {
  if (synced_) return;
  connection_.tracker().expect(wire::Question::sync);
  wire::encode_sync(connection_.out());
  synced_ = true;
}

boost::asio::awaitable<Outcome> Session::flush() {
  sync();
  link_error_ = co_await connection_.run();
  co_return note_flight();
}

Outcome Session::note_flight() {
  const Clock::time_point now = Clock::now();
  const bool timed = flight_.size() == 1;
  const std::span<const Outcome> outcomes = connection_.tracker().outcomes();
  Outcome result;
  bool bad = false;
  for (std::size_t i = 0; i < flight_.size(); ++i) {
    StatementSample sample;
    sample.statement = flight_[i];
    sample.timed = timed;
    sample.first_of_flight = i == 0;
    sample.latency = now - mark_;
    sample.outcome = outcomes[i];
    sample.unexpected = outcomes[i].good() && !catalog_.specs[flight_[i]].rows.holds(outcomes[i].rows);
    samples_.push_back(sample);
    if (!bad) result = outcomes[i];
    bad = bad || !outcomes[i].good();
  }
  mark_ = now;
  flight_.clear();
  return result;
}

}  // namespace workloads::api
