// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/source.hpp"
#include "weir/io/generator.hpp"

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

template <class T>
inline constexpr bool is_generator = false;
template <class T>
inline constexpr bool is_generator<generator<T>> = true;

// How a range source holds its range. A view is held by value; a range of the caller by its
// address; an rvalue range is shared by all copies of the block, or held by value if its elements
// must be moved out of it.
template <class Range>
struct borrowed_range {
  Range* range;
  static constexpr bool moves = false;
  Range& get() const noexcept { return *range; }
};
template <class Range>
struct shared_range {
  std::shared_ptr<const Range> range;
  static constexpr bool moves = false;
  const Range& get() const noexcept { return *range; }
};
template <class Range>
struct consumed_range {
  Range range;
  static constexpr bool moves = true;
  Range& get() noexcept { return range; }
};
template <class View>
struct held_view {
  View view;
  static constexpr bool moves = false;
  View& get() noexcept { return view; }
};

template <class Held>
class range_source {
  using range = std::remove_reference_t<decltype(std::declval<Held&>().get())>;

 public:
  using item = std::ranges::range_value_t<range>;

  explicit range_source(Held held) : held_(std::move(held)) {}
  // Copied and moved only before it starts, so iterator and flag are not copied.
  range_source(range_source&& other) noexcept(std::is_nothrow_move_constructible_v<Held>)
      : held_(std::move(other.held_)) {}
  range_source(const range_source& other)
    requires(!Held::moves && std::copy_constructible<Held>)
      : held_(other.held_) {}

  void start() {
    if constexpr (Held::moves) {
      if (used_) throw std::logic_error("the elements were moved out in an earlier run; make another weir::from");
      used_ = true;
    }
    at_.emplace(std::ranges::begin(held_.get()));
  }
  std::optional<item> next() {
    if (*at_ == std::ranges::end(held_.get())) return std::nullopt;
    std::optional<item> made;
    if constexpr (Held::moves) {
      made.emplace(std::ranges::iter_move(*at_));
    } else {
      made.emplace(**at_);
    }
    ++*at_;
    return made;
  }

 private:
  Held held_;
  std::optional<std::ranges::iterator_t<range>> at_;
  bool used_ = false;
};

template <class Held>
auto from_range(Held held) {
  using reader = range_source<Held>;
  static_assert(std::is_nothrow_move_constructible_v<typename reader::item>,
                "weir: the elements of this range can't be moved (without throwing), and items travel by moving");
  if constexpr (std::is_nothrow_move_constructible_v<typename reader::item>) {
    return source_of_kind<false>("from", reader(std::move(held)));
  }
}

// A generator, and the function that makes a new one for each run.
template <class T, class Make>
class generator_source {
 public:
  explicit generator_source(Make make) : make_(std::move(make)) {}
  generator_source(generator_source&& other) noexcept(std::is_nothrow_move_constructible_v<Make>)
      : make_(std::move(other.make_)) {}
  generator_source(const generator_source& other)
    requires std::copy_constructible<Make>
      : make_(other.make_) {}

  void start() {
    at_.reset();
    made_.reset();
    made_.emplace(std::invoke(make_));
  }
  std::optional<T> next() {
    if (at_) {
      ++*at_;
    } else {
      at_.emplace(made_->begin());
    }
    if (*at_ == made_->end()) return std::nullopt;
    return std::optional<T>(**at_);
  }
  void finish() {
    at_.reset();
    made_.reset();
  }

 private:
  Make make_;
  std::optional<generator<T>> made_;
  std::optional<typename generator<T>::iterator> at_;
};

template <class T>
struct once_only {
  std::optional<generator<T>> given;

  generator<T> operator()() {
    if (!given) throw std::logic_error("this generator has run; give weir::from the function that makes it");
    generator<T> taken = std::move(*given);
    given.reset();
    return taken;
  }
};

template <class F>
concept makes_generator = std::invocable<F&> && is_generator<std::remove_cvref_t<std::invoke_result_t<F&>>>;

template <class T, class Make>
auto from_generator(Make make) {
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "weir: what this generator makes can't be moved (without throwing), and items travel by moving");
  return source_of_kind<false>("from", generator_source<T, Make>(std::move(make)));
}

template <class Range>
inline constexpr bool elements_can_be_copied =
    std::constructible_from<std::ranges::range_value_t<Range>, std::ranges::range_reference_t<Range>>;

}  // namespace detail

/// A source of the elements of any range. A view is copied. Any other lvalue is used by reference,
/// must outlive the run, and must not change during the run. An rvalue is moved into the network.
/// The elements are copied, so that each run begins at the beginning. Elements that can't be copied
/// are moved out of an rvalue, which can be run once.
template <std::ranges::input_range Range>
  requires(!detail::is_generator<std::remove_cvref_t<Range>>)
auto from(Range&& range) {
  using bare = std::remove_cvref_t<Range>;
  if constexpr (std::ranges::view<bare>) {
    return detail::from_range(detail::held_view<bare>{std::forward<Range>(range)});
  } else if constexpr (std::is_lvalue_reference_v<Range>) {
    static_assert(detail::elements_can_be_copied<Range>,
                  "weir: the elements of this range can't be copied; give the range away with std::move");
    if constexpr (detail::elements_can_be_copied<Range>) {
      return detail::from_range(detail::borrowed_range<std::remove_reference_t<Range>>{std::addressof(range)});
    }
  } else if constexpr (std::ranges::input_range<const bare> && detail::elements_can_be_copied<const bare&>) {
    return detail::from_range(detail::shared_range<bare>{std::make_shared<const bare>(std::forward<Range>(range))});
  } else {
    return detail::from_range(detail::consumed_range<bare>{std::forward<Range>(range)});
  }
}
template <class T>
auto from(std::initializer_list<T> items) {
  return from(std::vector<T>(items));
}

/// A source of the values of a generator. A function `() -> generator<T>` is called at the start of
/// each run; it is copied as a node is.
template <detail::makes_generator F>
auto from(F make) {
  using made = std::remove_cvref_t<std::invoke_result_t<F&>>;
  return detail::from_generator<typename made::iterator::value_type>(std::move(make));
}

/// As above, from a generator itself, which serves one run. A second run is a `node_error`.
template <class T>
auto from(generator<T> made) {
  return detail::from_generator<T>(detail::once_only<T>{std::move(made)});
}

}  // namespace weir
