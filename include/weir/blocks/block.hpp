// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/streams.hpp"
#include "weir/graph/network.hpp"

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weir {

namespace detail {

struct shape;
struct shared_shape;

/// The description of a block, shared by its copies (`weir/detail/blocks/shape.hpp`). Thread
/// safety: that of `std::shared_ptr`.
class shape_pointer {
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

// The methods of blocks, compiled once; see there.
shape_pointer named(const shape_pointer& what, std::string_view name);
shape_pointer in_group(const shape_pointer& what, std::string_view group);
shape_pointer blocking(const shape_pointer& what);
shape_pointer on_own_thread(const shape_pointer& what);
shape_pointer separate(const shape_pointer& what);
shape_pointer with_capacity(const shape_pointer& what, std::size_t items);
shape_pointer ordered(const shape_pointer& what);
shape_pointer in_flight(const shape_pointer& what, std::size_t items);
shape_pointer in_sequence(const shape_pointer& first, const shape_pointer& second);
network network_of(const shape_pointer& whole);

}  // namespace detail

/// A building block that takes items of type `In` and sends items of type `Out`; `void` where it
/// takes or sends none.
///
/// A block only describes: it is an immutable value, cheap to copy, and may be used in several
/// networks. Constructing one runs nothing but the copy of the node it is made of. `block<void,
/// void>` is a whole program: a `network`.
template <class In, class Out>
class [[nodiscard]] block {
 public:
  using in_type = In;
  using out_type = Out;

  [[gnu::always_inline]] explicit block(detail::shape_pointer shape) noexcept : shape_(std::move(shape)) {}

  /// Names it: the name is part of its nodes' paths, unique among its neighbours (a duplicate gets
  /// an ordinal).
  /// @throws graph_error if there is a '/', '[', ']' or a control character in it
  block named(std::string_view name) const { return block(detail::named(shape_, name)); }

  /// Puts every node of it in a group of processes (see cut).
  block in_group(std::string_view group) const { return block(detail::in_group(shape_, group)); }

  /// Its nodes may block in user code: the pool gives their core away while they run, instead of
  /// noticing first.
  block blocking() const { return block(detail::blocking(shape_)); }

  /// Its nodes have a thread each, under every executor.
  block on_own_thread() const { return block(detail::on_own_thread(shape_)); }

  /// Its nodes are never fused with their neighbours (see `fuse_neighbours`).
  block separate() const { return block(detail::separate(shape_)); }

  /// Each channel into it holds at most `items`, instead of about 32 KiB worth of them: for items
  /// that own much memory. What blocks inside it say of their own holds for them. @throws
  /// graph_error if `items` is 0
  block capacity(std::size_t items) const
    requires(!std::is_void_v<In>)
  {
    return block(detail::with_capacity(shape_, items));
  }

  /// It sends what it makes of its items in the order in which they came in, whatever its farms and
  /// sets are made of: filters, flat maps, farms in farms. What `start` and `finish` send belongs
  /// to no item and may stand anywhere. A dear item makes those behind it wait, in channels: memory
  /// stays bounded. Blocks inside it must have one way in and one out, and broadcast nothing (else
  /// graph_error). (F1 §2, the order-preserving farm.)
  block ordered() const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return block(detail::ordered(shape_));
  }

  /// At most `items` of those that came in are inside it at a time; the next one waits in front of
  /// it. An item is inside until the last that stems from it has left, however many nodes and farms
  /// it passes and whether anything comes out: for items that hold memory, files or requests.
  /// Implies `ordered`: an item that is done with, but behind one that is not, is inside, too. An
  /// item that a node keeps for later no longer counts. Blocks inside may be in other groups; what
  /// `ordered` says of them holds. @throws graph_error if `items` is 0
  block in_flight(std::size_t items) const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return block(detail::in_flight(shape_, items));
  }

  const detail::shape_pointer& shape() const noexcept { return shape_; }

  /// A whole program becomes a network.
  operator network() const  // NOLINT(google-explicit-constructor): `weir::network net = a | b | c`
    requires(std::is_void_v<In> && std::is_void_v<Out>)
  {
    return detail::network_of(shape_);
  }

 private:
  detail::shape_pointer shape_;
};

/// The error a mismatch of neighbours ends in: look at the two types in its name.
template <class Sends, class Receives>
struct item_types_of_neighbours {
  static constexpr bool match = std::is_same_v<Sends, Receives> || std::is_same_v<detail::together_t<Sends>, Receives>;
  static_assert(match,
                "weir: the left block sends items of another type than the right one takes (both are named above)");
};

/// Joins two blocks: what the left one sends, the right one takes.
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

template <class T>
concept some_block = std::is_class_v<T> && requires {
  typename T::in_type;
  typename T::out_type;
} && detail::converts_to_block(static_cast<const T*>(nullptr));

}  // namespace weir
