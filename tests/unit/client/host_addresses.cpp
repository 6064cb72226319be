#include "proto_pg/client/host_addresses.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

using namespace proto_pg::client;

namespace {

std::vector<Endpoint> at(const std::string& text) { return {Endpoint{"", text}}; }

Host named(const std::string& name) {
  Host host;
  host.host = name;
  host.port = 5432;
  return host;
}

void wait_for_answer(const HostAddresses& addresses) {
  while (addresses.asking()) std::this_thread::yield();
}

}  // namespace

TEST_CASE("a question under way is asked once, and nobody waits for it") {
  std::promise<void> answer;
  std::atomic<int> questions{0};
  HostAddresses addresses(named("db.test"), at("10.0.0.1:5432"), [&](const Host& host, std::string&) {
    ++questions;
    answer.get_future().wait();
    return at(host.host == "db.test" ? "10.0.0.2:5432" : "?");
  });
  CHECK_FALSE(addresses.asking());
  const HostAddresses copy = addresses;
  addresses.ask_again();
  addresses.ask_again();
  CHECK(copy.asking());
  CHECK(addresses.now().at(0).text == "10.0.0.1:5432");
  answer.set_value();
  wait_for_answer(addresses);
  CHECK(copy.now().at(0).text == "10.0.0.2:5432");
  addresses.ask_again();  // too soon
  CHECK_FALSE(addresses.asking());
  CHECK(questions == 1);
}

TEST_CASE("a name server that knows nothing takes no address away") {
  HostAddresses addresses(named("db.test"), at("10.0.0.1:5432"), [](const Host&, std::string& reason) {
    reason = "no answer";
    return std::vector<Endpoint>();
  });
  addresses.ask_again();
  wait_for_answer(addresses);
  CHECK(addresses.now().at(0).text == "10.0.0.1:5432");
}

TEST_CASE("what no name server can change is not asked") {
  Host with_address = named("db.test");
  with_address.hostaddr = "10.0.0.1";
  for (const Host& host : {named("10.0.0.1"), named("::1"), named("/run/postgresql"), with_address}) {
    HostAddresses addresses(host, at("known"), [](const Host&, std::string&) { return at("asked"); });
    addresses.ask_again();
    wait_for_answer(addresses);
    CHECK(addresses.now().at(0).text == "known");
  }
}

TEST_CASE("the answer may come when nobody is left to hear it") {
  struct Events {
    std::promise<void> begun, answer, ended;
  };
  const auto events = std::make_shared<Events>();  // the thread may be the last to use them
  {
    HostAddresses addresses(named("db.test"), {}, [events](const Host&, std::string&) {
      events->begun.set_value();
      events->answer.get_future().wait();
      events->ended.set_value();
      return at("late");
    });
    addresses.ask_again();
    events->begun.get_future().wait();
  }
  events->answer.set_value();
  events->ended.get_future().wait();
}
