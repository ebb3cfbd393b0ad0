// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace weir {

template <class T>
class coroutine;

namespace detail {

template <class T>
inline constexpr bool fits_frame = alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
template <>
inline constexpr bool fits_frame<void> = true;

// Final awaiter: the awaiting coroutine resumes on the thread on which the awaited coroutine has
// ended.
struct goes_on {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    return ended.promise().awaiting;
  }
  void await_resume() const noexcept {}
};

struct coroutine_promise_base {
  std::suspend_always initial_suspend() const noexcept { return {}; }
  goes_on final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { problem = std::current_exception(); }
  void rethrow() const {
    if (problem) std::rethrow_exception(problem);
  }

  std::coroutine_handle<> awaiting;
  std::exception_ptr problem;
};

template <class T>
struct coroutine_promise : coroutine_promise_base {
  coroutine<T> get_return_object() noexcept;
  template <class U = T>
  void return_value(U&& made) {
    value.emplace(std::forward<U>(made));
  }
  T result() {
    rethrow();
    return std::move(*value);
  }

  std::optional<T> value;
};

template <>
struct coroutine_promise<void> : coroutine_promise_base {
  coroutine<void> get_return_object() noexcept;
  void return_void() const noexcept {}
  void result() const { rethrow(); }
};

}  // namespace detail

/// The return type of a coroutine that makes a T. Another coroutine awaits it, once: then it
/// begins. When it ends, the awaiting coroutine resumes on the same thread. If it is destroyed
/// without having been awaited, it does nothing. An exception in it comes out of the `co_await`. If
/// g++ does not optimise, each `co_await` of a coroutine that ends at once uses some stack until
/// the awaiting coroutine waits for another event: tens of thousands in a row are too many. Not
/// thread-safe. It may be moved between threads until it is awaited.
template <class T>
class [[nodiscard]] coroutine {
 public:
  static_assert(detail::fits_frame<T>,
                "weir: a coroutine can't make what needs this alignment, because its frame has less; "
                "let it make a std::unique_ptr");

  using promise_type = detail::coroutine_promise<T>;

  coroutine(coroutine&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  coroutine& operator=(coroutine&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~coroutine() {
    if (frame_) frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    frame_.promise().awaiting = awaiting;
    return frame_;
  }
  T await_resume() { return frame_.promise().result(); }

 private:
  friend promise_type;
  explicit coroutine(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

  std::coroutine_handle<promise_type> frame_;
};

namespace detail {

template <class T>
coroutine<T> coroutine_promise<T>::get_return_object() noexcept {
  return coroutine<T>(std::coroutine_handle<coroutine_promise>::from_promise(*this));
}
inline coroutine<void> coroutine_promise<void>::get_return_object() noexcept {
  return coroutine<void>(std::coroutine_handle<coroutine_promise>::from_promise(*this));
}

}  // namespace detail
}  // namespace weir
