// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_MAP_HPP
#define WEIR_FF_MAP_HPP

#include <ff/parallel_for.hpp>

namespace ff {
WEIR_FF_TYPED_BEGIN

/// A node that has parallel loops: `svc` calls `parallel_for` and its kin.
template <typename IN_t = void, typename OUT_t = IN_t, typename reduceT = int>
class ff_Map : public ff_node_t<IN_t, OUT_t>, public ParallelForReduce<reduceT> {
 public:
  explicit ff_Map(std::size_t maxp = static_cast<std::size_t>(-1), bool spinwait = false, bool spinbarrier = false)
      : ParallelForReduce<reduceT>(static_cast<long>(maxp), spinwait, spinbarrier) {}
};

WEIR_FF_TYPED_END
}  // namespace ff

#endif
