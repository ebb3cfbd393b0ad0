// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace weir {

/// A coroutine that makes values one after the other, each on demand (a subset of C++23's
/// `std::generator`):
///
///     weir::generator<int> squares(int count) {
///       for (int n = 0; n != count; ++n) co_yield n * n;
///     }
///
/// Move-only. Nothing runs before the first `begin()`; `begin()` and `++` throw the exceptions of
/// the coroutine. It is an input range, which can be traversed once. The destructor destroys the
/// coroutine at the point that it has reached. Not thread-safe, but it may move between threads.
template <class T>
class generator {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "weir: a generator makes values");

 public:
  class promise_type;
  class iterator;

  generator(generator&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  generator& operator=(generator other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  ~generator() {
    if (coroutine_) coroutine_.destroy();
  }

  /// Runs the coroutine to the first value. May be called once.
  iterator begin() {
    if (coroutine_) resume(coroutine_);
    return iterator(coroutine_);
  }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  using handle = std::coroutine_handle<promise_type>;

  explicit generator(handle coroutine) noexcept : coroutine_(coroutine) {}

  static void resume(handle coroutine) {
    coroutine.resume();
    if (coroutine.promise().problem) std::rethrow_exception(std::exchange(coroutine.promise().problem, nullptr));
  }

  handle coroutine_;
};

template <class T>
class generator<T>::promise_type {
 public:
  generator get_return_object() noexcept { return generator(handle::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }

  std::suspend_always yield_value(T&& item) noexcept {
    yielded = std::addressof(item);
    return {};
  }
  auto yield_value(const T& item) noexcept(std::is_nothrow_copy_constructible_v<T>)
    requires std::copy_constructible<T>
  {
    struct holder {
      T copy;
      bool await_ready() const noexcept { return false; }
      void await_suspend(handle coroutine) noexcept { coroutine.promise().yielded = std::addressof(copy); }
      void await_resume() const noexcept {}
    };
    return holder{item};
  }
  void return_void() const noexcept {}
  void unhandled_exception() noexcept { problem = std::current_exception(); }
  void await_transform() = delete;  // a generator awaits nothing

 private:
  friend class generator;
  friend class iterator;
  T* yielded = nullptr;
  std::exception_ptr problem;
};

template <class T>
class generator<T>::iterator {
 public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;

  iterator(iterator&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  iterator& operator=(iterator&& other) noexcept {
    coroutine_ = std::exchange(other.coroutine_, nullptr);
    return *this;
  }
  ~iterator() = default;

  T&& operator*() const noexcept { return std::move(*coroutine_.promise().yielded); }
  iterator& operator++() {
    resume(coroutine_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const iterator& at, std::default_sentinel_t) noexcept {
    return !at.coroutine_ || at.coroutine_.done();
  }

 private:
  friend class generator;
  explicit iterator(handle coroutine) noexcept : coroutine_(coroutine) {}
  handle coroutine_;
};

}  // namespace weir
