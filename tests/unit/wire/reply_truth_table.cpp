// Every question, at every step of its reply sequence, against every message type.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/unit/wire/replies.hpp"

namespace proto_pg::wire {
namespace {

using namespace test;
using R = Reply;
using Q = Question;

struct Row {
  std::vector<Question> questions;  ///< all of one statement
  std::string before;               ///< message types that have been answered already
  std::map<char, Reply> allowed;    ///< besides the asynchronous ones; all else is a violation
};

const std::map<char, Reply> kAsynchronous{
    {'S', R::parameter_status}, {'N', R::notice}, {'A', R::notification}};

const std::vector<Row> kTable{
    {{}, "", {{'E', R::fatal}}},
    {{Q::parse}, "", {{'1', R::progress}, {'E', R::failed}}},
    {{Q::parse}, "1", {{'E', R::fatal}}},
    {{Q::bind}, "", {{'2', R::progress}, {'E', R::failed}}},
    {{Q::close}, "", {{'3', R::progress}, {'E', R::failed}}},
    {{Q::describe_statement}, "", {{'t', R::parameters}, {'E', R::failed}}},
    {{Q::describe_statement}, "t", {{'T', R::row_description}, {'n', R::progress}, {'E', R::failed}}},
    {{Q::describe_statement}, "tT", {{'E', R::fatal}}},
    {{Q::describe_statement}, "tn", {{'E', R::fatal}}},
    {{Q::describe_portal}, "", {{'T', R::row_description}, {'n', R::progress}, {'E', R::failed}}},
    {{Q::describe_portal}, "T", {{'E', R::fatal}}},
    {{Q::execute},
     "",
     {{'D', R::row}, {'C', R::progress}, {'I', R::progress}, {'s', R::progress}, {'E', R::failed}}},
    {{Q::execute}, "D", {{'D', R::row}, {'C', R::progress}, {'s', R::progress}, {'E', R::failed}}},
    {{Q::execute}, "DC", {{'E', R::fatal}}},
    {{Q::execute}, "Ds", {{'E', R::fatal}}},
    {{Q::execute}, "I", {{'E', R::fatal}}},
    {{Q::copy_in_execute}, "", {{'G', R::copy_in_ready}, {'E', R::failed}}},
    {{Q::copy_in_execute}, "G", {{'C', R::progress}, {'E', R::failed}}},
    {{Q::copy_in_execute}, "GC", {{'E', R::fatal}}},
    {{Q::sync}, "", {{'Z', R::ready}, {'E', R::failed}}},
    {{Q::sync}, "E", {{'Z', R::ready}, {'E', R::failed}}},
    {{Q::sync}, "Z", {{'E', R::fatal}}},
    {{Q::query},
     "",
     {{'T', R::row_description},
      {'C', R::progress},
      {'I', R::progress},
      {'H', R::progress},
      {'Z', R::ready},
      {'E', R::failed}}},
    {{Q::query}, "T", {{'D', R::row}, {'C', R::progress}, {'E', R::failed}}},
    {{Q::query}, "TD", {{'D', R::row}, {'C', R::progress}, {'E', R::failed}}},
    {{Q::query},
     "TDC",
     {{'T', R::row_description},
      {'C', R::progress},
      {'I', R::progress},
      {'H', R::progress},
      {'Z', R::ready},
      {'E', R::failed}}},
    {{Q::query}, "H", {{'d', R::progress}, {'c', R::progress}, {'E', R::failed}}},
    {{Q::query}, "Hd", {{'d', R::progress}, {'c', R::progress}, {'E', R::failed}}},
    {{Q::query}, "Hc", {{'C', R::progress}, {'E', R::failed}}},
    {{Q::query}, "TE", {{'Z', R::ready}, {'E', R::failed}}},
    {{Q::query}, "CZ", {{'E', R::fatal}}},
    {{Q::copy_in_query}, "", {{'G', R::copy_in_ready}, {'E', R::failed}}},
    {{Q::copy_in_query}, "G", {{'C', R::progress}, {'E', R::failed}}},
    {{Q::copy_in_query}, "GC", {{'Z', R::ready}, {'E', R::failed}}},
    {{Q::copy_in_query}, "GE", {{'Z', R::ready}, {'E', R::failed}}},
    {{Q::copy_in_query}, "E", {{'Z', R::ready}, {'E', R::failed}}},
    // After an error everything up to the Sync is skipped, whatever step it was at.
    {{Q::bind, Q::execute, Q::sync}, "E", {{'Z', R::ready}, {'E', R::failed}}},
    {{Q::bind, Q::execute, Q::sync}, "2DE", {{'Z', R::ready}, {'E', R::failed}}},
    {{Q::execute, Q::query, Q::execute, Q::sync}, "E", {{'Z', R::ready}, {'E', R::failed}}},
};

void prepare(ReplyTracker& tracker, const Row& row) {
  tracker.begin_statement();
  for (const Question question : row.questions) tracker.expect(question);
  feed_all(tracker, row.before);
}

Reply expected(const Row& row, char type) {
  if (const auto found = kAsynchronous.find(type); found != kAsynchronous.end()) return found->second;
  const auto found = row.allowed.find(type);
  return found == row.allowed.end() ? R::violation : found->second;
}

TEST_CASE("every question against every message type") {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      const char type = static_cast<char>(byte);
      ReplyTracker tracker;
      prepare(tracker, kTable[i]);
      const Reply reply = feed(tracker, type);
      CAPTURE(i);
      CAPTURE(kTable[i].before);
      CAPTURE(byte);
      CHECK(static_cast<int>(reply) == static_cast<int>(expected(kTable[i], type)));
    }
  }
}

TEST_CASE("asynchronous messages change nothing") {
  for (const Row& row : kTable) {
    for (const auto& [type, reply] : row.allowed) {
      CAPTURE(row.before);
      CAPTURE(type);
      ReplyTracker tracker;
      prepare(tracker, row);
      const auto owed_nothing = tracker.idle();
      const auto statement = tracker.statement();
      feed_all(tracker, "SNASNA");
      CHECK(tracker.idle() == owed_nothing);
      CHECK(tracker.statement() == statement);
      CHECK(feed(tracker, type) == reply);
    }
  }
}

// Cut anywhere or with a byte more: these payloads have no form that is still right.
TEST_CASE("malformed payloads are violations, wherever the type would be right") {
  for (const Row& row : kTable) {
    for (const auto& [type, reply] : row.allowed) {
      if (type == 'd') continue;  // CopyData is any bytes
      const std::string payload = payload_of(type);
      CAPTURE(row.before);
      CAPTURE(type);
      for (std::size_t cut = 0; cut < payload.size(); ++cut) {
        ReplyTracker tracker;
        prepare(tracker, row);
        CAPTURE(cut);
        CHECK(feed(tracker, type, payload.substr(0, cut)) == R::violation);
      }
      ReplyTracker tracker;
      prepare(tracker, row);
      CHECK(feed(tracker, type, payload + "x") == R::violation);
    }
  }
  ReplyTracker tracker;
  CHECK(feed(tracker, 'S', "no end") == R::violation);
}

}  // namespace
}  // namespace proto_pg::wire
