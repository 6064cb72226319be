#include "workloads/api/session.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
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
    : catalog_(catalog),
      connection_(poller),
      random_(seed, number),
      seed_(seed),
      number_(number),
      sessions_(sessions) {}

boost::asio::awaitable<Outcome> Session::prepare() {
  Outcome outcome;
  outcome.status = Outcome::Status::good;
  mark_ = Clock::now();
  if (catalog_.protocol != Protocol::prepared) co_return outcome;
  connection_.begin_batch();
  for (std::size_t id = 0; id < catalog_.variants.size(); ++id) {
    for (std::size_t variant = 0; variant < catalog_.variants[id].size(); ++variant) {
      if (catalog_.specs[id].sending != Sending::as_asked) break;
      if (state_ && !state_->sends(static_cast<StatementId>(id), variant)) continue;
      const PreparedStatement& statement = catalog_.variants[id][variant];
      connection_.tracker().begin_statement();
      connection_.tracker().expect(wire::Question::parse);
      wire::encode_parse(connection_.out(), statement.name, statement.sql, statement.types);
    }
  }
  if (connection_.out().empty()) co_return outcome;
  connection_.tracker().expect(wire::Question::sync);
  wire::encode_sync(connection_.out());
  link_error_ = co_await connection_.run();
  for (const Outcome& each : connection_.tracker().outcomes()) {
    if (each.status == Outcome::Status::failed) outcome = each;
  }
  if (link_error_) outcome.status = Outcome::Status::lost;
  mark_ = Clock::now();
  co_return outcome;
}

void Session::begin_transaction(Clock::time_point dispatch) {
  mark_ = dispatch;
  samples_.clear();
  steps_.clear();
  script_.clear();
}

void Session::begin_retry(Clock::time_point now) {
  mark_ = now;
  samples_.clear();
  for (Step& step : steps_) {
    if (step.state == Step::State::bad) step.state = Step::State::waiting;
  }
}

void Session::append(StatementId id, std::size_t variant, std::span<const Parameter> parameters) {
  const PreparedStatement& statement = catalog_.variants[id][variant];
  const std::size_t begin = script_.size();
  const bool literals =
      catalog_.protocol == Protocol::simple || catalog_.specs[id].sending == Sending::literals;
  if (literals) {
    append_simple(statement, parameters);
  } else if (catalog_.protocol == Protocol::prepared) {
    append_bind_execute(statement, statement.name, parameters);
  } else {
    wire::encode_parse(script_, {}, statement.sql, statement.types);
    append_bind_execute(statement, {}, parameters);
  }
  add_step(id, begin, literals);
}

void Session::add_query(StatementId id, std::string_view sql) {
  const std::size_t begin = script_.size();
  wire::encode_query(script_, sql);
  add_step(id, begin, true);
}

void Session::add_step(StatementId id, std::size_t begin, bool query) {
  // A Query does not fit into the middle of a flight that an error would make the server skip.
  if (query) sync();
  Step& step = steps_.emplace_back();
  step.statement = id;
  step.query = query;
  step.begin = begin;
  step.end = script_.size();
  step.messages = query ? 1 : catalog_.protocol == Protocol::extended ? 3 : 2;  // (Parse,) Bind, Execute
}

void Session::append_bind_execute(const PreparedStatement& statement, std::string_view name,
                                  std::span<const Parameter> parameters) {
  assert(parameters.size() == statement.types.size());
  formats_.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    formats_[i] = format_for(statement.types[i], parameters[i]);
  wire::BindWriter bind(script_, name, formats_);
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
  wire::encode_execute(script_, {}, 0);
}

void Session::append_simple(const PreparedStatement& statement, std::span<const Parameter> parameters) {
  literal_.clear();
  for (std::size_t i = 0; i < statement.literal_pieces.size(); ++i) {
    literal_ += statement.literal_pieces[i];
    if (i == statement.literal_order.size()) break;
    append_literal(literal_, parameters[statement.literal_order[i]]);
  }
  wire::encode_query(script_, literal_);
}

void Session::sync() {
  if (!steps_.empty()) steps_.back().sync_after = true;
}

void Session::begin_flight() {
  connection_.begin_batch();
  if (script_.error()) connection_.out().fail(static_cast<wire::Errc>(script_.error().value()));
}

void Session::send(Step& step, bool sync) {
  using wire::Question;
  wire::ReplyTracker& tracker = connection_.tracker();
  tracker.begin_statement();
  if (step.query) {
    tracker.expect(Question::query);
  } else {
    if (catalog_.protocol == Protocol::extended) tracker.expect(Question::parse);
    tracker.expect(Question::bind);
    tracker.expect(Question::execute);
  }
  connection_.out().put_whole_messages(script_.view().substr(step.begin, step.end - step.begin),
                                       step.messages);
  step.state = Step::State::sent;
  if (step.query || !sync) return;
  tracker.expect(Question::sync);
  wire::encode_sync(connection_.out());
}

boost::asio::awaitable<Outcome> Session::flush() {
  begin_flight();
  sync();
  for (Step& step : steps_) {
    if (step.state == Step::State::waiting) send(step, step.sync_after);
  }
  link_error_ = {};
  if (!connection_.tracker().idle()) link_error_ = co_await connection_.run();
  co_return note_flight();
}

boost::asio::awaitable<Outcome> Session::play() {
  Outcome outcome;
  outcome.status = Outcome::Status::good;
  if (pipeline_ > 0 || steps_.empty()) {
    outcome = co_await flush();
    co_return outcome;
  }
  for (std::size_t i = 0; i < steps_.size() && outcome.good(); ++i) {
    if (steps_[i].state != Step::State::waiting) continue;
    begin_flight();
    send(steps_[i], true);
    link_error_ = co_await connection_.run();
    outcome = note_flight();
  }
  co_return outcome;
}

boost::asio::awaitable<void> Session::pause(Clock::duration length) {
  const auto executor = co_await boost::asio::this_coro::executor;
  boost::asio::steady_timer timer(executor, length);
  boost::system::error_code woken;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, woken));
  mark_ = Clock::now();
}

/// Of what was sent and is not noted yet.
Outcome Session::note_flight() {
  const Clock::time_point now = Clock::now();
  const std::span<const Outcome> outcomes = connection_.tracker().outcomes();
  Outcome result;
  result.status = Outcome::Status::good;
  std::size_t seen = 0;
  for (Step& step : steps_) {
    if (step.state != Step::State::sent) continue;
    const Outcome& outcome = outcomes[seen];
    StatementSample& sample = samples_.emplace_back();
    sample.statement = step.statement;
    sample.timed = outcomes.size() == 1;
    sample.first_of_flight = seen == 0;
    sample.latency = now - mark_;
    sample.outcome = outcome;
    sample.unexpected = outcome.good() && !catalog_.specs[step.statement].rows.holds(outcome.rows);
    step.state = outcome.good() ? Step::State::good : Step::State::bad;
    if (result.good()) result = outcome;
    ++seen;
  }
  mark_ = now;
  return result;
}

}  // namespace workloads::api
