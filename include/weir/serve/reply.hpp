// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/serve/request.hpp"
#include "weir/graph/error.hpp"
#include "weir/run/fork_join.hpp"

#include <chrono>
#include <coroutine>
#include <exception>
#include <future>
#include <memory>
#include <utility>

namespace weir {

/// The future result of one request to a server. Take it in one of three ways: `get()` waits for
/// it; `co_await` resumes a coroutine when it is there; `future()` turns it into a std::future.
/// Move-only; destroying it drops the result. One thread at a time may use it. It may outlive the
/// server. A reply whose result was taken, or that was moved from, throws std::logic_error. So does
/// in a forked child a reply of the parent whose result was not there when it forked.
///
/// Instead of a result, each way throws a node_error if a node threw while processing this request
/// (other requests are not affected), the node_error that ended the run, or `stopped` if the server
/// was cancelled or its block has ended early.
template <class T>
class [[nodiscard]] reply {
 public:
  reply(std::shared_ptr<detail::request_for<T>> what, std::shared_ptr<detail::requests> all) noexcept
      : what_(std::move(what)), all_(std::move(all)) {}
  reply(reply&&) noexcept = default;
  reply& operator=(reply&&) noexcept = default;

  /// Returns whether `get` would return, or throw, at once.
  bool ready() const noexcept { return what_ == nullptr || what_->is_resolved() || !all_->is_here(); }

  /// Waits for the result; the thread sleeps. May be called once. In a node of a run that is
  /// cancelled or fails it throws `stopped`, and the result is dropped.
  T get() {
    const std::shared_ptr<detail::request_for<T>> what = taken();
    if (!all_->wait(*what)) throw stopped{};
    if (!what->result && what->problem) std::rethrow_exception(std::exchange(what->problem, nullptr));
    if (!what->result) all_->throw_why();
    return std::move(*what->result);
  }

  /// Waits for at most this time.
  /// @return whether `get` would return, or throw, at once. If false, the request continues: wait
  /// again, or drop the reply together with the result.
  /// @throws stopped in a node of a run that is cancelled or fails
  template <class Rep, class Period>
  bool wait_for(const std::chrono::duration<Rep, Period>& most) {
    using clock = std::chrono::steady_clock;
    const auto now = clock::now();
    using seconds = std::chrono::duration<double>;
    // A limit beyond the range of the clock means no limit.
    if (seconds(most) >= seconds(clock::time_point::max() - now)) return wait(nullptr);
    const clock::time_point until = now + std::chrono::ceil<clock::duration>(most);
    return wait(&until);
  }
  bool wait_until(const std::chrono::steady_clock::time_point& until) { return wait(&until); }

  /// Returns a std::future of the result. Uses up the reply.
  std::future<T> future() && {
    if (what_ == nullptr) detail::throw_result_taken();
    auto* const made = new promised{{&promised::keep, true}, std::move(*this), {}};
    std::future<T> result = made->promise.get_future();
    detail::request_for<T>& what = *made->from.what_;
    if (made->from.ready() || !what.then(*made)) promised::keep(*made);
    return result;
  }

  /// Awaiter of `co_await`. If the result is there already, the coroutine continues at once.
  /// Otherwise it is resumed on a thread of the server's pool, in a separate node (`/resume`),
  /// where it may run for long and block, for example in `request`. If the server ends without a
  /// result, the coroutine is resumed on the thread that notices this. A coroutine that waits must
  /// not be destroyed.
  class awaiter : private detail::request::continuation {
   public:
    explicit awaiter(reply from) noexcept : continuation{&awaiter::resume, false}, from_(std::move(from)) {}

    bool await_ready() const noexcept { return from_.ready(); }
    bool await_suspend(std::coroutine_handle<> who) noexcept {
      who_ = who;
      const std::shared_ptr<detail::request_for<T>> what =
          from_.what_;  // the coroutine may be gone when then() returns
      return what->then(*this);
    }
    T await_resume() { return from_.get(); }

   private:
    static void resume(continuation& self) { static_cast<awaiter&>(self).who_.resume(); }

    reply from_;
    std::coroutine_handle<> who_;
  };
  awaiter operator co_await() && { return awaiter(std::move(*this)); }

 private:
  struct promised : detail::request::continuation {
    reply from;
    std::promise<T> promise;

    static void keep(continuation& self) {
      const std::unique_ptr<promised> mine(static_cast<promised*>(&self));
      try {
        mine->promise.set_value(mine->from.get());
      } catch (...) {
        mine->promise.set_exception(std::current_exception());
      }
    }
  };

  std::shared_ptr<detail::request_for<T>> taken() {
    if (what_ == nullptr) detail::throw_result_taken();
    return std::exchange(what_, nullptr);
  }

  bool wait(const std::chrono::steady_clock::time_point* until) {
    if (ready() || what_->wait(until)) return true;
    if (stop_token_around().stop_requested()) throw stopped{};
    return false;
  }

  std::shared_ptr<detail::request_for<T>> what_;
  std::shared_ptr<detail::requests> all_;
};

}  // namespace weir
