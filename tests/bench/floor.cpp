// The least that a client can do: one bare epoll loop that sends ready-made Bind/Execute/Sync and reads to
// ReadyForQuery. No codec, no coroutine, no measurement. Trust authentication, plain TCP on 127.0.0.1,
// database and user from the command line. Prints {"queries": N, "seconds": S}: from the first query to the
// last reply.
//
// usage: bench_floor PORT USER DATABASE SESSIONS QUERIES ROWS

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "bench_floor: %s\n", why.c_str());
  std::exit(1);
}

std::string int16(unsigned value) { return {static_cast<char>(value >> 8), static_cast<char>(value)}; }
std::string int32(std::uint32_t value) { return int16(value >> 16) + int16(value & 0xffff); }
std::string zero_ended(const std::string& text) { return text + '\0'; }
std::string message(const std::string& type, const std::string& payload) {
  return type + int32(static_cast<std::uint32_t>(payload.size()) + 4) + payload;
}

/// Bind of one int4 in binary, all results in binary; Execute; Sync. `id_at`: where the id's four bytes are.
std::string ready_made_query(std::size_t& id_at) {
  const std::string head = zero_ended("") + zero_ended("s") + int16(1) + int16(1) + int16(1) + int32(4);
  id_at = 5 + head.size();
  return message("B", head + int32(0) + int16(1) + int16(1)) + message("E", zero_ended("") + int32(0)) +
         message("S", "");
}

struct Link {
  int fd = -1;
  std::string rest;  ///< an incomplete message
};

std::uint32_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<std::uint32_t>(state >> 32);
}

/// Whole messages of `bytes`; true if the last one was ReadyForQuery. What is incomplete goes to `rest`.
bool reads_to_ready(Link& link, const char* bytes, std::size_t count) {
  if (!link.rest.empty()) {
    link.rest.append(bytes, count);
    bytes = link.rest.data();
    count = link.rest.size();
  }
  bool ready = false;
  std::size_t at = 0;
  while (count - at >= 5) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes + at + 1, 4);
    length = ntohl(length);
    if (count - at < length + std::size_t{1}) break;
    if (bytes[at] == 'E') give_up("the server answers with an error");
    ready = bytes[at] == 'Z';
    at += length + 1;
  }
  if (at == count) {
    link.rest.clear();
  } else {
    link.rest = std::string(bytes + at, count - at);
  }
  return ready;
}

void send_all(int fd, const std::string& bytes) {
  if (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) {
    give_up("cannot send");
  }
}

void wait_for_ready(Link& link) {
  char buffer[8192];
  while (true) {
    const ssize_t count = recv(link.fd, buffer, sizeof buffer, 0);
    if (count <= 0) give_up("the server closed the connection");
    if (reads_to_ready(link, buffer, static_cast<std::size_t>(count))) return;
  }
}

Link connect_and_prepare(std::uint16_t port, const std::string& user, const std::string& database) {
  Link link;
  link.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(link.fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) give_up("cannot connect");
  const int on = 1;
  setsockopt(link.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const std::string startup = int32(196608) + zero_ended("user") + zero_ended(user) + zero_ended("database") +
                              zero_ended(database) + '\0';
  send_all(link.fd, int32(static_cast<std::uint32_t>(startup.size()) + 4) + startup);
  wait_for_ready(link);
  const std::string parse =
      zero_ended("s") + zero_ended("SELECT c FROM sbtest1 WHERE id=$1") + int16(1) + int32(23);
  send_all(link.fd, message("P", parse) + message("S", ""));
  wait_for_ready(link);
  return link;
}

void run(std::vector<Link>& links, std::uint64_t queries, std::uint32_t rows) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (std::size_t i = 0; i < links.size(); ++i) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    epoll_ctl(epoll, EPOLL_CTL_ADD, links[i].fd, &event);
  }
  std::size_t id_at = 0;
  std::string query = ready_made_query(id_at);
  std::uint64_t random = 88172645463325252U;
  std::uint64_t started = 0, finished = 0;
  const auto send_next = [&](int fd) {
    const std::uint32_t id = htonl(next_random(random) % rows + 1);
    std::memcpy(query.data() + id_at, &id, 4);
    send_all(fd, query);
    ++started;
  };
  for (Link& link : links) send_next(link.fd);
  std::vector<char> buffer(65536);
  std::vector<epoll_event> events(links.size());
  while (finished < queries) {
    const int count = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      Link& link = links[events[static_cast<std::size_t>(i)].data.u64];
      const ssize_t got = recv(link.fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got <= 0) give_up("the server closed the connection");
      if (!reads_to_ready(link, buffer.data(), static_cast<std::size_t>(got))) continue;
      ++finished;
      if (started < queries) send_next(link.fd);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) give_up("usage: bench_floor PORT USER DATABASE SESSIONS QUERIES ROWS");
  const auto queries = std::strtoull(argv[5], nullptr, 10);
  std::vector<Link> links(std::strtoull(argv[4], nullptr, 10));
  for (Link& link : links) {
    link = connect_and_prepare(static_cast<std::uint16_t>(std::atoi(argv[1])), argv[2], argv[3]);
  }
  const auto begin = std::chrono::steady_clock::now();
  run(links, queries, static_cast<std::uint32_t>(std::atoi(argv[6])));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("{\"queries\": %llu, \"seconds\": %.6f}\n", queries, seconds.count());
}
