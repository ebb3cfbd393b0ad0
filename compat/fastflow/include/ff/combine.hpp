// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_COMBINE_HPP
#define WEIR_FF_COMBINE_HPP

// Combinations of nodes, and of farms. The functions for farms change them: emitters, workers and
// collectors go over to the result, with the duty to delete those that the farm would have deleted
// by `cleanup_workers` and its kin. All others must outlive the result, as must a farm that is a
// stage of it. A mistake gives a line on standard error, and an empty block, whose run fails.

#include <weir/export.hpp>

#include <ff/detail/comb.hpp>
#include <ff/detail/copier.hpp>
#include <ff/farm.hpp>
#include <ff/pipeline.hpp>

namespace ff {
namespace detail {

/// A node to combine with others, which may need several of it. Null: none.
struct prototype {
  const ff_node* node;
  node_copier copy;
};

WEIR_API ff_farm combine_farms_a2a(ff_farm& farm1, const prototype& node, ff_farm& farm2);
WEIR_API ff_pipeline combine_farms(ff_farm& farm1, const prototype& node1, ff_farm& farm2, const prototype& node2,
                                   bool merge);

}  // namespace detail

/// One farm whose worker is an all-to-all of the workers of both. The first farm must have no
/// collector of its own, and the second no emitter.
WEIR_API const ff_farm combine_farms_a2a(ff_farm& farm1, ff_farm& farm2);
/// Same as above, but each worker of the first farm is combined with a copy of `node`.
template <typename E_t, std::enable_if_t<std::is_base_of_v<ff_node, E_t>, int> = 0>
const ff_farm combine_farms_a2a(ff_farm& farm1, const E_t& node, ff_farm& farm2) {
  return detail::combine_farms_a2a(farm1, {&node, detail::copier_of(&node)}, farm2);
}

/// One farm whose workers are combinations of a worker of each. Both farms have equally many, which
/// are nodes with one input and one consumer.
WEIR_API const ff_farm combine_farms_nf(ff_farm& farm1, ff_farm& farm2);

/// The two farms in a row. The first is ordered; its collector becomes part of the second one's
/// emitter.
WEIR_API const ff_pipeline combine_ofarm_farm(ff_farm& farm1, ff_farm& farm2);

/// Combines two farms, of which the first leads to the second. Each of the nodes may be null.
///
/// With `merge` there are two farms, and the nodes, one after the other, are the emitter of the
/// second. The first farm has no collector. If both nodes are null, the result is as from
/// `combine_farms_nf`, or, if the numbers of workers differ, from `combine_farms_a2a`.
///
/// Without `merge` there is one farm whose worker is an all-to-all. The workers of the first farm
/// are combined with copies of `node1`, and copies of `node2` with the workers of the second farm.
/// If `node1` is null, the workers of the first are combined with copies of `node2`.
template <typename E_t, typename C_t>
const ff_pipeline combine_farms(ff_farm& farm1, const C_t* node1, ff_farm& farm2, const E_t* node2, bool merge) {
  return detail::combine_farms(farm1, {node1, detail::copier_of(node1)}, farm2, {node2, detail::copier_of(node2)},
                               merge);
}

/// A pipeline of two nodes or farms. A node is combined with the emitter or the collector of the
/// farm beside it, and of two farms the first one's collector with the second one's emitter.
WEIR_API const ff_pipeline combine_nodes_in_pipeline(ff_node& node1, ff_node& node2, bool cleanup1 = false,
                                                     bool cleanup2 = false);
/// Same as above. Of constants and temporaries it has copies.
template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
const ff_pipeline combine_nodes_in_pipeline(const T1& node1, const T2& node2) {
  return combine_nodes_in_pipeline(*new T1(node1), *new T2(node2), true, true);
}
template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
const ff_pipeline combine_nodes_in_pipeline(T1& node1, T2& node2) {
  return combine_nodes_in_pipeline(*detail::kept(node1), *detail::kept(node2), std::is_const_v<T1>,
                                   std::is_const_v<T2>);
}
template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
const ff_pipeline combine_nodes_in_pipeline(const T1& node1, T2& node2) {
  return combine_nodes_in_pipeline(*new T1(node1), *detail::kept(node2), true, std::is_const_v<T2>);
}
template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
const ff_pipeline combine_nodes_in_pipeline(T1& node1, const T2& node2) {
  return combine_nodes_in_pipeline(*detail::kept(node1), *new T2(node2), std::is_const_v<T1>, true);
}

}  // namespace ff

#endif
