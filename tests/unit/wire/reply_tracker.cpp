#include "proto_pg/wire/reply_tracker.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/unit/wire/replies.hpp"

namespace proto_pg::wire {
namespace {

using namespace test;
using Status = Outcome::Status;
using Q = Question;

const Outcome& outcome(const ReplyTracker& tracker, std::size_t number) { return tracker.outcomes()[number]; }

/// The statement of the hot path, with a Sync of its own.
std::size_t ask_synced(ReplyTracker& tracker) { return ask(tracker, {Q::bind, Q::execute, Q::sync}); }

TEST_CASE("a prepared statement with rows") {
  ReplyTracker tracker;
  CHECK(tracker.idle());
  ask_synced(tracker);
  CHECK_FALSE(tracker.idle());
  CHECK(feed_all(tracker, "2D") == Reply::row);
  CHECK(tracker.statement() == 0);
  CHECK(outcome(tracker, 0).status == Status::pending);
  CHECK(feed(tracker, 'D') == Reply::row);
  CHECK(feed(tracker, 'C', z("SELECT 2")) == Reply::progress);
  CHECK(outcome(tracker, 0).good());
  CHECK(feed(tracker, 'Z', "T") == Reply::ready);
  CHECK(tracker.transaction_status() == 'T');
  CHECK(tracker.idle());
  CHECK(outcome(tracker, 0).rows == 2);
  CHECK(outcome(tracker, 0).bytes == 2 * message('D', payload_of('D')).size());
  CHECK(outcome(tracker, 0).sqlstate.ok());
}

TEST_CASE("without rows the command tag counts") {
  ReplyTracker tracker;
  ask_synced(tracker);
  feed_all(tracker, "2CZ");
  CHECK(outcome(tracker, 0).rows == 3);
  CHECK(outcome(tracker, 0).bytes == 0);
}

TEST_CASE("an empty statement and a suspended portal are good") {
  ReplyTracker tracker;
  ask(tracker, {Q::execute});
  ask(tracker, {Q::execute, Q::sync});
  CHECK(feed(tracker, 'I') == Reply::progress);
  CHECK(outcome(tracker, 0).good());
  CHECK(feed_all(tracker, "DDs") == Reply::progress);
  CHECK(outcome(tracker, 1).good());
  CHECK(outcome(tracker, 1).rows == 2);
}

TEST_CASE("a statement that executes nothing is good at its Sync") {
  ReplyTracker tracker;
  ask(tracker, {Q::parse, Q::describe_statement, Q::sync});
  feed_all(tracker, "1tn");
  CHECK(outcome(tracker, 0).status == Status::pending);
  feed(tracker, 'Z');
  CHECK(outcome(tracker, 0).good());
}

TEST_CASE("an error in statement 1 of 5: one failed, three skipped, then aligned again") {
  ReplyTracker tracker;
  for (int i = 0; i < 5; ++i) ask(tracker, {Q::bind, Q::execute});
  tracker.expect(Q::sync);
  ask_synced(tracker);
  feed_all(tracker, "2DC");
  feed(tracker, '2');
  CHECK(feed(tracker, 'E', error_payload("40P01")) == Reply::failed);
  CHECK(tracker.statement() == 1);
  CHECK(tracker.last_error().sqlstate == sqlstate::kDeadlockDetected);
  CHECK(feed(tracker, 'Z', "I") == Reply::ready);
  CHECK(tracker.statement() == 4);
  CHECK(feed_all(tracker, "2DDCZ") == Reply::ready);
  CHECK(tracker.idle());
  CHECK(outcome(tracker, 0).good());
  CHECK(outcome(tracker, 1).status == Status::failed);
  CHECK(outcome(tracker, 1).sqlstate == sqlstate::kDeadlockDetected);
  for (std::size_t i = 2; i < 5; ++i) CHECK(outcome(tracker, i).status == Status::skipped);
  CHECK(outcome(tracker, 5).good());
  CHECK(outcome(tracker, 5).rows == 2);
}

// The server ignores a Query, too, until the Sync: there is no ReadyForQuery of its own to wait for.
TEST_CASE("a Query between an error and its Sync is skipped") {
  ReplyTracker tracker;
  ask(tracker, {Q::bind, Q::execute});
  ask(tracker, {Q::query});
  ask(tracker, {Q::copy_in_query});
  ask_synced(tracker);
  CHECK(feed_all(tracker, "2EZ") == Reply::ready);
  CHECK(tracker.idle());
  for (std::size_t i = 1; i < 4; ++i) CHECK(outcome(tracker, i).status == Status::skipped);
}

TEST_CASE("with a Sync each, only the failing statement fails") {
  ReplyTracker tracker;
  for (int i = 0; i < 3; ++i) ask_synced(tracker);
  feed_all(tracker, "2CZ2EZ2CZ");
  CHECK(outcome(tracker, 0).good());
  CHECK(outcome(tracker, 1).status == Status::failed);
  CHECK(outcome(tracker, 2).good());
  CHECK(tracker.idle());
}

TEST_CASE("an error at the Sync: the commit failed, and with it the last statement") {
  ReplyTracker tracker;
  ask_synced(tracker);
  ask_synced(tracker);
  CHECK(feed_all(tracker, "2CE") == Reply::failed);
  CHECK(outcome(tracker, 0).status == Status::failed);
  CHECK(outcome(tracker, 0).sqlstate == sqlstate::kSerializationFailure);
  CHECK(feed_all(tracker, "Z2CZ") == Reply::ready);
  CHECK(outcome(tracker, 1).good());
}

TEST_CASE("a second error before the Sync changes no outcome") {
  ReplyTracker tracker;
  ask(tracker, {Q::bind, Q::execute});
  ask_synced(tracker);
  feed(tracker, 'E', error_payload("23505"));
  CHECK(feed(tracker, 'E', error_payload("57P01", "FATAL")) == Reply::failed);
  CHECK(outcome(tracker, 0).sqlstate == SqlState::parse("23505"));
  CHECK(outcome(tracker, 1).status == Status::skipped);
  CHECK(tracker.last_error().severity == "FATAL");
}

TEST_CASE("FATAL with a question open fails its statement; the end of the stream loses the rest") {
  ReplyTracker tracker;
  ask_synced(tracker);
  ask_synced(tracker);
  CHECK(feed(tracker, 'E', error_payload("57P01", "FATAL")) == Reply::failed);
  tracker.abandon();
  CHECK(tracker.idle());
  CHECK(outcome(tracker, 0).status == Status::failed);
  CHECK(outcome(tracker, 0).sqlstate == SqlState::parse("57P01"));
  CHECK(outcome(tracker, 1).status == Status::lost);
}

TEST_CASE("an error with nothing open is fatal") {
  ReplyTracker tracker;
  ask_synced(tracker);
  feed_all(tracker, "2CZ");
  CHECK(feed(tracker, 'E', error_payload("57P01", "FATAL")) == Reply::fatal);
  CHECK(outcome(tracker, 0).good());
  CHECK(tracker.last_error().sqlstate == SqlState::parse("57P01"));
}

TEST_CASE("an error without a code still fails") {
  ReplyTracker tracker;
  ask_synced(tracker);
  CHECK(feed(tracker, 'E', std::string(1, '\0')) == Reply::failed);
  CHECK(outcome(tracker, 0).status == Status::failed);
  CHECK(outcome(tracker, 0).sqlstate == SqlState::missing());
}

TEST_CASE("a Query of several statements: rows sum, good at ReadyForQuery") {
  ReplyTracker tracker;
  ask(tracker, {Q::query});
  feed_all(tracker, "TDD");
  feed(tracker, 'C', z("SELECT 2"));
  feed(tracker, 'C', z("UPDATE 3"));
  feed_all(tracker, "T");
  feed(tracker, 'C', z("SELECT 0"));
  CHECK(feed(tracker, 'I') == Reply::progress);
  CHECK(outcome(tracker, 0).status == Status::pending);
  CHECK(feed(tracker, 'Z') == Reply::ready);
  CHECK(outcome(tracker, 0).good());
  CHECK(outcome(tracker, 0).rows == 5);
}

TEST_CASE("a Query that fails half-way ends at its own ReadyForQuery") {
  ReplyTracker tracker;
  ask(tracker, {Q::query});
  ask(tracker, {Q::query});
  feed_all(tracker, "CTDE");
  CHECK(feed(tracker, 'Z', "E") == Reply::ready);
  CHECK(tracker.transaction_status() == 'E');
  CHECK(outcome(tracker, 0).status == Status::failed);
  CHECK(outcome(tracker, 0).rows == 4);
  CHECK(feed_all(tracker, "CZ") == Reply::ready);
  CHECK(outcome(tracker, 1).good());
}

TEST_CASE("COPY out of a Query counts its lines once") {
  ReplyTracker tracker;
  ask(tracker, {Q::query});
  feed_all(tracker, "Hddc");
  feed(tracker, 'C', z("COPY 2"));
  feed(tracker, 'Z');
  CHECK(outcome(tracker, 0).good());
  CHECK(outcome(tracker, 0).rows == 2);
  CHECK(outcome(tracker, 0).bytes == 2 * message('d', payload_of('d')).size());
}

TEST_CASE("COPY in, both ways") {
  ReplyTracker tracker;
  ask(tracker, {Q::copy_in_query});
  CHECK(feed(tracker, 'G') == Reply::copy_in_ready);
  feed(tracker, 'C', z("COPY 7"));
  CHECK(outcome(tracker, 0).status == Status::pending);
  CHECK(feed(tracker, 'Z') == Reply::ready);
  ask(tracker, {Q::bind, Q::copy_in_execute, Q::sync});
  CHECK(feed_all(tracker, "2G") == Reply::copy_in_ready);
  feed(tracker, 'C', z("COPY 8"));
  CHECK(feed(tracker, 'Z') == Reply::ready);
  CHECK(outcome(tracker, 0).rows == 7);
  CHECK(outcome(tracker, 1).rows == 8);
  CHECK(outcome(tracker, 0).good());
  CHECK(outcome(tracker, 1).good());
}

TEST_CASE("COPY in: the server stops half-way, the session goes on") {
  ReplyTracker tracker;
  ask(tracker, {Q::copy_in_query});
  CHECK(feed_all(tracker, "GE") == Reply::failed);
  CHECK_FALSE(tracker.idle());
  CHECK(feed(tracker, 'Z') == Reply::ready);

  ask(tracker, {Q::bind, Q::copy_in_execute});  // its Sync would be sent behind CopyDone
  CHECK(feed_all(tracker, "2GE") == Reply::failed);
  CHECK(tracker.idle());
  tracker.expect(Q::sync);
  CHECK_FALSE(tracker.idle());
  CHECK(feed(tracker, 'Z') == Reply::ready);
  CHECK(outcome(tracker, 0).status == Status::failed);
  CHECK(outcome(tracker, 1).status == Status::failed);
}

TEST_CASE("where the Sync was not sent yet, all that is asked before it is skipped") {
  ReplyTracker tracker;
  ask(tracker, {Q::bind, Q::execute});
  feed(tracker, 'E');
  CHECK(tracker.idle());
  tracker.reset();
  ask(tracker, {Q::bind, Q::execute});
  ask(tracker, {Q::query});
  CHECK(tracker.idle());
  ask_synced(tracker);
  ask_synced(tracker);
  CHECK(feed(tracker, 'Z') == Reply::ready);
  for (std::size_t i = 0; i < 3; ++i) CHECK(outcome(tracker, i).status == Status::skipped);
  CHECK(feed_all(tracker, "2CZ") == Reply::ready);
  CHECK(outcome(tracker, 3).good());
}

TEST_CASE("the ring grows in the middle of a pipeline and keeps the order") {
  ReplyTracker tracker;
  std::size_t asked = 0;
  std::size_t answered = 0;
  // Two asked for one answered: head and tail stand anywhere when the ring is full.
  for (int i = 0; i < 1000; ++i) {
    ask_synced(tracker);
    ask_synced(tracker);
    asked += 2;
    REQUIRE(feed_all(tracker, "2D") == Reply::row);
    REQUIRE(tracker.statement() == answered);
    REQUIRE(feed_all(tracker, "CZ") == Reply::ready);
    ++answered;
  }
  for (; answered < asked; ++answered) {
    REQUIRE(feed_all(tracker, "2C") == Reply::progress);
    REQUIRE(tracker.statement() == answered);
    REQUIRE(feed(tracker, 'Z') == Reply::ready);
  }
  CHECK(tracker.idle());
  for (const Outcome& each : tracker.outcomes()) CHECK(each.good());
}

TEST_CASE("reset forgets the outcomes and numbers from 0 again") {
  ReplyTracker tracker;
  ask_synced(tracker);
  feed_all(tracker, "2EZ");
  tracker.reset();
  CHECK(tracker.outcomes().empty());
  CHECK(ask_synced(tracker) == 0);
  CHECK(outcome(tracker, 0).status == Status::pending);
  CHECK(outcome(tracker, 0).sqlstate.ok());
  feed_all(tracker, "2DCZ");
  CHECK(outcome(tracker, 0).good());
  CHECK(outcome(tracker, 0).rows == 1);
  tracker.reset();
  ask(tracker, {Q::parse, Q::sync});
  feed_all(tracker, "1Z");
  CHECK(outcome(tracker, 0).good());
}

TEST_CASE("abandon loses what is pending, keeps the rest, owes nothing") {
  ReplyTracker tracker;
  ask_synced(tracker);
  ask_synced(tracker);
  feed(tracker, '2');
  feed_all(tracker, "D");
  feed(tracker, 'C', z("SELECT 1"));
  feed(tracker, 'Z', "T");
  feed_all(tracker, "2D");
  tracker.abandon();
  CHECK(tracker.idle());
  CHECK(tracker.transaction_status() == 'I');
  CHECK(outcome(tracker, 0).good());
  CHECK(outcome(tracker, 1).status == Status::lost);
  tracker.reset();
  ask_synced(tracker);
  CHECK(feed_all(tracker, "2CZ") == Reply::ready);
}

TEST_CASE("abandon forgets a Sync that was missing") {
  ReplyTracker tracker;
  ask(tracker, {Q::execute});
  feed(tracker, 'E');
  tracker.abandon();
  tracker.reset();
  ask_synced(tracker);
  CHECK(feed_all(tracker, "2CZ") == Reply::ready);
  CHECK(outcome(tracker, 0).good());
}

}  // namespace
}  // namespace proto_pg::wire
