// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/split.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace weir {
namespace detail {

template <class... Items>
struct zip_prototype {
  static constexpr bool copyable = true;
};

template <class T>
struct held : claimed_items<T> {
  held(const in_port::run& some) noexcept : claimed_items<T>(some.first, some.from->data()) {}
};

// Takes one item of each stream at a time.
template <class... Items>
class zip_behaviour final : public behaviour {
 public:
  using tuple = std::tuple<Items...>;
  static constexpr std::size_t width = sizeof...(Items);

  explicit zip_behaviour(zip_prototype<Items...>) {}

  progress step(ports& at, std::size_t budget) override {
    for (std::size_t left = budget; left != 0;) {
      std::array<in_port::run, width> runs;
      std::size_t count = std::min(left, at.run_length());
      bool ended = false;
      for (std::size_t i = 0; i != width; ++i) {
        runs[i] = at.in(i).first_run();
        count = std::min(count, runs[i].count);
        ended = ended || at.in(i).ended();
      }
      if (ended) return progress::ended;
      if (count == 0) {
        bool again = false;
        for (std::size_t i = 0; i != width; ++i) again = at.in(i).look_again() || again;
        if (again) continue;
        return progress::waiting_input;
      }
      const std::size_t taken = take(at, runs, count, std::index_sequence_for<Items...>{});
      at.count(taken);
      left -= taken;
      if (at.interrupted()) return progress::waiting_room;
    }
    return progress::more;
  }

 private:
  template <std::size_t... I>
  static std::size_t take(ports& at, const std::array<in_port::run, width>& runs, std::size_t count,
                          std::index_sequence<I...>) {
    outlet<tuple> out(at.out());
    std::size_t taken = 0;
    {
      std::tuple<held<Items>...> items(runs[I]...);
      for (; taken != count && !at.blocked(); ++taken) {
        out.send(tuple(std::get<I>(items).take()...));
        (std::get<I>(items).done(), ...);
      }
    }
    (at.in(I).took(*runs[I].from), ...);
    return taken;
  }
};

}  // namespace detail

/// One item of each stream becomes one tuple, the first with the first, and so on; ends with the stream that ends first,
/// and what is left of the others is discarded.
template <class... Items>
  requires(sizeof...(Items) > 1)
block<streams<Items...>, std::tuple<Items...>> zip() {
  using prototype = detail::zip_prototype<Items...>;
  return detail::node_block<streams<Items...>, std::tuple<Items...>>(
      "zip", detail::maker_from<detail::zip_behaviour<Items...>>(prototype{}, "zip"), true);
}

/// As above, of what several blocks send: `zip(source_of_a, source_of_b)`.
template <some_block First, some_block... Rest>
  requires(sizeof...(Rest) > 0)
auto zip(const First& first, const Rest&... rest) {
  return split(first, rest...) | zip<typename First::out_type, typename Rest::out_type...>();
}

}  // namespace weir
