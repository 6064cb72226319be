#include "tests/support/fake_server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace support {
namespace {

/// The client went away: the end of most scripts, and no surprise.
struct ClientGone {};

std::uint32_t length_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

constexpr std::uint32_t kSslRequest = 80877103;

}  // namespace

FakeSession::FakeSession(int fd) : fd_(fd) {
  const int on = 1;
  setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

FakeSession::~FakeSession() { SSL_free(ssl_); }

std::size_t FakeSession::read_some(char* into, std::size_t count) {
  if (ssl_ != nullptr) {
    const int got = SSL_read(ssl_, into, static_cast<int>(count));
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  return read_stamped(into, count);
}

std::size_t FakeSession::read_stamped(char* into, std::size_t count) {
  using namespace std::chrono;
  iovec bytes{into, count};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(fd_, &message, 0);
  if (got <= 0) return 0;
  received_ = steady_clock::now();
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SO_TIMESTAMPNS) {
    timespec stamp;  // CLOCK_REALTIME
    std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
    const auto ago =
        system_clock::now().time_since_epoch() - seconds(stamp.tv_sec) - nanoseconds(stamp.tv_nsec);
    received_ -= ago;
  }
  return static_cast<std::size_t>(got);
}

std::string FakeSession::read_exactly(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t have = 0; have < count;) {
    const std::size_t got = read_some(bytes.data() + have, count - have);
    if (got == 0) throw ClientGone{};
    have += got;
  }
  return bytes;
}

FakeSession::Message FakeSession::startup_packet() {
  const std::string head = read_exactly(4);
  return {0, read_exactly(length_at(head, 0) - 4)};
}

FakeSession::Message FakeSession::next() {
  const std::string head = read_exactly(5);
  return {head[0], read_exactly(length_at(head, 1) - 4)};
}

std::string FakeSession::expect(char type) {
  Message got = next();
  if (got.type != type) {
    throw std::runtime_error(std::string("expected message ") + type + ", got " + got.type);
  }
  return std::move(got.payload);
}

std::string FakeSession::receive() {
  char buffer[4096];
  const std::size_t got = read_some(buffer, sizeof buffer);
  if (got == 0) throw ClientGone{};
  return std::string(buffer, got);
}

void FakeSession::answer_ssl_request(std::string_view bytes) {
  const Message request = startup_packet();
  if (request.payload.size() != 4 || length_at(request.payload, 0) != kSslRequest) {
    throw std::runtime_error("expected an SSLRequest");
  }
  send(bytes);
}

bool FakeSession::start_tls(const std::string& certificate, const std::string& key) {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    SSL_CTX_free(context);
    throw std::runtime_error("cannot use " + certificate);
  }
  ssl_ = SSL_new(context);
  SSL_CTX_free(context);
  SSL_set_fd(ssl_, fd_);
  return SSL_accept(ssl_) == 1;
}

void FakeSession::accept_startup(std::string_view reply) {
  Message packet = startup_packet();
  if (packet.payload.size() == 4 && length_at(packet.payload, 0) == kSslRequest) {
    send("N");
    packet = startup_packet();
  }
  send(reply);
}

void FakeSession::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ssl_ != nullptr ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                                         : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw ClientGone{};
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void FakeSession::send_sliced(std::string_view bytes) {
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  for (std::size_t i = 0; i < bytes.size(); ++i) send(bytes.substr(i, 1));
}

std::string FakeSession::hold() {
  std::string bytes;
  char buffer[4096];
  while (const std::size_t got = read_some(buffer, sizeof buffer)) bytes.append(buffer, got);
  return bytes;
}

void FakeSession::reset() {
  const linger now{1, 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  throw ClientGone{};
}

FakeServer::FakeServer(Script script) : script_(std::move(script)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 128) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("no free port on 127.0.0.1");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_loop(); });
}

FakeServer::~FakeServer() { finish(); }

void FakeServer::accept_loop() {
  while (true) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const std::lock_guard lock(mutex_);
    ++accepted_;
    open_.push_back(fd);
    players_.emplace_back([this, fd] { play(fd); });
  }
}

void FakeServer::play(int fd) {
  // OpenSSL writes without MSG_NOSIGNAL; the signal would go to this thread.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  std::string surprise;
  try {
    FakeSession session(fd);
    script_(session);
  } catch (const ClientGone&) {
  } catch (const std::exception& error) {
    surprise = error.what();
  }
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) failure_ = surprise;
  std::erase(open_, fd);
  close(fd);
}

std::string FakeServer::finish() {
  if (!finished_) {
    finished_ = true;
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    close(listener_);
    {
      const std::lock_guard lock(mutex_);
      for (const int fd : open_) shutdown(fd, SHUT_RDWR);
    }
    for (std::thread& player : players_) player.join();
  }
  return failure_;
}

}  // namespace support
