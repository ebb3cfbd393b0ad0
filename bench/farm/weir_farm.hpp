// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../weir_parts.hpp"
#include "load.hpp"

namespace weir_bench {

/// At most `limit` items are in the farm at a time; 0: only its channels limit them.
inline duration timed_farm_of(std::size_t limit, std::int64_t items, const farm_load& load, const options& given) {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  const farm_load* work = &load;
  weir::block<std::int64_t, std::int64_t> farm =
      weir::farm([work](std::int64_t item) { return (*work)(item); }, load.workers());
  if (limit != 0) farm = farm.in_flight(limit);
  weir::network net = weir::source(counting_source{items}) | farm | weir::sink(adding_sink{&count, &sum});
  const duration took = timed_run(std::move(net), executor_for(given["threads"]));
  verify("count", count, items);
  verify("sum", sum, farm_sum(items));
  return took;
}

inline duration timed_farm(std::int64_t items, const farm_load& load, const options& given) {
  return timed_farm_of(0, items, load, given);
}

}  // namespace weir_bench
