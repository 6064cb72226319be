// Who may touch what: a waiting coroutine's frame holds its Waiter, and only that coroutine's thread destroys
// it. The derivation, on another thread, never keeps a pointer to it: it knows a number, and finds the Waiter
// in a map under the mutex, or not any more. As long as it is in the map, its frame exists, so does its
// io_context.
#include "proto_pg/client/scram_key_cache.hpp"

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace proto_pg::client {

namespace asio = boost::asio;

namespace {

/// Derivations of one time: enough for a storm of logins, while most of the machine stays the workers'.
std::size_t thread_count() { return std::clamp(std::thread::hardware_concurrency() / 2, 1U, 4U); }

}  // namespace

class ScramKeyCache::Derivations {
 public:
  explicit Derivations(bool remember) : remember_(remember) {}
  ~Derivations() {
    if (!threads_) return;
    threads_->stop();  // what has not begun never will
    threads_->join();
  }
  Derivations(const Derivations&) = delete;
  Derivations& operator=(const Derivations&) = delete;

  /// The last member is 0, or a number that keeps derivations apart that are not to be shared.
  using Key = std::tuple<std::string, std::string, std::uint32_t, std::uint64_t>;

  /// One asker, in its coroutine's frame.
  class Waiter {
   public:
    Waiter(Derivations& owner, const asio::any_io_executor& executor, Key key)
        : owner_(owner), done_(executor, asio::steady_timer::time_point::max()) {
      number_ = owner_.enlist(*this, std::move(key));
    }
    ~Waiter() { owner_.dismiss(number_); }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    bool answered() const {
      const std::lock_guard lock(owner_.mutex_);
      return keys_ || error_;
    }
    wire::ScramKeys take() const {
      const std::lock_guard lock(owner_.mutex_);
      if (error_) std::rethrow_exception(error_);
      if (!keys_) throw boost::system::system_error(asio::error::operation_aborted);
      return *keys_;
    }
    /// Never expires; cancelled when the answer is there.
    asio::steady_timer& done() { return done_; }

   private:
    friend Derivations;
    Derivations& owner_;
    asio::steady_timer done_;
    std::uint64_t number_ = 0;
    std::optional<wire::ScramKeys> keys_;  ///< by the owner's mutex
    std::exception_ptr error_;             ///< by the owner's mutex
  };

  Key key_of(std::string password, std::string salt, std::uint32_t iterations) {
    const std::lock_guard lock(mutex_);
    return {std::move(password), std::move(salt), iterations, remember_ ? 0 : ++last_number_};
  }

  std::uint64_t started() const {
    const std::lock_guard lock(mutex_);
    return started_;
  }

 private:
  /// Answers at once if the keys are known, else sees to it that they are being derived.
  std::uint64_t enlist(Waiter& waiter, Key key) {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(key);
    if (known != known_.end()) {
      waiter.keys_ = known->second;
      return 0;
    }
    const auto number = ++last_number_;
    waiters_.emplace(number, &waiter);
    const auto [running, is_new] = running_.try_emplace(std::move(key));
    running->second.push_back(number);
    if (is_new) {
      if (!threads_) threads_.emplace(thread_count());
      ++started_;
      asio::post(*threads_, [this, key = running->first] { derive(key); });
    }
    return number;
  }

  void dismiss(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    waiters_.erase(number);
  }

  /// On a thread of the pool.
  void derive(const Key& key) {
    std::optional<wire::ScramKeys> keys;
    std::exception_ptr error;
    try {
      keys = wire::derive_scram_keys(std::get<0>(key), std::get<1>(key), std::get<2>(key));
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (keys && remember_) known_.emplace(key, *keys);
    const auto askers = running_.extract(key);
    for (const auto number : askers.mapped()) {
      const auto found = waiters_.find(number);
      if (found == waiters_.end()) continue;
      found->second->keys_ = keys;
      found->second->error_ = error;
      asio::post(found->second->done_.get_executor(), [this, number] { wake(number); });
    }
  }

  /// On the waiter's executor.
  void wake(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = waiters_.find(number);
    if (found != waiters_.end()) found->second->done_.cancel();
  }

  const bool remember_;
  mutable std::mutex mutex_;
  std::uint64_t last_number_ = 0;
  std::uint64_t started_ = 0;
  std::map<Key, wire::ScramKeys> known_;
  std::map<Key, std::vector<std::uint64_t>> running_;  ///< -> numbers of the waiters
  std::map<std::uint64_t, Waiter*> waiters_;
  std::optional<asio::thread_pool>
      threads_;  ///< made for the first derivation: most runs with trust need none
};

ScramKeyCache::ScramKeyCache(bool remember) : derivations_(std::make_unique<Derivations>(remember)) {}

ScramKeyCache::~ScramKeyCache() = default;

std::uint64_t ScramKeyCache::derivations() const { return derivations_->started(); }

asio::awaitable<wire::ScramKeys> ScramKeyCache::keys(std::string prepared_password, std::string salt,
                                                     std::uint32_t iterations) {
  const auto executor = co_await asio::this_coro::executor;
  auto key = derivations_->key_of(std::move(prepared_password), std::move(salt), iterations);
  Derivations::Waiter waiter(*derivations_, executor, std::move(key));
  if (!waiter.answered()) {
    const auto token = asio::as_tuple(asio::use_awaitable);
    co_await waiter.done().async_wait(token);
  }
  co_return waiter.take();
}

}  // namespace proto_pg::client
