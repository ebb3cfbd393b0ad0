// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

// Type erasure for functions of authors, for library code that is compiled once: an object, and a
// table of the operations on it.

namespace weir::detail {

struct value_functions {
  void* (*copy)(const void* value);       ///< copies with `new`; null if it can't be copied
  void (*destroy)(void* value) noexcept;  ///< destroys with `delete`
};

template <class T>
void* copy_value(const void* value) {
  return new T(*static_cast<const T*>(value));
}
template <class T>
void destroy_value(void* value) noexcept {
  delete static_cast<T*>(value);
}
template <class T>
constexpr value_functions value_functions_of() noexcept {
  if constexpr (std::is_copy_constructible_v<T>) {
    return {copy_value<T>, destroy_value<T>};
  } else {
    return {nullptr, destroy_value<T>};
  }
}

/// Operations on a function of an author. `call` takes the function object as its first argument.
template <class Call>
struct erased_function {
  value_functions functions;
  Call call;
};

template <class F, auto call>
inline constexpr erased_function<decltype(call)> erased{value_functions_of<F>(), call};

template <class Call>
class author_function;

/// A function of an author, or none. It is a value: each copy has its own state.
template <class Result, class... Args>
class author_function<Result (*)(void*, Args...)> {
 public:
  using call_type = Result (*)(void*, Args...);

  author_function() = default;

  /// Takes ownership of `owned`, which was made with `new`.
  author_function(const erased_function<call_type>& about, void* owned) noexcept : about_(&about), function_(owned) {}

  template <class F>
    requires(!std::is_same_v<F, author_function> && requires(F& f, Args... args) { Result(f(args...)); })
  author_function(F f)  // NOLINT(google-explicit-constructor)
      : about_(&erased<F, call_of<F>>), function_(new F(std::move(f))) {}

  author_function(const author_function& other)
      : about_(other.about_),
        function_(other.function_ != nullptr ? about_->functions.copy(other.function_) : nullptr) {}
  author_function(author_function&& other) noexcept
      : about_(other.about_), function_(std::exchange(other.function_, nullptr)) {}
  author_function& operator=(author_function other) noexcept {
    std::swap(about_, other.about_);
    std::swap(function_, other.function_);
    return *this;
  }
  ~author_function() {
    if (function_ != nullptr) about_->functions.destroy(function_);
  }

  explicit operator bool() const noexcept { return function_ != nullptr; }
  Result operator()(Args... args) const { return about_->call(function_, args...); }

 private:
  template <class F>
  static Result call_of(void* f, Args... args) {
    return (*static_cast<F*>(f))(args...);
  }

  const erased_function<call_type>* about_ = nullptr;
  void* function_ = nullptr;
};

}  // namespace weir::detail
