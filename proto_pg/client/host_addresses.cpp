#include "proto_pg/client/host_addresses.hpp"

#include <arpa/inet.h>

#include <array>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace proto_pg::client {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenQuestions{1};

bool is_name(const Host& host) {
  if (host.unix_socket() || !host.hostaddr.empty()) return false;
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, host.host.c_str(), address.data()) != 1 &&
         ::inet_pton(AF_INET6, host.host.c_str(), address.data()) != 1;
}

}  // namespace

struct HostAddresses::State {
  State(Host its_host, std::vector<Endpoint> known, Resolve asked)
      : host(std::move(its_host)),
        is_name(client::is_name(host)),
        resolve(std::move(asked)),
        endpoints(std::move(known)) {}

  /// On a thread of its own.
  void ask() {
    std::string reason;
    std::vector<Endpoint> found = resolve(host, reason);
    const std::lock_guard lock(mutex);
    if (!found.empty()) endpoints = std::move(found);
    asking = false;
    next_question = Clock::now() + kBetweenQuestions;
  }

  const Host host;
  const bool is_name;
  const Resolve resolve;
  std::mutex mutex;  ///< of what follows
  std::vector<Endpoint> endpoints;
  bool asking = false;
  Clock::time_point next_question;
};

HostAddresses::HostAddresses(Host host, std::vector<Endpoint> known, Resolve asked)
    : state_(std::make_shared<State>(std::move(host), std::move(known), std::move(asked))) {}

std::vector<Endpoint> HostAddresses::now() const {
  const std::lock_guard lock(state_->mutex);
  return state_->endpoints;
}

bool HostAddresses::asking() const {
  const std::lock_guard lock(state_->mutex);
  return state_->asking;
}

void HostAddresses::ask_again() {
  if (!state_->is_name) return;
  const std::lock_guard lock(state_->mutex);
  if (state_->asking || Clock::now() < state_->next_question) return;
  try {
    std::thread([state = state_] { state->ask(); }).detach();
    state_->asking = true;
  } catch (const std::system_error&) {
    // No thread to be had now: the known addresses stay.
  }
}

}  // namespace proto_pg::client
