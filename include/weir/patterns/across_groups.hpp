// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parallel patterns over all groups of a cluster (F2's future work), for programs that `weir
// run` starts once for each group:
//
//     const weir::across_groups everywhere;
//     const double sum = weir::parallel_reduce(everywhere, 0, n, 0.0, [&](int i) { return f(i); }, std::plus<>());
//     if (everywhere.in_first_group()) print(sum);
//
// Without a cluster each pattern runs in this process alone. In a cluster, every group makes the
// same calls with the same arguments in the same order, as for `run`. Each call returns in all
// groups at about the same time, with the same value. Memory is not shared: only the group itself
// sees the values that its bodies write. Do not call a pattern within a node or a body, because a
// group has one run at a time.

#include "weir/detail/patterns/group_call.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"
#include "weir/patterns/divide_and_conquer.hpp"
#include "weir/patterns/parallel_for.hpp"
#include "weir/patterns/parallel_reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// The results of consecutive indices.
template <class T>
struct gathered {
  std::vector<T> values;
};

}  // namespace detail

template <class T>
struct codec<detail::gathered<T>, std::enable_if_t<has_codec<T>>> {
  static void encode(const detail::gathered<T>& item, byte_sink& out) {
    append(out, static_cast<std::uint64_t>(item.values.size()));
    for (const T& each : item.values) codec<T>::encode(each, out);
  }
  static detail::gathered<T> decode(byte_source& in) {
    std::uint64_t count = 0;
    in.read(count);
    if (count > in.left()) throw codec_error("a length in the bytes is larger than they are");
    detail::gathered<T> item;
    item.values.reserve(std::min<std::size_t>(count, 4096));  // reserves no more before the elements have been read
    for (; count != 0; --count) item.values.push_back(codec<T>::decode(in));
    return item;
  }
};

/// Calls `body` for each index in [first, last), each in one group. The first group gets the first
/// indices, and each group a share in proportion to its cores. Therefore the same range is divided
/// the same way each time. Returns when all groups are done.
///
/// Use it for bodies that have external effects, or whose results only their own group needs;
/// parallel_map collects results.
/// @throws the exception of a body of this group; group_error if a body of another group threw,
/// which ends the cluster as an exception in a node does; `stopped`, in all groups, if one group
/// was asked to stop; otherwise as parallel_for
template <std::integral I, std::integral J, class Body>
  requires detail::loop_body<Body, detail::index_of<I, J>>
void parallel_for(const across_groups& where, I first, J last, Body&& body, const parallel_options& options = {}) {
  if (where.alone()) return parallel_for(first, last, body, options);
  using index = detail::index_of<I, J>;
  const detail::stepped<index> all(first, last, 1);
  detail::call_in_groups<bool>(
      where, "parallel_for", all.count(), options.stop,
      [&](std::size_t begin, std::size_t end) {
        detail::for_chunks(end - begin, options, [&](const detail::chunk& some) {
          all.for_each(begin + some.begin, begin + some.end, [&](index i) { detail::call_body(body, some.worker, i); });
        });
        return true;
      },
      [](const std::vector<bool>&) { return true; });
}

/// Combines the results of `body` for the indices in [first, last), which are divided as
/// parallel_for does it, and returns the result in all groups. Each group combines its own part;
/// the results of the groups are then combined in the order of the groups. Therefore `combine` need
/// not be commutative. `T` has a codec.
/// @throws as parallel_for across groups
template <std::integral I, std::integral J, class T, class Body, std::invocable<T, T> Combine>
  requires(detail::loop_body<Body, detail::index_of<I, J>> ||
           detail::accumulating_body<Body, T, detail::index_of<I, J>>)
T parallel_reduce(const across_groups& where, I first, J last, T identity, Body&& body, Combine&& combine,
                  const parallel_options& options = {}) {
  if (where.alone()) return parallel_reduce(first, last, std::move(identity), body, combine, options);
  using index = detail::index_of<I, J>;
  const detail::stepped<index> all(first, last, 1);
  return detail::call_in_groups<T>(
      where, "parallel_reduce", all.count(), options.stop,
      [&](std::size_t begin, std::size_t end) {
        return detail::reduce_chunks(
            end - begin, identity,
            [&](T& value, const detail::chunk& some) {
              all.for_each(begin + some.begin, begin + some.end,
                           [&](index i) { detail::fold_one(value, body, combine, some.worker, i); });
            },
            combine, options);
      },
      [&](std::vector<T> parts) {
        T result = identity;
        for (T& each : parts) result = combine(std::move(result), std::move(each));
        return result;
      });
}

/// Returns the results of `f` for the indices in [first, last), in their order, in all groups. The
/// range is divided as parallel_for does it.
/// @tparam F returns a type that has a codec and a default constructor and is not bool
/// @throws as parallel_for across groups
template <std::integral I, std::integral J, class F>
  requires detail::loop_body<F, detail::index_of<I, J>>
auto parallel_map(const across_groups& where, I first, J last, F&& f, const parallel_options& options = {}) {
  using index = detail::index_of<I, J>;
  using result = std::remove_cvref_t<decltype(detail::call_body(f, 0, std::declval<index>()))>;
  static_assert(std::default_initializable<result> && !std::same_as<result, bool>,
                "weir: what parallel_map makes has a default constructor, and is not bool");
  const detail::stepped<index> all(first, last, 1);
  const auto own = [&](std::size_t begin, std::size_t end) {
    std::vector<result> values(end - begin);
    detail::for_chunks(end - begin, options, [&](const detail::chunk& some) {
      std::size_t at = some.begin;
      all.for_each(begin + some.begin, begin + some.end,
                   [&](index i) { values[at++] = detail::call_body(f, some.worker, i); });
    });
    return values;
  };
  if (where.alone()) return own(0, all.count());
  return detail::call_in_groups<detail::gathered<result>>(
             where, "parallel_map", all.count(), options.stop,
             [&](std::size_t begin, std::size_t end) { return detail::gathered<result>{own(begin, end)}; },
             [](std::vector<detail::gathered<result>> parts) {
               detail::gathered<result> whole = std::move(parts.front());
               for (std::size_t i = 1; i != parts.size(); ++i) {
                 std::ranges::move(parts[i].values, std::back_inserter(whole.values));
               }
               return whole;
             })
      .values;
}

/// Calls `own()` once in each group, then `join` in the first group with all results, in the order
/// of the groups. Returns the result of `join` in all groups. Without other groups `join` gets the
/// one value. It corresponds to MPI's reductions and gatherings, and serves data that belongs to a
/// group as a whole, such as the input it has read.
/// @tparam T has a codec; `own()` and `join(std::vector<T>)` return it
/// @throws as parallel_for across groups
template <class T, std::invocable Own, std::invocable<std::vector<T>> Join>
T reduce_groups(const across_groups& where, Own&& own, Join&& join, const std::stop_token& stop = {}) {
  if (where.alone()) {
    std::vector<T> values;
    values.push_back(own());
    return join(std::move(values));
  }
  return detail::call_in_groups<T>(
      where, "reduce_groups", detail::parts_by_number(where.member->groups().size()), stop,
      [&](std::size_t, std::size_t) { return own(); }, join);
}

namespace detail {

// Number of problems for each core into which the first group divides, so that faster groups can
// solve more of them.
inline constexpr double problems_per_core = 4;
// Problems in a group at a time: one that is being solved, and one in transit.
inline constexpr std::size_t problems_in_a_group = 2;

// The upper part of the tree of problems of one call; it is held by the first group.
template <class Problem, class Result>
class division {
 public:
  // Divides `problem` until there are `enough` leaves. The leaves are in no order of size.
  template <class IsBase, class Divide>
  void divide(Problem problem, std::size_t enough, IsBase& is_base, Divide& divide) {
    problems_.push_back({std::move(problem), {}, std::nullopt});
    std::size_t leaves = 1;
    for (std::size_t i = 0; i != problems_.size() && leaves < enough; ++i) {
      if (std::invoke(is_base, std::as_const(problems_[i].problem))) continue;
      auto parts = std::invoke(divide, problems_[i].problem);
      std::vector<std::size_t> children;
      for (auto& each : parts) {
        children.push_back(problems_.size());
        problems_.push_back({std::move(each), {}, std::nullopt});
      }
      leaves += children.size();
      --leaves;
      problems_[i].children = std::move(children);
    }
    for (std::size_t i = 0; i != problems_.size(); ++i) missing_ += is_leaf(i) ? 1 : 0;
  }

  // Returns the next problem to solve, with its number.
  std::optional<numbered_value<Problem>> next() {
    for (; next_ != problems_.size(); ++next_) {
      if (!is_leaf(next_)) continue;
      numbered_value<Problem> made{next_, std::move(problems_[next_].problem)};
      ++next_;
      return made;
    }
    return std::nullopt;
  }

  void solved(numbered_value<Result> one) {
    problems_.at(static_cast<std::size_t>(one.number)).answer.emplace(std::move(one.value));
    --missing_;
  }
  bool all_solved() const noexcept { return missing_ == 0; }

  // Calls `combine(problem, answers)` from the leaves to the root. The parts of a problem come
  // after it in `problems_`.
  template <class Combine>
  Result combine(Combine&& combine) {
    for (std::size_t i = problems_.size(); i-- != 0;) {
      if (is_leaf(i)) continue;
      std::vector<Result> answers;
      for (const std::size_t child : *problems_[i].children) answers.push_back(std::move(*problems_[child].answer));
      problems_[i].answer.emplace(combine(problems_[i].problem, std::move(answers)));
    }
    return std::move(*problems_.front().answer);
  }

 private:
  struct subproblem {
    Problem problem;
    std::optional<std::vector<std::size_t>> children;  // none: a leaf, to be solved
    std::optional<Result> answer;
  };
  bool is_leaf(std::size_t i) const noexcept { return !problems_[i].children.has_value(); }

  std::vector<subproblem> problems_;
  std::size_t next_ = 0;
  std::size_t missing_ = 0;
};

template <class Problem, class Result, class Combine>
struct joining_answers {
  division<Problem, Result>* top;
  const Combine* combine;
  void process(numbered_value<Result> one, outlet<Result>&) { top->solved(std::move(one)); }
  void finish(outlet<Result>& out) {
    if (top->all_solved()) out.send(top->combine(*combine));
  }
};

// Returns `all` as an array of `count` results, or unchanged if `count` is 0.
template <std::size_t count, class Result>
auto as_results(std::vector<Result> all) {
  if constexpr (count == 0) {
    return all;
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Result, count>{{std::move(all[I])...}};
    }(std::make_index_sequence<count>());
  }
}

}  // namespace detail

/// As divide_and_conquer, over all groups, with the result in all of them. The first group divides
/// its problem until there are some parts for every core of the cluster; the problems passed by
/// other groups are ignored. It gives each part to a group that is free, which solves it by
/// divide_and_conquer, and combines the results. Problems and results have codecs, and `solve` does
/// not return void.
/// @throws as parallel_for across groups
template <class Problem, std::predicate<const Problem&> IsBase, std::invocable<Problem&> Solve,
          std::invocable<Problem&> Divide, class Combine>
auto divide_and_conquer(const across_groups& where, Problem problem, IsBase&& is_base, Solve&& solve, Divide&& divide,
                        Combine&& combine, const parallel_options& options = {}) {
  using conquest = detail::conquest<Problem, std::remove_reference_t<IsBase>, std::remove_reference_t<Solve>,
                                    std::remove_reference_t<Divide>, std::remove_reference_t<Combine>>;
  static_assert(conquest::gives,
                "weir: across groups, solve returns its result: what it writes stays in its own group");
  static_assert(!std::ranges::view<Problem>,
                "weir: across groups, problems travel: one that looks at memory elsewhere, such as a std::span, can't");
  using result = typename conquest::result;
  static_assert(has_codec<Problem> && has_codec<result> && std::is_copy_constructible_v<result>,
                "weir: across groups, problems and results travel: they need codecs (see weir/item/codec.hpp), and "
                "results copies");
  const auto here = [&](Problem& one) -> result {
    return divide_and_conquer(std::move(one), is_base, solve, divide, combine, options);
  };
  if (where.alone()) return here(problem);

  const detail::group_names groups(where);
  detail::division<Problem, result> top;
  const auto problems = [&, begun = false]() mutable -> std::optional<detail::numbered_value<Problem>> {
    if (!std::exchange(begun, true)) {
      const auto enough = static_cast<std::size_t>(
          std::ceil(detail::problems_per_core * std::max<double>(1, static_cast<double>(where.member->cores()))));
      top.divide(std::move(problem), std::max(enough, groups.count()), is_base, divide);
    }
    return top.next();
  };
  const auto work = [&](detail::numbered_value<Problem> one) {
    return detail::numbered_value<result>{one.number, here(one.value)};
  };
  const auto combine_parts = [&](Problem& whole, std::vector<result> answers) -> result {
    auto all = detail::as_results<conquest::count>(std::move(answers));
    if constexpr (std::invocable<Combine&, Problem&, typename conquest::results>) {
      return std::invoke(combine, whole, std::move(all));
    } else {
      return std::invoke(combine, std::move(all));
    }
  };
  detail::joining_answers<Problem, result, decltype(combine_parts)> join{&top, &combine_parts};
  return detail::give_to_all<result>(
      where, groups,
      source(problems).named("divide").in_group(groups.first()) |
          farm(node<detail::numbered_value<Problem>, detail::numbered_value<result>>(work), groups.count())
              .on_demand(detail::problems_in_a_group)
              .named("divide_and_conquer")
              .in_group(groups.each()) |
          node(join).named("join").in_group(groups.first()),
      options.stop);
}

}  // namespace weir
