// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_GRAPH_UTILS_HPP
#define WEIR_FF_GRAPH_UTILS_HPP

#include <weir/export.hpp>

#include <ff/all2all.hpp>
#include <ff/combine.hpp>

namespace ff {

// Questions about a block. Those that ask for parts return nothing if it is of another kind.

WEIR_API bool isfarm_withcollector(ff_node* block);
/// Whether it is a farm without collector, whose workers have several consumers.
WEIR_API bool isfarm_multimultioutput(ff_node* block);
WEIR_API const svector<ff_node*>& isfarm_getworkers(ff_node* block);
WEIR_API const svector<ff_node*>& isa2a_getfirstset(ff_node* block);
WEIR_API const svector<ff_node*>& isa2a_getsecondset(ff_node* block);
WEIR_API ff_node* ispipe_getlast(ff_node* block);
/// The innermost block in `start` that has `node` as a part; `node` if that is `start`; null if
/// there is none.
WEIR_API ff_node* getBB(ff_node* start, ff_node* node);

}  // namespace ff

#endif
