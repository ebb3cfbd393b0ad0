// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/detail/blocks/signature.hpp"
#include "weir/detail/channel/cursor.hpp"
#include "weir/detail/graph/erased.hpp"
#include "weir/export.hpp"
#include "weir/item/item_type.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

// The interface between an author's node and the compiled library: an object, and one table of
// functions for each type of node. Channels, ports and policies are compiled once
// (src/blocks/typed_node.cpp). Only the functions here know the types of the node and its items.

namespace weir::detail {

/// The items that a node takes in one call, and the slots for their results. The library fills the
/// batch in. The node's function counts each item when it is finished, so both sides know the
/// progress, also if an exception ends the function. In that case the item after those that were
/// taken is the current one, and the library destroys it.
///
/// If `told` is set, the cursors are those of channels that other threads read, and each update is
/// a release. Otherwise producer and consumer take turns on one thread (`basic_channel::internal`),
/// and the cursors hold the indices at the end.
///
/// There is one batch for every few dozen items, so it is not cleared first:
/// src/blocks/typed_node.cpp sets the members that a function reads.
struct batch {
  cursor* in;                ///< the first item
  std::size_t count;         ///< number of items to take and of free slots; for a source, of slots alone
  cursor* out;               ///< the first free slot
  const sleepers* sleeping;  ///< threads that must be told of an item
  item_sender* to;           ///< the first out-port
  ports* at;                 ///< ports of the node
  const std::atomic<std::uint32_t>* spilling;  ///< while it is above 0, a node with outlets takes no further item
  const std::atomic<std::uint8_t>* requests;   ///< once it is not 0, a source makes no further item
  bool told;
};

/// The way in which a function of a node sends its results.
enum class sending : std::uint8_t {
  nothing,  ///< it has no results
  value,    ///< it returns at most one result for an item, which goes to `batch::out`
  outlets,  ///< it sends its results itself
};

/// Takes the items of one in-port. The function of a source makes items.
struct batch_function {
  void (*call)(void* node, batch& some);
  sending how;
};

struct node_functions {
  std::size_t size;                             ///< size of a node in bytes
  std::size_t alignment;                        ///< alignment of a node
  void (*make)(void* memory, void* prototype);  ///< makes a node
  void (*destroy)(void* node) noexcept;         ///< null if there is nothing to do
  void (*destroy_prototype)(void* prototype) noexcept;
  void (*start)(void* node, ports& at);  ///< null if the node has no such function, as the next three
  void (*quiet)(void* node, ports& at);
  void (*finish)(void* node, ports& at);
  void (*on_deadline)(void* node, ports& at);
  std::int64_t (*deadline)(void* node);  ///< as behaviour::deadline; null if there is no on_deadline
  const batch_function* take;            ///< one for each in-port; one for a source
  const item_type* const* in;            ///< item type of each in-port
  const item_type* const* out;           ///< item type of each out-port
  std::uint8_t ins;
  std::uint8_t outs;
  bool one_for_one;  ///< known to send exactly one item for each that it takes
  bool plain;        ///< known to take any available item, and to wait only for input and room
  bool only_once;    ///< `make` moves the prototype, so there can be only one node
  bool is_loop;      ///< a source written as a loop
};

/// Makes a block that is one node. Takes ownership of `prototype`, also if it throws.
WEIR_API shape_pointer node_shape(const char* kind, const node_functions& functions, void* prototype);

/// Returns the i-th out-port.
WEIR_API item_sender& sender_of(ports& at, std::size_t i) noexcept;

/// Returns `host::has_partial_item` of the node.
WEIR_API bool has_partial_item(ports& at) noexcept;

// ---- item types ----

template <class List>
inline constexpr const item_type* const* item_types = nullptr;
template <class... Items>
  requires(sizeof...(Items) != 0)
inline constexpr const item_type* item_types_array[] = {&item_type_of<Items>()...};
template <class First, class... Rest>
inline constexpr const item_type* const* item_types<type_list<First, Rest...>> = item_types_array<First, Rest...>;

// ---- start, quiet, finish, on_deadline ----

template <class By, class F, class... Outs>
void call_hook(void* node, ports& at) {
  F& f = *static_cast<F*>(node);
  if constexpr (sizeof...(Outs) != 0 && callable_with<By, F, outlet<Outs>&...>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto with = [&](outlet<Outs>&&... out) { call<By>(f, at, out...); };
      with(outlet<Outs>(sender_of(at, I))...);
    }(std::index_sequence_for<Outs...>{});
  } else {
    call<By>(f, at);
  }
}

// Whether the hook is to be called. `exists` says that F has such a member, which must then be
// callable.
template <class By, class F, bool exists, class... Outs>
constexpr bool is_called(type_list<Outs...>) noexcept {
  if constexpr (!std::is_class_v<F>) {
    return false;
  } else if constexpr (callable_with<By, F, outlet<Outs>&...>) {
    static_assert(
        std::is_void_v<result_of<By, F, outlet<Outs>&...>>,
        "weir: start, quiet, finish and on_deadline return nothing; they send by the outlets that process has");
    return true;
  } else if constexpr (callable_with<By, F>) {
    static_assert(
        std::is_void_v<result_of<By, F>>,
        "weir: start, quiet, finish and on_deadline return nothing; they send by the outlets that process has");
    return true;
  } else {
    static_assert(
        !exists,
        "weir: start, quiet, finish and on_deadline are public functions that take the outlets that process has, or "
        "none; rename a private member that is meant for something else");
    return false;
  }
}

template <class By, class F, bool exists, class... Outs>
constexpr auto hook(type_list<Outs...>) noexcept -> void (*)(void*, ports&) {
  if constexpr (is_called<By, F, exists>(type_list<Outs...>{})) {
    return call_hook<By, F, Outs...>;
  } else {
    return nullptr;
  }
}

template <class F>
concept says_deadline = requires(F& f) {
  requires decltype(f.deadline())::clock::is_steady;
  requires decltype(f.deadline())::period::den == 1'000'000'000;
};
template <class F>
constexpr bool is_timed() noexcept {
  static_assert(!has_on_deadline<F> || says_deadline<F>,
                "weir: a node with on_deadline says by deadline() when that is due, as a "
                "std::chrono::steady_clock::time_point");
  static_assert(has_on_deadline<F> || !says_deadline<F>,
                "weir: deadline() says when on_deadline() is due, and this node has no on_deadline(); add one, or "
                "rename deadline()");
  return has_on_deadline<F> && says_deadline<F>;
}
// @tparam By how the items of each in-port are taken
template <class F, class... By>
constexpr void check_returned() noexcept {
  static_assert(!has_returned<F> || (std::is_same_v<By, by_returned> || ...),
                "weir: returned is called only of the master of a loop: say weir::feedback(master, worker)");
}
// All hooks of a node that is fused with another one, by the compiler.
template <class F, class Outs>
constexpr void check_hooks() noexcept {
  static_cast<void>(is_called<by_start, F, has_start<F>>(Outs{}));
  static_cast<void>(is_called<by_quiet, F, has_quiet<F>>(Outs{}));
  static_cast<void>(is_called<by_finish, F, has_finish<F>>(Outs{}));
  static_cast<void>(is_called<by_on_deadline, F, has_on_deadline<F>>(Outs{}));
  static_cast<void>(is_timed<F>());
  check_returned<F>();
}
template <class F>
std::int64_t deadline_of(void* node) {
  return static_cast<F*>(node)->deadline().time_since_epoch().count();
}

// ---- process ----

// Whether the function always makes exactly one item of an item.
template <class By, class F, class In>
concept returns_one = callable_with<By, F, In> && !std::is_void_v<result_of<By, F, In>> &&
                      !is_optional<std::remove_cvref_t<result_of<By, F, In>>>;

// The items of a batch, one after the other.
template <class In, bool told>
class items_in {
 public:
  [[gnu::always_inline]] explicit items_in(batch& some) noexcept : at_(*some.in), end_(at_.number() + some.count) {}

  [[gnu::always_inline]] bool more() const noexcept { return at_.number() != end_; }
  [[gnu::always_inline]] In&& take() noexcept { return std::move(at_.item()); }
  [[gnu::always_inline]] void done() noexcept {
    at_.item().~In();
    at_.done();
  }

 private:
  item_cursor<In, told> at_;
  const std::uint64_t end_;
};

// The slots of a batch.
template <class Out, bool told>
class slots_in {
 public:
  [[gnu::always_inline]] explicit slots_in(batch& some) noexcept
      : some_(some), at_(*some.out), sleeping_(some.sleeping) {}

  [[gnu::always_inline]] void* slot() const noexcept { return at_.slot(); }
  [[gnu::always_inline]] void filled() noexcept {
    at_.done();
    if constexpr (told) {
      if (sleeping_->any()) [[unlikely]]
        some_.to->wake_early();
    }
  }

 private:
  batch& some_;
  item_cursor<Out, told> at_;
  const sleepers* const sleeping_;
};

template <class By, class F, class In, bool told>
[[gnu::always_inline]] inline void take_all(F& f, batch& some) {
  items_in<In, told> items(some);
  while (items.more()) {
    call<By>(f, *some.at, items.take());
    items.done();
  }
}
template <class By, class F, class In, class Out, bool told>
[[gnu::always_inline]] inline void take_all_and_return(F& f, batch& some) {
  items_in<In, told> items(some);
  slots_in<Out, told> slots(some);
  while (items.more()) {
    if constexpr (returns_one<By, F, In>) {
      ::new (slots.slot()) Out(call<By>(f, *some.at, items.take()));
      slots.filled();
    } else if (std::optional<Out> result = call<By>(f, *some.at, items.take())) {
      ::new (slots.slot()) Out(std::move(*result));
      slots.filled();
    }
    items.done();
  }
}

template <class By, class F, class In>
void take_and_send_nothing(void* node, batch& some) {
  F& f = *static_cast<F*>(node);
  some.told ? take_all<By, F, In, true>(f, some) : take_all<By, F, In, false>(f, some);
}

template <class By, class F, class In, class Out>
void take_and_return(void* node, batch& some) {
  F& f = *static_cast<F*>(node);
  some.told ? take_all_and_return<By, F, In, Out, true>(f, some) : take_all_and_return<By, F, In, Out, false>(f, some);
}

template <class By, class F, class In, class... Outs>
void take_and_send(void* node, batch& some) {
  F& f = *static_cast<F*>(node);
  items_in<In, true> items(some);
  const auto take_all = [&](outlet<Outs>&&... out) {
    while (items.more() && some.spilling->load(std::memory_order_relaxed) == 0) {
      call<By>(f, *some.at, items.take(), out...);
      items.done();
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    take_all(outlet<Outs>(I == 0 ? *some.to : sender_of(*some.at, I))...);
  }(std::index_sequence_for<Outs...>{});
}

template <class By, class F, class In, class... Outs>
constexpr batch_function function_for(type_list<Outs...>) noexcept {
  if constexpr (sizeof...(Outs) != 0 && callable_with<By, F, In, outlet<Outs>&...>) {
    return {take_and_send<By, F, In, Outs...>, sending::outlets};
  } else if constexpr (sizeof...(Outs) == 0) {
    static_assert(callable_with<By, F, In>, "weir: this node can't be called with its item type");
    return {take_and_send_nothing<By, F, In>, sending::nothing};
  } else {
    static_assert(sizeof...(Outs) == 1 && callable_with<By, F, In>,
                  "weir: this node can't be called with an item of each stream that it takes, and its outlets");
    if constexpr (sizeof...(Outs) == 1 && callable_with<By, F, In>) {
      return {take_and_return<By, F, In, Outs...>, sending::value};
    } else {
      return {};
    }
  }
}

// ---- the table ----

// A prototype that is a node itself. Each node is a copy of it. If it can't be copied, the only
// node is the prototype itself, moved.
template <class F>
struct node_prototype {
  using type = F;
  using node = F;
  static constexpr bool only_once = !std::is_copy_constructible_v<F>;

  static void make(void* memory, void* prototype) {
    F& original = *static_cast<F*>(prototype);
    if constexpr (only_once) {
      ::new (memory) F(std::move(original));
    } else {
      ::new (memory) F(std::as_const(original));
    }
  }
};

template <class F>
void end_node(void* node) noexcept {
  static_cast<F*>(node)->~F();
}

// Says which function of a node takes the items of an in-port.
template <class By, class In>
struct takes {
  using by = By;
  using in = In;
};

template <class F, class Outs, class... Takes>
inline constexpr batch_function batch_functions[] = {
    function_for<typename Takes::by, F, typename Takes::in>(Outs{})...};

template <class Prototype, class Outs, class... Takes>
constexpr node_functions make_node_functions() noexcept {
  using F = typename Prototype::node;
  check_returned<F, typename Takes::by...>();
  node_functions made{};
  made.size = sizeof(F);
  made.alignment = alignof(F);
  made.make = Prototype::make;
  made.only_once = Prototype::only_once;
  made.destroy_prototype = destroy_value<typename Prototype::type>;
  if constexpr (!std::is_trivially_destructible_v<F>) made.destroy = end_node<F>;
  made.start = hook<by_start, F, has_start<F>>(Outs{});
  made.quiet = hook<by_quiet, F, has_quiet<F>>(Outs{});
  made.finish = hook<by_finish, F, has_finish<F>>(Outs{});
  made.on_deadline = hook<by_on_deadline, F, has_on_deadline<F>>(Outs{});
  if constexpr (sizeof...(Takes) == 0) {
    static_assert(!has_on_deadline<F>, "weir: a source does not wait for input, so it has no on_deadline");
  } else if constexpr (is_timed<F>()) {
    made.deadline = deadline_of<F>;
  }
  if constexpr (sizeof...(Takes) != 0) made.take = batch_functions<F, Outs, Takes...>;
  made.in = item_types<type_list<typename Takes::in...>>;
  made.out = item_types<Outs>;
  made.ins = sizeof...(Takes);
  made.outs = length_of<Outs>;
  if constexpr (sizeof...(Takes) == 1 && length_of<Outs> == 1) {
    made.one_for_one = (returns_one<typename Takes::by, F, typename Takes::in> && ...);
  }
  made.plain = sizeof...(Takes) == 1 && length_of<Outs> <= 1;
  return made;
}

template <class Prototype, class Outs, class... Takes>
inline constexpr node_functions node_functions_of = make_node_functions<Prototype, Outs, Takes...>();

}  // namespace weir::detail
