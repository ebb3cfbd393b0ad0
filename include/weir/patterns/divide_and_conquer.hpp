// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/task_team.hpp"

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

struct no_result {};

template <class Problems>
inline constexpr std::size_t fixed_size = 0;
template <class Problem, std::size_t N>
inline constexpr std::size_t fixed_size<std::array<Problem, N>> = N;

// One call of divide_and_conquer: the tree of its problems. Only the problems in progress exist at
// a time.
//
// A node belongs to its parent. The thread that solves the last of a node's children combines the
// results, frees the children, and continues with the node's own parent. Therefore no call is
// recursive, and siblings share only one counter of the parent, which is decremented with acquire
// and release.
template <class Problem, class IsBase, class Solve, class Divide, class Combine>
class conquest {
 public:
  using solved = std::remove_cvref_t<std::invoke_result_t<Solve&, Problem&>>;
  using problems = std::invoke_result_t<Divide&, Problem&>;
  static constexpr bool gives = !std::is_void_v<solved>;
  using result = std::conditional_t<gives, solved, no_result>;
  static constexpr std::size_t count = fixed_size<problems>;
  using results = std::conditional_t<count != 0, std::array<result, count>, std::vector<result>>;

  conquest(IsBase& is_base, Solve& solve, Divide& divide, Combine& combine)
      : is_base_(is_base), solve_(solve), divide_(divide), combine_(combine) {}

  solved run(Problem problem, const parallel_options& options) {
    node root(*this, nullptr, std::move(problem));
    task_team team(parts_of(static_cast<std::size_t>(-1), {.workers = options.workers}));
    team.run(options.stop, [&](std::size_t member) { root.run(team, member); });
    if constexpr (gives) return std::move(*root.answer);
  }

 private:
  class node final : public task {
   public:
    node(conquest& of, node* above, Problem what) : all(&of), parent(above), problem(std::move(what)) {}
    node(const node&) = delete;
    node& operator=(const node&) = delete;
    // After a failure a tree may remain. The destructor does not recurse, because the tree may be
    // too deep for the stack.
    ~node() {
      std::vector<std::vector<std::unique_ptr<node>>> left;
      if (!children.empty()) left.push_back(std::move(children));
      while (!left.empty()) {
        std::vector<std::unique_ptr<node>> some = std::move(left.back());
        left.pop_back();
        for (auto& each : some) {
          if (!each->children.empty()) left.push_back(std::move(each->children));
        }
      }
    }

    void run(task_team& team, std::size_t member) override {
      node* at = this;
      while (!std::invoke(all->is_base_, std::as_const(at->problem))) {
        at->divide();
        if (at->children.empty()) {
          at->combine();
          return delivered(team, at);
        }
        for (std::size_t i = at->children.size(); --i != 0;) team.push(member, *at->children[i]);
        at = at->children.front().get();
      }
      if constexpr (gives) {
        at->answer.emplace(std::invoke(all->solve_, at->problem));
      } else {
        std::invoke(all->solve_, at->problem);
      }
      delivered(team, at);
    }
    void discard() noexcept override {}  // the parent owns it

    std::optional<result> answer;

   private:
    void divide() {
      problems parts = std::invoke(all->divide_, problem);
      children.reserve(std::size(parts));
      for (auto& each : parts) children.push_back(std::make_unique<node>(*all, this, std::move(each)));
      pending.store(children.size(), std::memory_order_relaxed);  // `team.push` releases the store
    }

    static void delivered(task_team& team, node* at) {
      for (;;) {
        node* const above = at->parent;
        if (above == nullptr) return team.finish();
        if (above->pending.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        above->combine();
        above->children.clear();
        at = above;
      }
    }

    void combine() {
      if constexpr (!gives) {
        if constexpr (std::invocable<Combine&, Problem&>) {
          std::invoke(all->combine_, problem);
        } else {
          std::invoke(all->combine_);
        }
      } else {
        results all_of_them = [&]<std::size_t... I>(std::index_sequence<I...>) -> results {
          if constexpr (count != 0) {
            return {{std::move(*children[I]->answer)...}};
          } else {
            std::vector<result> made;
            made.reserve(children.size());
            for (auto& each : children) made.push_back(std::move(*each->answer));
            return made;
          }
        }(std::make_index_sequence<count>());
        if constexpr (std::invocable<Combine&, Problem&, results>) {
          answer.emplace(std::invoke(all->combine_, problem, std::move(all_of_them)));
        } else {
          answer.emplace(std::invoke(all->combine_, std::move(all_of_them)));
        }
      }
    }

    conquest* all;
    node* parent;
    Problem problem;
    std::atomic<std::size_t> pending{0};
    std::vector<std::unique_ptr<node>> children;
  };

  IsBase& is_base_;
  Solve& solve_;
  Divide& divide_;
  Combine& combine_;
};

}  // namespace detail

/// Solves a problem by divide and conquer: divides it until the parts are small, solves these, and
/// combines the results:
///
///     is_base(const Problem&) -> bool               the cut-off: whether the problem is small enough to be solved
///     solve(Problem&) -> Result, or void            runs on one thread
///     divide(Problem&) -> std::array<Problem, N>, or std::vector<Problem>
///     combine([Problem&,] results) -> Result        gets an array or a vector, as `divide` returns, in the order of
///                                                   the parts; without results combine([Problem&]), when all
///                                                   parts are solved
///
/// Parts are solved at the same time, on this thread and on idle workers of the pool. No call is
/// recursive, so the depth of the tree costs no stack. If `divide` returns no part, `combine` gets
/// no results. May be used within a node's `process` and within `solve`. Cost: for each divided
/// problem about 100 ns, and an allocation for each part. Therefore a problem that is solved
/// directly should take ten microseconds or more. At most depth times parts problems exist at a
/// time on each worker.
/// @param options uses `workers` and `stop`; ignores the schedule and the grain
/// @throws the first exception of one of the four functions; `stopped` as parallel_for
///
/// Source: F2 §2 (FastFlow's divide-and-conquer pattern); M. Cole, Algorithmic Skeletons, 1989.
template <class Problem, std::predicate<const Problem&> IsBase, std::invocable<Problem&> Solve,
          std::invocable<Problem&> Divide, class Combine>
auto divide_and_conquer(Problem problem, IsBase&& is_base, Solve&& solve, Divide&& divide, Combine&& combine,
                        const parallel_options& options = {}) {
  using conquest = detail::conquest<Problem, std::remove_reference_t<IsBase>, std::remove_reference_t<Solve>,
                                    std::remove_reference_t<Divide>, std::remove_reference_t<Combine>>;
  if constexpr (conquest::gives) {
    static_assert(std::invocable<Combine&, Problem&, typename conquest::results> ||
                      std::invocable<Combine&, typename conquest::results>,
                  "weir: combine takes the results of the parts, a std::array or std::vector as divide returns, and "
                  "perhaps the problem before them");
  } else {
    static_assert(std::invocable<Combine&, Problem&> || std::invocable<Combine&>,
                  "weir: where solve returns nothing, combine takes the problem, or nothing");
  }
  return conquest(is_base, solve, divide, combine).run(std::move(problem), options);
}

}  // namespace weir
