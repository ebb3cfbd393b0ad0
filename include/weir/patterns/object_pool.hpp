// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/object_depot.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weir {

template <class T>
struct object_pool_options {
  /// The most objects out of use that are kept; what comes back beyond that is destroyed. By
  /// default all are kept: about as many as were in use at a time, which the channels that they go
  /// through bound.
  std::size_t max_kept = std::numeric_limits<std::size_t>::max();
  /// Makes an object where none is kept, in the thread that takes; if empty, `T()`. Several threads
  /// may call it at a time.
  std::function<T()> make = {};
  /// Prepares an object that comes back for its next use, in the thread that gives it back. Several
  /// threads may call it at a time, each for another object. If it throws, the object is destroyed.
  /// If empty, an object is handed out again as it was left.
  std::function<void(T&)> reset = {};
};

namespace detail {

template <class T>
class typed_depot final : public object_depot {
 public:
  struct typed_cell final : cell {
    template <class Make>
    explicit typed_cell(Make&& make) : object(make()) {}
    T object;
  };

  explicit typed_depot(object_pool_options<T> options) : object_depot(options.max_kept), options_(std::move(options)) {}

  // @throws what `make` throws; std::bad_alloc
  typed_cell& obtain() {
    if (cell* const kept = take()) return static_cast<typed_cell&>(*kept);
    typed_cell* const made = new_cell();
    adopt(*made);
    return *made;
  }

  static void put_back(typed_cell& of) noexcept {
    auto& home = static_cast<typed_depot&>(*of.home);
    if (home.options_.reset) {
      try {
        home.options_.reset(of.object);
      } catch (...) {
        home.discard(of);
        return;
      }
    }
    home.give(of);
  }

 private:
  typed_cell* new_cell() {
    if constexpr (std::default_initializable<T>) {
      if (!options_.make) return new typed_cell([] { return T(); });
    }
    return new typed_cell(options_.make);
  }

  void destroy(cell& what) noexcept override { delete &static_cast<typed_cell&>(what); }

  const object_pool_options<T> options_;
};

}  // namespace detail

template <class T>
class object_pool;

/// An object of an object_pool while it is in use: its only holder, as a `std::unique_ptr` is. An
/// item that travels by value, of the size of a pointer. When it is destroyed, wherever that is,
/// the object goes back to its pool.
///
/// **Thread safety.** That of `std::unique_ptr`: one handle is one thread's at a time, different
/// handles have nothing to do with each other.
template <class T>
class pooled {
 public:
  /// Holds nothing, like one that was moved from. To read the object of such a handle is undefined.
  pooled() noexcept = default;
  pooled(pooled&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  /// Gives back what it held.
  pooled& operator=(pooled&& other) noexcept {
    pooled(std::move(other)).swap(*this);
    return *this;
  }
  ~pooled() {
    if (held_ != nullptr) detail::typed_depot<T>::put_back(*held_);
  }

  T& operator*() const noexcept { return held_->object; }
  T* operator->() const noexcept { return &held_->object; }
  T* get() const noexcept { return held_ == nullptr ? nullptr : &held_->object; }
  explicit operator bool() const noexcept { return held_ != nullptr; }

  void swap(pooled& other) noexcept { std::swap(held_, other.held_); }

 private:
  friend class object_pool<T>;
  using cell = typename detail::typed_depot<T>::typed_cell;

  explicit pooled(cell& held) noexcept : held_(&held) {}

  cell* held_ = nullptr;
};

/// Objects that are used again instead of being destroyed, with all that they own: the capacity of
/// their vectors and strings, their buffers, their connections. For items that are dear to make: a
/// producer takes one, fills it and sends it; whoever has it last lets it go.
///
///     weir::object_pool<frame> frames({.make = [] { return frame(1920, 1080); }});
///     weir::source([frames]() -> std::optional<weir::pooled<frame>> { … frames.take() … })
///
/// **Thread safety.** Any thread may take, copy, and let go at any time. Copies of a pool are the
/// same pool, so copies of a node share it.
/// **Ownership.** A pool that is destroyed, its last copy, destroys the objects it keeps; handles
/// may outlive it, and destroy theirs.
///
/// Cost: O(1), two locks that others seldom want, one to take an object and one to give it back,
/// and a shared one for each batch of up to 8. A take that finds nothing nearby looks where other
/// threads keep theirs before it makes one, O(cores). Memory: the objects, each with three words.
/// What is small, or one plain allocation of some kilobytes, is better sent by value or left to a
/// good allocator (docs/patterns.md).
/// @tparam T need not be movable; its destructor doesn't throw Source: FastFlow's allocator, which
/// F1 §2 names and leaves to others to present; J. Bonwick, The Slab Allocator, USENIX 1994
/// (objects
///   that keep their state), and J. Bonwick and J. Adams, Magazines and Vmem, USENIX 2001 (who keeps them where).
template <class T>
class object_pool {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "weir: an object_pool holds objects that can be written");
  static_assert(std::is_nothrow_destructible_v<T>,
                "weir: the objects of an object_pool don't throw from their destructor");

 public:
  /// Makes no object yet.
  /// @throws std::invalid_argument if `max_kept` is 0, or if there is no `make` and T has no
  /// default constructor
  explicit object_pool(object_pool_options<T> options = {})
      : depot_(new detail::typed_depot<T>(checked(std::move(options))), [](auto* depot) { depot->close(); }) {}

  /// An object that was given back, or else a new one. Never waits for one.
  /// @throws what making one throws; the pool is as before
  pooled<T> take() const { return pooled<T>(depot_->obtain()); }

 private:
  static object_pool_options<T> checked(object_pool_options<T> options) {
    if (options.max_kept == 0) {
      throw std::invalid_argument("object_pool: max_kept is 0, which keeps nothing; use at least 1");
    }
    if (!std::default_initializable<T> && !options.make) {
      throw std::invalid_argument("object_pool: its objects have no default constructor; say how to make one");
    }
    return options;
  }

  std::shared_ptr<detail::typed_depot<T>> depot_;
};

}  // namespace weir
