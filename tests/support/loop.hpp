#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "proto_pg/client/poller.hpp"

namespace support {

/// One worker's loop for a test: runs awaitables to their end, at most a minute each.
class Loop {
 public:
  template <class T>
  T run(boost::asio::awaitable<T> work, std::chrono::seconds limit = std::chrono::seconds(60)) {
    std::optional<T> result;
    std::exception_ptr error;
    boost::asio::co_spawn(context_, std::move(work), [&](std::exception_ptr e, T value) {
      error = e;
      result.emplace(std::move(value));
    });
    turn_until([&] { return result.has_value(); }, limit);
    if (error) std::rethrow_exception(error);
    return std::move(*result);
  }

  void run(boost::asio::awaitable<void> work, std::chrono::seconds limit = std::chrono::seconds(60)) {
    bool done = false;
    std::exception_ptr error;
    boost::asio::co_spawn(context_, std::move(work), [&](std::exception_ptr e) {
      error = e;
      done = true;
    });
    turn_until([&] { return done; }, limit);
    if (error) std::rethrow_exception(error);
  }

  boost::asio::io_context& context() { return context_; }
  proto_pg::client::Poller& poller() { return poller_; }

 private:
  template <class Condition>
  void turn_until(Condition done, std::chrono::seconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    context_.restart();
    while (!done()) {
      if (context_.run_one_until(end) == 0) throw std::runtime_error("the awaitable did not end in time");
    }
  }

  boost::asio::io_context context_{1};
  proto_pg::client::Poller poller_{context_};
};

}  // namespace support
