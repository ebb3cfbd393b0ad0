// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_OPTIMIZE_HPP
#define WEIR_FF_OPTIMIZE_HPP

#include <weir/export.hpp>

#include <ff/all2all.hpp>
#include <ff/combine.hpp>
#include <ff/detail/copier.hpp>

namespace ff {

/// The changes that `optimize_static` may make. Nodes take no threads here: fewer nodes mean fewer
/// channels, and nothing else.
struct OptLevel {
  // These have no effect, because threads without work sleep, nothing is pinned, and there is no
  // barrier at the start.
  ssize_t max_nb_threads = MAX_NUM_THREADS;
  ssize_t max_mapped_threads = MAX_NUM_THREADS;
  bool no_initial_barrier = false;
  bool no_default_mapping = false;
  bool blocking_mode = false;

  /// 1: writes a line to standard output for each change
  int verbose_level = 0;
  /// The node before a farm without an emitter becomes its emitter. So does the collector of the
  /// farm before it. Nodes with several inputs or consumers stay where they are.
  bool merge_with_emitter = false;
  /// Takes away the collectors that only pass tasks on, if what follows is a farm or a node. A node
  /// with one input gets several. The node after an ordered farm becomes its collector.
  bool remove_collector = false;
  /// Farms in a row with equally many workers become one, whose workers are combinations. They are
  /// all ordered, or none is; their workers are nodes with one input and one consumer.
  bool merge_farms = false;
  /// Two farms in a row become one, whose worker is an all-to-all. Neither is ordered.
  bool introduce_a2a = false;
};

struct OptLevel1 : OptLevel {
  OptLevel1() {
    no_initial_barrier = true;
    blocking_mode = true;
    remove_collector = true;
  }
};

struct OptLevel2 : OptLevel1 {
  OptLevel2() {
    merge_with_emitter = true;
    merge_farms = true;
  }
};

/// Changes a block in the ways that `level` allows, and the blocks in it, before it runs.
/// @return 0; -1 if it has run
WEIR_API int optimize_static(ff_pipeline& pipe, const OptLevel& level = OptLevel1());
WEIR_API int optimize_static(ff_farm& farm, const OptLevel& level = OptLevel1());
WEIR_API int optimize_static(ff_a2a& both, const OptLevel& level = OptLevel1());

namespace detail {

WEIR_API int combine_with_first(ff_node& block, ff_node* node, bool cleanup, const node_copier& copy);
WEIR_API int combine_with_last(ff_node& block, ff_node* node, bool cleanup, const node_copier& copy);

}  // namespace detail

// Each of these combines a node with the nodes at the beginning or at the end of a block, before it
// runs. If there are several, the others get copies of it.
/// @return 0; -1 if there is nothing that the node can be combined with

template <typename T>
int combine_with_firststage(ff_pipeline& pipe, T* node, bool cleanup = false) {
  return detail::combine_with_first(pipe, node, cleanup, detail::copier_of(node));
}
template <typename T>
int combine_with_laststage(ff_pipeline& pipe, T* node, bool cleanup = false) {
  return detail::combine_with_last(pipe, node, cleanup, detail::copier_of(node));
}
template <typename T>
int combine_left_with_a2a(ff_a2a& both, T* node, bool cleanup = false) {
  return detail::combine_with_first(both, node, cleanup, detail::copier_of(node));
}
template <typename T>
int combine_right_with_a2a(ff_a2a& both, T* node, bool cleanup = false) {
  return detail::combine_with_last(both, node, cleanup, detail::copier_of(node));
}
template <typename T>
int combine_right_with_farm(ff_farm& farm, T* node, bool cleanup = false) {
  return detail::combine_with_last(farm, node, cleanup, detail::copier_of(node));
}
/// The node comes before the emitter, or becomes it.
WEIR_API int combine_with_emitter(ff_farm& farm, ff_node* node, bool cleanup = false);
/// The node comes after the collector, which the farm must have of its own.
WEIR_API int combine_with_collector(ff_farm& farm, ff_node* node, bool cleanup = false);

}  // namespace ff

#endif
