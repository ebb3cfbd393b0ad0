// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/object_freelist.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weir {

/// Options of an `object_pool`.
template <class T>
struct object_pool_options {
  /// Largest number of unused objects that the pool keeps; objects returned beyond it are
  /// destroyed. By default all are kept: about as many as were in use at the same time, a number
  /// that the capacities of the channels bound.
  std::size_t max_kept = std::numeric_limits<std::size_t>::max();
  /// Makes an object when the pool holds none, in the thread that calls `take`. Several threads may
  /// call it at the same time. If empty, the object is `T()`.
  std::function<T()> make = {};
  /// Prepares a returned object for its next use, in the thread that returns it. Several threads
  /// may call it at the same time, each for another object. If it throws, the object is destroyed.
  /// If empty, an object is handed out again in the state in which it was returned.
  std::function<void(T&)> reset = {};
};

namespace detail {

template <class T>
class typed_freelist final : public object_freelist {
 public:
  struct typed_cell final : cell {
    template <class Make>
    explicit typed_cell(Make&& make) : object(make()) {}
    T object;
  };

  explicit typed_freelist(object_pool_options<T> options)
      : object_freelist(options.max_kept), options_(std::move(options)) {}

  // @throws the exceptions of `make`; std::bad_alloc
  typed_cell& obtain() {
    if (cell* const kept = take()) return static_cast<typed_cell&>(*kept);
    typed_cell* const made = new_cell();
    adopt(*made);
    return *made;
  }

  static void put_back(typed_cell& of) noexcept {
    auto& freelist = static_cast<typed_freelist&>(*of.freelist);
    if (freelist.options_.reset) {
      try {
        freelist.options_.reset(of.object);
      } catch (...) {
        freelist.discard(of);
        return;
      }
    }
    freelist.give(of);
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

/// Owning handle of an object from an object_pool, as a `std::unique_ptr` is. It has the size of a
/// pointer and can be sent by value as an item. Its destructor returns the object to the pool, on
/// any thread and in any node.
///
/// **Thread safety.** As `std::unique_ptr`: one thread at a time may use a handle; different
/// handles are independent.
template <class T>
class pooled {
 public:
  /// An empty handle, like one that was moved from. Reading the object of an empty handle is
  /// undefined.
  pooled() noexcept = default;
  pooled(pooled&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  /// Returns the object held before to its pool.
  pooled& operator=(pooled&& other) noexcept {
    pooled(std::move(other)).swap(*this);
    return *this;
  }
  ~pooled() {
    if (held_ != nullptr) detail::typed_freelist<T>::put_back(*held_);
  }

  T& operator*() const noexcept { return held_->object; }
  T* operator->() const noexcept { return &held_->object; }
  T* get() const noexcept { return held_ == nullptr ? nullptr : &held_->object; }
  explicit operator bool() const noexcept { return held_ != nullptr; }

  void swap(pooled& other) noexcept { std::swap(held_, other.held_); }

 private:
  friend class object_pool<T>;
  using cell = typename detail::typed_freelist<T>::typed_cell;

  explicit pooled(cell& held) noexcept : held_(&held) {}

  cell* held_ = nullptr;
};

/// A pool of objects that are used again instead of being destroyed. Objects keep all that they
/// own: the capacity of vectors and strings, buffers, connections. Use it for items that are
/// expensive to make: a producer takes an object, fills it and sends it; the last owner lets its
/// handle go.
///
///     weir::object_pool<frame> frames({.make = [] { return frame(1920, 1080); }});
///     weir::source([frames]() -> std::optional<weir::pooled<frame>> { … frames.take() … })
///
/// **Thread safety.** Any thread may take, copy, and let go at any time. Copies of a pool refer to
/// the same pool, so copies of a node share it.
/// **Ownership.** When the last copy of a pool is destroyed, it destroys the unused objects.
/// Handles may outlive the pool, and then destroy their objects.
///
/// Cost: O(1): two locks that are rarely contended, one to take an object and one to return it, and
/// a shared lock for each batch of up to 8 objects. A `take` that finds no object near its thread
/// searches those kept by other threads before it makes a new one, O(cores). Memory: the objects,
/// each with three words. Objects that are small, or consist of one plain allocation of some
/// kilobytes, are better sent by value or left to a good allocator (docs/patterns.md).
/// @tparam T need not be movable; its destructor doesn't throw
///
/// Source: FastFlow's allocator, which F1 §2 names without describing it; J. Bonwick, The Slab
/// Allocator, USENIX 1994 (objects that keep their state), and J. Bonwick and J. Adams, Magazines
/// and Vmem, USENIX 2001 (which thread keeps objects where).
template <class T>
class object_pool {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "weir: an object_pool holds objects that can be written");
  static_assert(std::is_nothrow_destructible_v<T>,
                "weir: the objects of an object_pool don't throw from their destructor");

 public:
  /// Makes an empty pool; no object is made yet.
  /// @throws std::invalid_argument if `max_kept` is 0, or if there is no `make` and T has no
  /// default constructor
  explicit object_pool(object_pool_options<T> options = {})
      : freelist_(new detail::typed_freelist<T>(checked(std::move(options))),
                  [](auto* freelist) { freelist->close(); }) {}

  /// Returns a handle of an object that was returned before, or else of a new one. Never waits for
  /// an object.
  /// @throws the exceptions of making an object; the pool is then unchanged
  pooled<T> take() const { return pooled<T>(freelist_->obtain()); }

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

  std::shared_ptr<detail::typed_freelist<T>> freelist_;
};

}  // namespace weir
