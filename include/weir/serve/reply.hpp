// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/serve/request.hpp"

#include <coroutine>
#include <exception>
#include <future>
#include <memory>
#include <utility>

namespace weir {

/// The result of one request, to come. Take it in one of three ways: `get()` waits for it, `co_await` resumes a coroutine when it is
/// there, `future()` makes a std::future of it. Move-only; dropping it drops the result. One thread at a time; may outlive the server.
///
/// Instead of a result, each way throws the node_error of a node that has failed, or `stopped` if the server was cancelled or its
/// block has ended early.
template <class T>
class [[nodiscard]] reply {
 public:
  reply(std::shared_ptr<request_for<T>> what, std::shared_ptr<requests> all) noexcept
      : what_(std::move(what)), all_(std::move(all)) {}
  reply(reply&&) noexcept = default;
  reply& operator=(reply&&) noexcept = default;

  /// Whether `get` would return, or throw, at once.
  bool ready() const noexcept { return what_->is_resolved(); }

  /// Waits; the thread sleeps. To be called once.
  T get() {
    what_->wait();
    if (!what_->result) all_->throw_why();
    return std::move(*what_->result);
  }

  /// The reply is used up.
  std::future<T> future() && {
    auto* const made = new promised{{&promised::keep, true}, std::move(*this), {}};
    std::future<T> result = made->promise.get_future();
    request_for<T>& what = *made->from.what_;
    if (!what.then(*made)) promised::keep(*made);
    return result;
  }

  /// What `co_await` makes of it. Where the result is there already, the coroutine goes on at once. Otherwise it is resumed on a thread of
  /// the server's pool, in a node of its own (`/resume`), where it may take its time and block, for example in `request`;
  /// or, when the server ends without a result, on the thread that notices. A coroutine that waits must not be destroyed.
  class awaiter : private request::continuation {
   public:
    explicit awaiter(reply from) noexcept : continuation{&awaiter::resume, false}, from_(std::move(from)) {}

    bool await_ready() const noexcept { return from_.ready(); }
    bool await_suspend(std::coroutine_handle<> who) noexcept {
      who_ = who;
      const std::shared_ptr<request_for<T>> what = from_.what_;  // the coroutine may be gone when then() returns
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
  struct promised : request::continuation {
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

  std::shared_ptr<request_for<T>> what_;
  std::shared_ptr<requests> all_;
};

}  // namespace weir
