#include "proto_pg/client/stream.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "proto_pg/wire/errc.hpp"

namespace proto_pg::client {

Stream::Stream(Poller& poller) : poller_(poller) {}

Stream::~Stream() { close(); }

std::error_code Stream::open(int fd) {
  close();
  std::error_code error;
  slot_ = poller_.add(fd, error);
  if (error) {
    ::close(fd);
    return error;
  }
  fd_ = fd;
  if (shut_down_) shutdown();
  return {};
}

void Stream::close() {
  if (fd_ < 0) return;
  ssl_.reset();
  poller_.remove(slot_);
  ::close(fd_);
  fd_ = -1;
  slot_ = {};
  tls_io_error_.clear();
  tls_host_verified_ = tls_unread_ = read_wants_write_ = false;
}

void Stream::shutdown() {
  shut_down_ = true;
  if (fd_ < 0) return;
  ::shutdown(fd_, SHUT_RDWR);
  poller_.wake(slot_);
}

bool Stream::readable() const { return tls_unread_ || poller_.ready(slot_, read_needs()); }

Stream::Transfer Stream::try_read(std::span<char> into) { return ssl_ ? tls_read(into) : plain_read(into); }

Stream::Transfer Stream::try_write(std::string_view bytes) {
  return ssl_ ? tls_write(bytes) : plain_write(bytes);
}

// A read shorter than asked has emptied the socket: what comes later raises a new edge (epoll(7),
// "Level-triggered and edge-triggered", the rule for stream sockets).
Stream::Transfer Stream::plain_read(std::span<char> into) {
  Transfer transfer;
  ssize_t count = 0;
  do {
    count = ::recv(fd_, into.data(), into.size(), MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    transfer.bytes = static_cast<std::size_t>(count);
    if (transfer.bytes < into.size()) poller_.clear(slot_, Readiness::readable);
  } else if (count == 0) {
    transfer.error = wire::Errc::connection_closed;
  } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
    transfer.would_block = true;
    poller_.clear(slot_, Readiness::readable);
  } else {
    transfer.error.assign(errno, std::system_category());
  }
  return transfer;
}

Stream::Transfer Stream::plain_write(std::string_view bytes) {
  Transfer transfer;
  ssize_t count = 0;
  do {
    count = ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  if (count >= 0) transfer.bytes = static_cast<std::size_t>(count);
  const bool full = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  if (count < 0 && !full) {
    transfer.error.assign(errno, std::system_category());
  } else if (transfer.bytes < bytes.size()) {
    transfer.would_block = true;
    poller_.clear(slot_, Readiness::writable);
  }
  return transfer;
}

}  // namespace proto_pg::client
