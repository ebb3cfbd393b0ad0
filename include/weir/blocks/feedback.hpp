// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/blocks/signature.hpp"

#include <type_traits>

namespace weir {
namespace detail {

// What goes round a loop, from the arguments of its master's process and returned.
template <class Process, class Returned>
struct loop_types;
template <class Task, class Result, class Job, class Answer>
struct loop_types<type_list<Task, outlet<Job>&, outlet<Answer>&>, type_list<Result, outlet<Job>&, outlet<Answer>&>> {
  using task = std::remove_cvref_t<Task>;
  using result = std::remove_cvref_t<Result>;
  using job = Job;
  using answer = Answer;
};

template <class Master>
using loop_types_of = loop_types<typename signature<decltype(&Master::process)>::arguments,
                                 typename signature<decltype(&Master::returned)>::arguments>;

template <class Master>
concept loop_master = requires { typename loop_types_of<Master>::job; };

shape_pointer in_a_loop(const shape_pointer& worker);

}  // namespace detail

/// A loop around a master, which turns tasks from upstream into jobs for `worker`, gets the worker's results back, and sends
/// answers downstream (F1 §2, the farm with feedback; F2 §3.1, wrap-around):
///
///     void process(Task, weir::outlet<Job>&, weir::outlet<Answer>&)      from upstream
///     void returned(Result, weir::outlet<Job>&, weir::outlet<Answer>&)   from the loop
///     void quiet(weir::outlet<Job>&, weir::outlet<Answer>&)              optional: nothing is on its way in the loop any more
///
/// The loop ends by itself, once the upstream has ended and nothing is on its way in it. Loops can be written down and typed,
/// but can't run yet: making the graph of one throws graph_error.
template <class Master, some_block Worker>
auto feedback([[maybe_unused]] Master head, const Worker& worker) {
  static_assert(detail::loop_master<Master>,
                "weir: the master of a loop has process(Task, outlet<Job>&, outlet<Answer>&) and "
                "returned(Result, outlet<Job>&, outlet<Answer>&), with the same Job and Answer in both");
  if constexpr (detail::loop_master<Master>) {
    using types = detail::loop_types_of<Master>;
    static_assert(item_types_of_neighbours<typename types::job, typename Worker::in_type>::match);
    static_assert(item_types_of_neighbours<typename Worker::out_type, typename types::result>::match);
    return block<typename types::task, typename types::answer>(detail::in_a_loop(worker.shape()));
  }
}

}  // namespace weir
