#include "tests/support/fault_proxy.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace support {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

void no_delay(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void close_with_reset(int fd) {
  const linger now{1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close(fd);
}

bool write_all(int fd, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

FaultProxy::FaultProxy(std::uint16_t server_port) : server_port_(server_port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 128) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port on 127.0.0.1");
  }
  port_ = ntohs(address.sin_port);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  thread_ = std::thread([this] { loop(); });
}

FaultProxy::~FaultProxy() {
  end_ = true;
  wake();
  thread_.join();
  close(listener_);
  close(wake_);
}

void FaultProxy::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = write(wake_, &one, sizeof one);
}

void FaultProxy::stall(bool on) {
  stall_ = on;
  wake();
}

void FaultProxy::cut() {
  cut_ = true;
  wake();
}

int FaultProxy::wait_ms() const {
  int wait = -1;
  for (const Link& link : links_) {
    if (link.waiting.empty() || stall_) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(link.waiting.front().due - Clock::now());
    const int ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    wait = wait < 0 ? ms : std::min(wait, ms);
  }
  return wait;
}

void FaultProxy::loop() {
  while (!end_) {
    std::vector<pollfd> entries{{wake_, POLLIN, 0}, {listener_, POLLIN, 0}};
    for (const Link& link : links_) {
      const short events = stall_ ? 0 : POLLIN;
      entries.push_back({stall_ ? -1 : link.client, events, 0});
      entries.push_back({stall_ ? -1 : link.server, events, 0});
    }
    poll(entries.data(), entries.size(), wait_ms());
    std::uint64_t ignored = 0;
    [[maybe_unused]] const ssize_t count = read(wake_, &ignored, sizeof ignored);
    const bool cut = cut_.exchange(false);
    std::size_t at = 2;
    for (Link& link : links_) {
      if (entries[at++].revents != 0) from_client(link);
      if (entries[at++].revents != 0) from_server(link);
      if (!stall_) to_client(link);
      link.cut = cut;
    }
    if (entries[1].revents != 0) accept_one();
    links_.remove_if([](const Link& link) {
      if (!link.dead && !link.cut) return false;
      if (link.cut) {
        close_with_reset(link.client);
      } else {
        close(link.client);
      }
      close(link.server);
      return true;
    });
  }
  for (const Link& link : links_) {
    close(link.client);
    close(link.server);
  }
}

void FaultProxy::accept_one() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(server_port_);
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(server);
    close_with_reset(client);
    return;
  }
  no_delay(client);
  no_delay(server);
  Link link;
  link.client = client;
  link.server = server;
  links_.push_back(std::move(link));
}

void FaultProxy::from_client(Link& link) {
  char buffer[16384];
  const ssize_t count = recv(link.client, buffer, sizeof buffer, 0);
  if (count <= 0 || !write_all(link.server, buffer, static_cast<std::size_t>(count))) link.dead = true;
}

void FaultProxy::from_server(Link& link) {
  char buffer[16384];
  const ssize_t count = recv(link.server, buffer, sizeof buffer, 0);
  const auto due = Clock::now() + std::chrono::milliseconds(delay_ms_);
  if (count > 0) {
    link.waiting.push_back({std::string(buffer, static_cast<std::size_t>(count)), due});
  } else {
    link.dead = true;
  }
}

void FaultProxy::to_client(Link& link) {
  while (!link.waiting.empty() && (link.dead || link.waiting.front().due <= Clock::now())) {
    const std::string& bytes = link.waiting.front().bytes;
    const std::size_t step = slice_ ? 1 : bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      if (!write_all(link.client, bytes.data() + at, step)) link.dead = true;
    }
    link.waiting.pop_front();
  }
}

}  // namespace support
