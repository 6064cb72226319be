#include "proto_pg/client/stream.hpp"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "proto_pg/wire/errc.hpp"

namespace proto_pg::client {
namespace {

std::chrono::nanoseconds nanoseconds(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// `recv` with the kernel's receive stamp of the last byte (kernel documentation, "Timestamping").
ssize_t receive_stamped(int fd, std::span<char> into, std::chrono::nanoseconds& received) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(scm_timestamping))> control;
  iovec place{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t count = ::recvmsg(fd, &message, MSG_DONTWAIT);
  if (count <= 0) return count;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMPING) {
    scm_timestamping stamps;
    std::memcpy(&stamps, CMSG_DATA(header), sizeof stamps);
    if (stamps.ts[0].tv_sec > 0) received = nanoseconds(stamps.ts[0]);
  }
  return count;
}

}  // namespace

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
  tls_host_verified_ = tls_unread_ = read_wants_write_ = stamped_ = false;
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

Stream::Transfer Stream::try_read_stamped(std::span<char> into, std::chrono::nanoseconds& received) {
  return read_with(into, &received);
}

void Stream::stamp_receipts() {
  const int wanted = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  stamped_ = !ssl_ && ::setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) == 0;
}

// A read shorter than asked has emptied the socket: what comes later raises a new edge (epoll(7),
// "Level-triggered and edge-triggered", the rule for stream sockets).
Stream::Transfer Stream::read_with(std::span<char> into, std::chrono::nanoseconds* received) {
  Transfer transfer;
  ssize_t count = 0;
  do {
    count = received ? receive_stamped(fd_, into, *received)
                     : ::recv(fd_, into.data(), into.size(), MSG_DONTWAIT);
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
