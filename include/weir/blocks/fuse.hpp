// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/export.hpp"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

/// An out-port that hands each item to a function. It serves a node that has an outlet and is fused
/// with the next node.
class WEIR_API handing_port {
 public:
  handing_port() = default;
  // Does not copy `port_`: each copy of a node makes a port of its own.
  handing_port(const handing_port&) noexcept {}
  handing_port& operator=(const handing_port&) = delete;
  ~handing_port();

  /// Returns the port, which from now on hands each item to `take(receiver, item)`. `take` moves
  /// the item out. It does not destroy the item.
  item_sender& to(ports& at, const item_type& type, void* receiver, void (*take)(void* receiver, void* item));

 private:
  item_sender* port_ = nullptr;  // owned
};

template <class F>
concept sends_one_stream = length_of<typename deduced_node<F>::outlets> < 2;

template <class F>
struct fused_types : deduced_node<F> {
  using by = body_of<F>;
  static constexpr bool has_outlet = length_of<typename deduced_node<F>::outlets> == 1;
  static constexpr bool returns_nothing = std::is_void_v<typename deduced_node<F>::out>;
  static constexpr bool returns_item = !has_outlet && returns_one<by, F, typename deduced_node<F>::in>;
};

/// `First` followed by `Second` as one node (F2, the node combiner). `second_` takes each item as
/// soon as `first_` sends it.
template <class First, class Second>
class fused_pair {
 public:
  using in = typename fused_types<First>::in;
  using mid = typename fused_types<First>::out;
  using out = typename fused_types<Second>::out;

  fused_pair(First first, Second second) : first_(std::move(first)), second_(std::move(second)) {}

 protected:
  using a = fused_types<First>;
  using b = fused_types<Second>;

  decltype(auto) first(in&& item, context& where) { return call_here<typename a::by>(first_, where, std::move(item)); }
  decltype(auto) second(mid&& item, context& where) {
    return call_here<typename b::by>(second_, where, std::move(item));
  }

  /// Calls `use(mid)` for each result of `first_` for an item.
  template <class Use>
  void each_of_first(in&& item, context& where, Use&& use) {
    if constexpr (a::has_outlet) {
      outlet<mid> between = outlet_to(where, use);
      call_here<typename a::by>(first_, where, std::move(item), between);
    } else if constexpr (a::returns_item) {
      use(first(std::move(item), where));
    } else {
      if (std::optional<mid> made = first(std::move(item), where)) use(std::move(*made));
    }
  }

  /// Sends the results of `second_` to `to`.
  template <class... Outlet>
  void send_second(mid&& item, context& where, Outlet&... to) {
    if constexpr (b::has_outlet || b::returns_nothing) {
      call_here<typename b::by>(second_, where, std::move(item), to...);
    } else if constexpr (b::returns_item) {
      (to.send(second(std::move(item), where)), ...);
    } else {
      if (std::optional<out> made = second(std::move(item), where)) (to.send(std::move(*made)), ...);
    }
  }

  template <class By, class... Outlet>
  void call_hooks(context& where, Outlet&... to) {
    call_hook_of_first<By>(where, to...);
    call_hook_of_second<By>(where, to...);
  }

  /// Calls `on_deadline` of the node whose deadline comes first.
  template <class... Outlet>
  void call_on_deadline(context& where, Outlet&... to) {
    bool first_is_due = has_on_deadline<First>;
    if constexpr (has_on_deadline<First> && has_on_deadline<Second>) {
      first_is_due = first_.deadline() <= second_.deadline();
    }
    if (first_is_due) {
      call_hook_of_first<by_on_deadline>(where, to...);
    } else {
      call_hook_of_second<by_on_deadline>(where, to...);
    }
  }

  auto earlier_deadline() {
    if constexpr (!has_on_deadline<Second>) {
      return first_.deadline();
    } else if constexpr (!has_on_deadline<First>) {
      return second_.deadline();
    } else {
      return first_.deadline() <= second_.deadline() ? first_.deadline() : second_.deadline();
    }
  }

 private:
  template <class By, class... Outlet>
  void call_hook_of_first(context& where, Outlet&... to) {
    if constexpr (callable_with<By, First, outlet<mid>&>) {
      const auto use = [&](mid&& item) { send_second(std::move(item), where, to...); };
      outlet<mid> between = outlet_to(where, use);
      call_here<By>(first_, where, between);
    } else if constexpr (callable_with<By, First>) {
      call_here<By>(first_, where);
    }
  }
  template <class By, class... Outlet>
  void call_hook_of_second(context& where, Outlet&... to) {
    if constexpr (sizeof...(Outlet) != 0 && callable_with<By, Second, Outlet&...>) {
      call_here<By>(second_, where, to...);
    } else if constexpr (callable_with<By, Second>) {
      call_here<By>(second_, where);
    }
  }

  template <class Use>
  outlet<mid> outlet_to(context& where, Use& use) {
    return outlet<mid>(
        port_.to(where.place(), item_type_of<mid>(), const_cast<std::remove_const_t<Use>*>(&use),
                 [](void* to, void* item) { (*static_cast<Use*>(to))(std::move(*static_cast<mid*>(item))); }));
  }

  First first_;
  Second second_;
  [[no_unique_address]] std::conditional_t<
      a::has_outlet || callable_with<by_start, First, outlet<mid>&> || callable_with<by_quiet, First, outlet<mid>&> ||
          callable_with<by_finish, First, outlet<mid>&> || callable_with<by_on_deadline, First, outlet<mid>&>,
      handing_port, type_list<>>
      port_;
};

enum class fused_form {
  item,      ///< exactly one result for each item
  optional,  ///< at most one result for each item
  outlet,    ///< any number of results
  nothing,   ///< no results
};

template <class First, class Second>
constexpr fused_form form_of_fused() noexcept {
  using a = fused_types<First>;
  using b = fused_types<Second>;
  if constexpr (b::returns_nothing) {
    return fused_form::nothing;
  } else if constexpr (a::has_outlet || b::has_outlet) {
    return fused_form::outlet;
  } else {
    return a::returns_item && b::returns_item ? fused_form::item : fused_form::optional;
  }
}

template <class First, class Second, fused_form = form_of_fused<First, Second>()>
class fused_process;

// The forms `item` and `optional` pass values and not outlets, so that results of functions stay in
// registers.
template <class First, class Second>
class fused_process<First, Second, fused_form::item> : public fused_pair<First, Second> {
 public:
  using base = fused_pair<First, Second>;
  using base::base;
  typename base::out process(typename base::in item, context& where) {
    return this->second(this->first(std::move(item), where), where);
  }
};

template <class First, class Second>
class fused_process<First, Second, fused_form::optional> : public fused_pair<First, Second> {
 public:
  using base = fused_pair<First, Second>;
  using base::base;
  std::optional<typename base::out> process(typename base::in item, context& where) {
    std::optional<typename base::out> made;
    this->each_of_first(std::move(item), where,
                        [&](typename base::mid&& each) { made = this->second(std::move(each), where); });
    return made;
  }
};

template <class First, class Second>
class fused_process<First, Second, fused_form::outlet> : public fused_pair<First, Second> {
 public:
  using base = fused_pair<First, Second>;
  using base::base;
  void process(typename base::in item, outlet<typename base::out>& to, context& where) {
    this->each_of_first(std::move(item), where,
                        [&](typename base::mid&& each) { this->send_second(std::move(each), where, to); });
  }
};

template <class First, class Second>
class fused_process<First, Second, fused_form::nothing> : public fused_pair<First, Second> {
 public:
  using base = fused_pair<First, Second>;
  using base::base;
  void process(typename base::in item, context& where) {
    this->each_of_first(std::move(item), where,
                        [&](typename base::mid&& each) { this->send_second(std::move(each), where); });
  }
};

template <class First, class Second>
concept one_is_timed = has_on_deadline<First> || has_on_deadline<Second>;
template <class First, class Second>
concept one_is_asked = has_quiet<First> || has_quiet<Second>;

// A fused node with its hooks. `Out` is void if the node sends nothing.
template <class First, class Second, class Out = typename fused_types<Second>::out>
class fused_node final : public fused_process<First, Second> {
 public:
  using fused_process<First, Second>::fused_process;
  void start(outlet<Out>& to, context& where) { this->template call_hooks<by_start>(where, to); }
  void quiet(outlet<Out>& to, context& where)
    requires one_is_asked<First, Second>
  {
    this->template call_hooks<by_quiet>(where, to);
  }
  void finish(outlet<Out>& to, context& where) { this->template call_hooks<by_finish>(where, to); }
  void on_deadline(outlet<Out>& to, context& where)
    requires one_is_timed<First, Second>
  {
    this->call_on_deadline(where, to);
  }
  auto deadline()
    requires one_is_timed<First, Second>
  {
    return this->earlier_deadline();
  }
};
template <class First, class Second>
class fused_node<First, Second, void> final : public fused_process<First, Second> {
 public:
  using fused_process<First, Second>::fused_process;
  void start(context& where) { this->template call_hooks<by_start>(where); }
  void quiet(context& where)
    requires one_is_asked<First, Second>
  {
    this->template call_hooks<by_quiet>(where);
  }
  void finish(context& where) { this->template call_hooks<by_finish>(where); }
  void on_deadline(context& where)
    requires one_is_timed<First, Second>
  {
    this->call_on_deadline(where);
  }
  auto deadline()
    requires one_is_timed<First, Second>
  {
    return this->earlier_deadline();
  }
};

}  // namespace detail

/// Nodes that `fuse` has fused into one. It can be fused further or used in a network as a node.
template <class F>
class [[nodiscard]] fused : public block<typename detail::deduced_node<F>::in, typename detail::deduced_node<F>::out> {
 public:
  using base = block<typename detail::deduced_node<F>::in, typename detail::deduced_node<F>::out>;

  explicit fused(F node)
      : base(detail::any_node<typename base::in_type, typename base::out_type>("fused", node)),
        node_(std::move(node)) {}

  const F& node() const noexcept { return node_; }

 private:
  F node_;
};

namespace detail {

template <class T>
inline constexpr bool is_fused = false;
template <class F>
inline constexpr bool is_fused<fused<F>> = true;

template <class T>
auto node_to_fuse(T given) {
  if constexpr (is_fused<T>) {
    return given.node();
  } else {
    static_assert(!some_block<T>,
                  "weir: fuse takes nodes (callables, classes with process) and what fuse returned, not other blocks");
    static_assert(node_like<T>, "weir: fuse takes nodes whose item types can be deduced");
    static_assert(std::is_copy_constructible_v<T>, "weir: fused nodes must be copyable");
    if constexpr (node_like<T>) {
      using out = typename deduced_node<T>::out;
      static_assert(sends_one_stream<T>, "weir: nodes with several outlets can't be fused");
      if constexpr (sends_one_stream<T>) {
        check_hooks<T, std::conditional_t<std::is_void_v<out>, type_list<>, type_list<out>>>();
      }
    }
    return given;
  }
}

}  // namespace detail

/// Fuses two nodes into one node that does the work of both without a channel between them:
/// `second` processes each item as soon as `first` sends it (F2 §3.1, the combiner). The compiler
/// sees both functions, so passing an item on costs no more than a function call.
template <class First, class Second>
auto fuse(First first, Second second) {
  auto a = detail::node_to_fuse(std::move(first));
  auto b = detail::node_to_fuse(std::move(second));
  using sends = typename detail::deduced_node<decltype(a)>::out;
  using receives = typename detail::deduced_node<decltype(b)>::in;
  if constexpr (detail::sends_one_stream<decltype(a)> && detail::sends_one_stream<decltype(b)>) {
    static_assert(item_types_of_neighbours<sends, receives>::match);
    if constexpr (item_types_of_neighbours<sends, receives>::match) {
      return fused(detail::fused_node<decltype(a), decltype(b)>(std::move(a), std::move(b)));
    }
  }
}

/// Fuses three or more nodes.
template <class First, class Second, class Third, class... Rest>
auto fuse(First first, Second second, Third third, Rest... rest) {
  return fuse(fuse(std::move(first), std::move(second)), std::move(third), std::move(rest)...);
}

}  // namespace weir
