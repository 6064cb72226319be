#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proto_pg/client/connection.hpp"

namespace proto_pg::client {

/// What a host's name stands for, to be asked again when connections to it are lost: DNS fails over. The
/// question blocks, perhaps for long, so it is asked on a thread of its own; nobody has to wait for the
/// answer, and the thread may outlive this object. Copies share the answers. Any thread may call.
class HostAddresses {
 public:
  /// As `resolve`; called on the thread that asks, one call at a time.
  using Resolve = std::function<std::vector<Endpoint>(const Host& host, std::string& reason)>;

  HostAddresses(Host host, std::vector<Endpoint> known, Resolve asked = resolve);

  /// The last good answer.
  std::vector<Endpoint> now() const;
  /// Begins to ask, unless that is under way, was answered within the last second, or cannot change anything:
  /// a socket's path, a numeric address.
  void ask_again();
  bool asking() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace proto_pg::client
