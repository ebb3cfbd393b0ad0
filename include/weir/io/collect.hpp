// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"

#include <concepts>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

// The type of the items that go into a container. A map takes pairs whose key may still be moved.
template <class Container>
struct collected {
  using type = typename Container::value_type;
};
template <class Container>
  requires requires { typename Container::mapped_type; }
struct collected<Container> {
  using type = std::pair<typename Container::key_type, typename Container::mapped_type>;
};

// The type of the items that an output iterator takes, if the iterator declares it: void if it
// takes several types.
template <class Iterator>
struct written {
  using type = std::iter_value_t<Iterator>;
};
template <class Iterator>
  requires requires { typename Iterator::container_type; }
struct written<Iterator> : collected<typename Iterator::container_type> {};
template <class T, class... Rest, template <class, class...> class Iterator>
  requires(std::is_void_v<typename Iterator<T, Rest...>::value_type> &&
           !requires { typename Iterator<T, Rest...>::container_type; } &&
           std::output_iterator<Iterator<T, Rest...>, T>)
struct written<Iterator<T, Rest...>> {
  using type = T;
};
template <class Iterator>
concept says_what_it_takes =
    requires { typename written<Iterator>::type; } && std::output_iterator<Iterator, typename written<Iterator>::type>;

template <class Container, class Item>
concept collects = requires(Container& to, Item&& item) { to.push_back(std::move(item)); } ||
                   requires(Container& to, Item&& item) { to.insert(std::move(item)); };

// Refuses several copies of the sink, because they would write to one container at the same time.
inline void refuse_to_collect_side_by_side(const context& at) {
  if (at.width() != 1) throw std::logic_error("weir::collect stands in a farm or a set; let it follow the farm");
}

template <class Container, class Item>
struct container_sink {
  Container* to;

  void start(context& at) { refuse_to_collect_side_by_side(at); }
  void process(Item item) {
    if constexpr (requires { to->push_back(std::move(item)); }) {
      to->push_back(std::move(item));
    } else {
      to->insert(std::move(item));
    }
  }
};

template <class Iterator, class Item>
struct iterator_sink {
  Iterator first;
  Iterator at = first;

  void start(context& where) {
    refuse_to_collect_side_by_side(where);
    at = first;
  }
  void process(Item item) { *at++ = std::move(item); }
};

template <class Item, class Sink>
block<Item, void> collect_block(Sink to) {
  return any_node<Item, void>("collect", std::move(to));
}

}  // namespace detail

/// A sink that adds each item to the caller's container, with `push_back` or else `insert`. In a
/// cluster, only the process of the result group does so (see `report::in_result_group`). The
/// container must outlive the run, and belongs to the network while it runs. Another run adds to
/// the items already there.
///
/// The sink can't stand in a farm or a set, where several copies would share the container: that is
/// a `node_error`.
template <class Container>
  requires std::ranges::range<Container>
auto collect(Container& out) {
  static_assert(!std::is_const_v<Container>, "weir: collect adds to its container, so that can't be const");
  using item = typename detail::collected<Container>::type;
  static_assert(detail::collects<Container, item>,
                "weir: collect needs a container with push_back or insert, or an output iterator");
  return detail::collect_block<item>(detail::container_sink<Container, item>{&out});
}

/// Refuses a temporary container, because the caller could not read it afterwards.
template <class Container>
  requires(std::ranges::range<Container> && !std::is_lvalue_reference_v<Container>)
void collect(Container&&) = delete;

/// A sink that writes each item to an output iterator, from the beginning in each run. The target
/// of the iterator belongs to the caller, as above.
template <class Iterator>
  requires(!std::ranges::range<Iterator> && std::input_or_output_iterator<Iterator>)
auto collect(Iterator out) {
  static_assert(detail::says_what_it_takes<Iterator>,
                "weir: this iterator does not tell what it takes: say weir::collect<Item>(iterator)");
  if constexpr (detail::says_what_it_takes<Iterator>) {
    using item = typename detail::written<Iterator>::type;
    return detail::collect_block<item>(detail::iterator_sink<Iterator, item>{out});
  }
}

/// As above, with the item type given.
template <class Item, std::output_iterator<Item> Iterator>
block<Item, void> collect(Iterator out) {
  return detail::collect_block<Item>(detail::iterator_sink<Iterator, Item>{out});
}

}  // namespace weir
