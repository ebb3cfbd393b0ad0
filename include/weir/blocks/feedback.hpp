// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace weir {

/// Options of `feedback`.
struct loop_options {
  /// Limit on the size of the slots of all items that wait in the feedback channels of the loop, in
  /// bytes. Memory that items own elsewhere does not count. Exceeding the limit fails the run with
  /// a `node_error` that names the loop.
  std::size_t byte_limit = std::size_t{1} << 30;
};

namespace detail {

// Item types of a loop, deduced from the arguments of its master's `process` and `returned`.
template <class Process, class Returned>
struct loop_types;
template <class Task, class Result, class Job, class Answer, class... Context, class... SameOrNone>
struct loop_types<type_list<Task, outlet<Job>&, outlet<Answer>&, Context...>,
                  type_list<Result, outlet<Job>&, outlet<Answer>&, SameOrNone...>> {
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

template <class Master, class Types>
inline constexpr const node_functions& master_functions =
    node_functions_of<node_prototype<Master>, type_list<typename Types::job, typename Types::answer>,
                      takes<by_process, typename Types::task>, takes<by_returned, typename Types::result>>;

/// @param worker null: `head` is any block, not a master
WEIR_API shape_pointer looped(const shape_pointer& head, const shape_pointer* worker, const loop_options& options);

}  // namespace detail

/// A loop around a master. The master turns tasks from upstream into jobs for `worker`, gets the
/// results of the worker back, and sends answers downstream (F1 §2, the farm with feedback; F2
/// §3.1, wrap-around):
///
///     void process(Task, weir::outlet<Job>&, weir::outlet<Answer>&)      from upstream
///     void returned(Result, weir::outlet<Job>&, weir::outlet<Answer>&)   from the loop
///     void quiet(weir::outlet<Job>&, weir::outlet<Answer>&)              optional: no items are under way any more
///
/// The loop ends by itself. When the upstream has ended and no items are under way in the loop or
/// in a loop around it, `quiet` is called and may send more items. If `quiet` sends no job,
/// `finish` runs, from the master onwards. Sending into the loop from then on is a `node_error`.
/// Results that wait for the master are limited not in number but in bytes, see `loop_options`. The
/// master takes results before tasks.
template <class Master, class Worker>
  requires(!some_block<Master> && !std::is_same_v<Worker, loop_options>)
auto feedback(Master master, Worker worker, loop_options options = {}) {
  static_assert(detail::loop_master<Master>,
                "weir: the master of a loop has process(Task, outlet<Job>&, outlet<Answer>&) and "
                "returned(Result, outlet<Job>&, outlet<Answer>&), with the same Job and Answer in both");
  if constexpr (detail::loop_master<Master>) {
    using types = detail::loop_types_of<Master>;
    using task = typename types::task;
    using answer = typename types::answer;
    const auto inside = detail::as_block(std::move(worker));
    using inside_type = std::remove_const_t<decltype(inside)>;
    static_assert(item_types_of_neighbours<typename types::job, typename inside_type::in_type>::match);
    static_assert(item_types_of_neighbours<typename inside_type::out_type, typename types::result>::match);
    const detail::shape_pointer head =
        detail::node_shape("master", detail::master_functions<Master, types>, new Master(std::move(master)));
    return block<task, answer>(detail::looped(head, &inside.shape(), options));
  }
}

/// A loop around any block. The block's last output stream comes back as its last input stream or,
/// if the block has only one input stream, as more items of that stream. The other streams are
/// unchanged. Use it for nodes with a second outlet: workers that send a task back to the node that
/// distributes tasks, or the right set of an all-to-all that sends to the left set.
/// `context::from_loop` tells which items came back.
///
///     weir::feedback(weir::farm(worker, 4))          // worker: process(task, outlet<answer>&, outlet<task>&)
///     weir::feedback(left_set | right_set)  // the nodes of the right set: (item, outlet<answer>&, outlet<task>&)
///
/// Ends like any loop. `quiet` may be a member of the nodes that take the items that come back; in
/// other nodes it is a `graph_error`.
template <some_block Body>
auto feedback(const Body& body, loop_options options = {}) {
  static_assert(!std::is_void_v<typename Body::in_type> && !std::is_void_v<typename Body::out_type>,
                "weir: a loop needs a block that takes and sends");
  using in = detail::split_last<detail::streams_in_t<typename Body::in_type>>;
  using out = detail::split_last<detail::streams_in_t<typename Body::out_type>>;
  static_assert(item_types_of_neighbours<typename out::last, typename in::last>::match);
  constexpr bool shared = detail::stream_count<typename Body::in_type> == 1;
  using from_upstream = std::conditional_t<shared, typename Body::in_type, detail::as_streams_t<typename in::before>>;
  return block<from_upstream, detail::as_streams_t<typename out::before>>(
      detail::looped(body.shape(), nullptr, options));
}

}  // namespace weir
