// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/streams.hpp"
#include "weir/export.hpp"
#include "weir/graph/network.hpp"

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weir {

namespace detail {

struct shape;
struct shared_shape;

/// Pointer to the description of a block, which the copies of the block share
/// (`weir/detail/blocks/shape.hpp`). Thread safety: that of `std::shared_ptr`.
class WEIR_API shape_pointer {
 public:
  explicit shape_pointer(shared_shape* owned) noexcept : shape_(owned) {}
  shape_pointer(const shape_pointer& other) noexcept;
  [[gnu::always_inline]] shape_pointer(shape_pointer&& other) noexcept : shape_(other.shape_) {
    other.shape_ = nullptr;
  }
  shape_pointer& operator=(shape_pointer other) noexcept {
    std::swap(shape_, other.shape_);
    return *this;
  }
  ~shape_pointer();

  const shape& operator*() const noexcept;
  const shape* operator->() const noexcept { return &**this; }

 private:
  shared_shape* shape_;
};

// Implementations of the methods of `block`, compiled once. See the methods for their contracts.
WEIR_API shape_pointer named(const shape_pointer& what, std::string_view name);
WEIR_API shape_pointer in_group(const shape_pointer& what, std::string_view group);
WEIR_API shape_pointer blocking(const shape_pointer& what);
WEIR_API shape_pointer on_own_thread(const shape_pointer& what);
WEIR_API shape_pointer separate(const shape_pointer& what);
WEIR_API shape_pointer with_capacity(const shape_pointer& what, std::size_t items);
WEIR_API shape_pointer ordered(const shape_pointer& what);
WEIR_API shape_pointer in_flight(const shape_pointer& what, std::size_t items);
WEIR_API shape_pointer in_sequence(const shape_pointer& first, const shape_pointer& second);
WEIR_API network network_of(const shape_pointer& whole);

}  // namespace detail

/// A building block that takes items of type `In` and sends items of type `Out`. A type is `void`
/// if the block takes or sends no items.
///
/// A block is only a description. It is an immutable value, cheap to copy, and may be used in
/// several networks. Constructing a block runs no code but the copy constructor of its node. A
/// `block<void, void>` is a whole program: a `network`.
template <class In, class Out>
class [[nodiscard]] block {
 public:
  using in_type = In;
  using out_type = Out;

  [[gnu::always_inline]] explicit block(detail::shape_pointer shape) noexcept : shape_(std::move(shape)) {}

  /// Gives the block a name. The name is part of the paths of its nodes. It is unique among
  /// neighbouring blocks: a duplicate name gets an ordinal.
  /// @throws graph_error if `name` contains '/', '[', ']' or a control character
  block named(std::string_view name) const { return block(detail::named(shape_, name)); }

  /// Puts every node of the block into a group of processes (see `cut`).
  block in_group(std::string_view group) const { return block(detail::in_group(shape_, group)); }

  /// Says that the nodes of the block may block in user code. The pool then gives their core to
  /// another worker thread while they run, instead of first having to notice that they block.
  block blocking() const { return block(detail::blocking(shape_)); }

  /// Gives each node of the block a thread of its own, under every executor.
  block on_own_thread() const { return block(detail::on_own_thread(shape_)); }

  /// Keeps the nodes of the block from being fused with their neighbours (see `fuse_neighbours`).
  block separate() const { return block(detail::separate(shape_)); }

  /// Limits each channel into the block to `items` items. Without this limit a channel holds about
  /// 32 KiB of items. Use it for items that own much memory. A capacity that is set on an inner
  /// block takes precedence for that block.
  /// @throws graph_error if `items` is 0 or negative
  block capacity(std::size_t items) const
    requires(!std::is_void_v<In>)
  {
    return block(detail::with_capacity(shape_, items));
  }

  /// Makes the block send its results in the order of the items that came in, for any combination
  /// of inner farms and sets: filters, flat maps, farms in farms. Items that `start` and `finish`
  /// send belong to no input item and may appear anywhere. An item that takes long makes later
  /// items wait in channels, so memory stays bounded. Inner blocks must have one input stream and
  /// one output stream, and must not broadcast (else `graph_error`). (F1 §2, the order-preserving
  /// farm.)
  block ordered() const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return block(detail::ordered(shape_));
  }

  /// Admits at most `items` input items into the block at a time. The next item waits in front of
  /// the block. An item is inside until the last result that stems from it has left, however many
  /// nodes and farms it passes, and even if it has no result. Use it for items that hold memory,
  /// files or requests. Implies `ordered`: a finished item behind an unfinished one still counts as
  /// inside. An item that a node keeps for later no longer counts. Inner blocks may be in other
  /// groups. The restrictions that `ordered` puts on inner blocks apply here, too.
  /// @throws graph_error if `items` is 0 or negative
  block in_flight(std::size_t items) const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return block(detail::in_flight(shape_, items));
  }

  const detail::shape_pointer& shape() const noexcept { return shape_; }

  /// Turns a whole program into a network. A block with open ends is a compile error.
  operator network() const {  // NOLINT(google-explicit-constructor): `weir::network net = a | b | c`
    static_assert(std::is_void_v<In>,
                  "weir: this block takes items (their type is named above), and nothing sends it any: put a source "
                  "before it");
    static_assert(std::is_void_v<Out>,
                  "weir: this block sends items (their type is named above), and nothing takes them: put a sink "
                  "behind it");
    return detail::network_of(shape_);
  }

 private:
  detail::shape_pointer shape_;
};

/// Checks that two neighbours fit. If its static assertion fails, the error message shows the two
/// item types.
template <class Sends, class Receives>
struct item_types_of_neighbours {
  static constexpr bool match = std::is_same_v<Sends, Receives> || std::is_same_v<detail::together_t<Sends>, Receives>;
  static_assert(match,
                "weir: the left block sends items of another type than the right one takes (both are named above)");
};

/// Joins two blocks: the right block takes the items that the left block sends.
template <class In, class Sends, class Receives, class Out>
block<In, Out> operator|(const block<In, Sends>& left, const block<Receives, Out>& right) {
  static_assert(!std::is_void_v<Sends>, "weir: the left block sends nothing, so nothing can follow it");
  static_assert(!std::is_void_v<Receives>, "weir: the right block takes nothing, so it can't follow another");
  static_assert(item_types_of_neighbours<Sends, Receives>::match);
  return block<In, Out>(detail::in_sequence(left.shape(), right.shape()));
}

namespace detail {

template <class In, class Out>
constexpr bool converts_to_block(const block<In, Out>*) noexcept {
  return true;
}
constexpr bool converts_to_block(const void*) noexcept { return false; }

}  // namespace detail

/// A type that is a block: `block<In, Out>`, or a class derived from one.
template <class T>
concept some_block = std::is_class_v<T> && requires {
  typename T::in_type;
  typename T::out_type;
} && detail::converts_to_block(static_cast<const T*>(nullptr));

}  // namespace weir
