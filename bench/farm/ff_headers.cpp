// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../ff_parts.hpp"
#include "load.hpp"

using namespace weir_bench;

namespace {

struct working_node : ff::ff_node_t<task> {
  explicit working_node(const farm_load& work) : load(work) {}
  task* svc(task* what) override { return task_of(load(item_of(what))); }
  const farm_load& load;
};

duration timed_ff_farm(std::int64_t items, const farm_load& load, const options&) {
  counting_node source(items, 0);
  std::vector<std::unique_ptr<working_node>> workers;
  std::vector<ff::ff_node*> nodes;
  for (std::size_t i = 0; i != load.workers(); ++i) {
    workers.push_back(std::make_unique<working_node>(load));
    nodes.push_back(workers.back().get());
  }
  summing_node sink(0);
  ff::ff_farm farm(nodes, &source, &sink);
  const duration took = timed_run(farm);
  verify("count", sink.count, items);
  verify("sum", sink.sum, farm_sum(items));
  return took;
}

}  // namespace

int main(int argc, char** argv) { return farm_main(argc, argv, "farm", "ff_headers", timed_ff_farm); }
