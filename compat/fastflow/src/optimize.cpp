// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "lowering.hpp"
#include "transformation.hpp"

#include <ff/optimize.hpp>

#include <algorithm>
#include <cstdio>

namespace ff {

using detail::is_block;
using detail::transformation;

namespace {

ff_farm* as_farm(ff_node* node) { return dynamic_cast<ff_farm*>(node); }

void report(const OptLevel& level, const char* change, std::size_t stage) {
  if (level.verbose_level > 0) std::printf("optimize_static: %s, stage %zu\n", change, stage);
}

// Whether it has run before. It would run differently from then on.
bool has_run(ff_node& block) {
  const auto& runs = detail::lowering::runs_of(block);
  if (runs == nullptr || runs->running == nullptr) return false;
  error("optimize_static, the block has run already\n");
  return true;
}

void optimize(ff_node& block, const OptLevel& level);

// ---- collectors ----

// Takes away the default collectors at the end of a block. Returns how many there were.
int remove_last_collectors(ff_node& block) {
  int removed = 0;
  const auto remove_from = [&](const svector<ff_node*>& all) {
    for (ff_node* const each : all) removed += remove_last_collectors(*each);
  };
  if (const auto* const pipe = dynamic_cast<ff_pipeline*>(&block)) {
    if (!pipe->isset_wraparound() && !pipe->getStages().empty()) return remove_last_collectors(*pipe->get_laststage());
  } else if (const auto* const both = dynamic_cast<ff_a2a*>(&block)) {
    if (!both->isset_wraparound()) remove_from(both->getSecondSet());
  } else if (ff_farm* const farm = as_farm(&block)) {
    if (farm->isOFarm() || farm->isset_wraparound()) return 0;
    remove_from(farm->getWorkers());
    if (transformation::has_default_collector(*farm)) {
      farm->remove_collector();
      ++removed;
    }
  }
  return removed;
}

void remove_collectors(ff_pipeline& pipe, const OptLevel& level) {
  svector<ff_node*>& stages = transformation::stages(pipe);
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    ff_node& next = *stages[i + 1];
    if (!stages[i]->isFarm() && !stages[i]->isPipe() && !stages[i]->isAll2All()) continue;
    if (ff_farm* const farm = as_farm(stages[i]); farm != nullptr && farm->isOFarm()) {
      if (farm->getCollector() != nullptr || farm->isset_wraparound() || is_block(next)) continue;
      // As a collector it hears of the end of each worker, unless it is made to have several
      // inputs.
      ff_node* collector = &next;
      if (!next.isMultiInput()) transformation::own(*farm, collector = new internal_mi_transformer(&next));
      farm->add_collector(collector);
      pipe.remove_stage(static_cast<int>(i + 1));
      report(level, "the next node is the ordered farm's collector", i);
      continue;
    }
    if (next.isAll2All() || (next.isPipe() && !next.isMultiInput())) continue;
    if (remove_last_collectors(*stages[i]) == 0) continue;
    report(level, "no collector", i);
    if (is_block(next) || next.isMultiInput()) continue;
    transformation::put_for(pipe, i + 1, new internal_mi_transformer(&next));
    report(level, "several inputs", i + 1);
  }
}

// ---- emitters ----

void merge_with_emitters(ff_pipeline& pipe, const OptLevel& level) {
  svector<ff_node*>& stages = transformation::stages(pipe);
  const auto has_one_way = [](const ff_node& node) { return !node.isMultiInput() && !node.isMultiOutput(); };
  for (std::size_t i = 1; i < stages.size(); ++i) {
    ff_farm* const farm = as_farm(stages[i]);
    if (farm == nullptr || farm->getEmitter() != nullptr || farm->isset_wraparound()) continue;
    ff_node* const before = stages[i - 1];
    if (ff_farm* const first = as_farm(before)) {
      ff_node* const collector = first->getCollector();
      if (collector == nullptr || !has_one_way(*collector) || first->isset_wraparound()) continue;
      farm->add_emitter(collector);
      first->remove_collector();
    } else if (!is_block(*before) && has_one_way(*before) && !(i == 1 && pipe.isset_wraparound())) {
      farm->add_emitter(before);
      pipe.remove_stage(static_cast<int>(i - 1));
      --i;
    } else {
      continue;
    }
    report(level, "what came before is the emitter", i);
  }
}

// ---- farms in a row ----

// Whether nothing but the tasks passes from the first farm to the second.
bool are_open(const ff_farm& first, const ff_farm& second) {
  return first.getCollector() == nullptr && second.getEmitter() == nullptr && !first.isset_wraparound() &&
         !second.isset_wraparound() && !transformation::has_own_scheduling(second) && first.getNWorkers() != 0 &&
         second.getNWorkers() != 0;
}

bool can_merge(const ff_farm& first, const ff_farm& second) {
  const auto fit = [](const ff_node* one, const ff_node* other) {
    return !is_block(*one) && !is_block(*other) && !one->isMultiOutput() && !other->isMultiInput();
  };
  const svector<ff_node*>& one = first.getWorkers();
  const svector<ff_node*>& other = second.getWorkers();
  return are_open(first, second) && first.isOFarm() == second.isOFarm() &&
         std::equal(one.begin(), one.end(), other.begin(), other.end(), fit);
}

bool can_meet(const ff_farm& first, const ff_farm& second) {
  const svector<ff_node*>& senders = first.getWorkers();
  return are_open(first, second) && !first.isOFarm() && !second.isOFarm() &&
         std::none_of(senders.begin(), senders.end(), [](const ff_node* each) { return each->isMultiOutput(); });
}

template <class Can, class Combine>
void make_one(ff_pipeline& pipe, const OptLevel& level, Can can, Combine combine, const char* change) {
  svector<ff_node*>& stages = transformation::stages(pipe);
  for (std::size_t i = 0; i + 1 < stages.size();) {
    ff_farm* const first = as_farm(stages[i]);
    ff_farm* const second = as_farm(stages[i + 1]);
    if (first == nullptr || second == nullptr || !can(*first, *second)) {
      ++i;
      continue;
    }
    transformation::put_for(pipe, i, new ff_farm(combine(*first, *second)));
    pipe.remove_stage(static_cast<int>(i + 1));
    report(level, change, i);
  }
}

// ---- blocks ----

void optimize_parts(ff_node& block, const OptLevel& level) {
  const auto optimize_all = [&](const svector<ff_node*>& all) {
    for (ff_node* const each : all) optimize(*each, level);
  };
  if (const auto* const pipe = dynamic_cast<ff_pipeline*>(&block)) {
    optimize_all(pipe->getStages());
  } else if (const ff_farm* const farm = as_farm(&block)) {
    optimize_all(farm->getWorkers());
  } else if (const auto* const both = dynamic_cast<ff_a2a*>(&block)) {
    optimize_all(both->getFirstSet());
    optimize_all(both->getSecondSet());
  }
}

void optimize(ff_node& block, const OptLevel& level) {
  auto* const pipe = dynamic_cast<ff_pipeline*>(&block);
  if (pipe != nullptr) {
    pipe->flatten();
    transformation::note_owned(*pipe);
  } else if (ff_farm* const farm = as_farm(&block)) {
    transformation::note_owned(*farm);
  }
  optimize_parts(block, level);
  if (ff_farm* const farm = as_farm(&block); farm != nullptr && level.remove_collector) {
    // The farm's collector takes from whoever sends.
    if (!farm->isOFarm() && farm->hasCollector()) {
      for (ff_node* const each : farm->getWorkers()) remove_last_collectors(*each);
    }
  }
  if (pipe == nullptr) return;
  if (level.merge_farms) make_one(*pipe, level, can_merge, combine_farms_nf, "merged two farms");
  if (level.introduce_a2a)
    make_one(
        *pipe, level, can_meet, [](ff_farm& one, ff_farm& other) { return combine_farms_a2a(one, other); },
        "an all-to-all of two farms");
  if (level.remove_collector) remove_collectors(*pipe, level);
  if (level.merge_with_emitter) merge_with_emitters(*pipe, level);
}

int optimize_whole(ff_node& block, const OptLevel& level) {
  if (has_run(block)) return -1;
  optimize(block, level);
  return 0;
}

int combine_node(ff_node& block, ff_node* node, bool cleanup, const detail::node_copier& copy, bool at_the_end) {
  if (node == nullptr || is_block(*node)) {
    error("only a node can be combined with a block's first or last nodes\n");
    return -1;
  }
  transformation::supply nodes(node, cleanup, copy);
  return transformation::combine(block, nodes, at_the_end);
}

}  // namespace

int optimize_static(ff_pipeline& pipe, const OptLevel& level) { return optimize_whole(pipe, level); }
int optimize_static(ff_farm& farm, const OptLevel& level) { return optimize_whole(farm, level); }
int optimize_static(ff_a2a& both, const OptLevel& level) { return optimize_whole(both, level); }

int combine_with_emitter(ff_farm& farm, ff_node* node, bool cleanup) {
  return combine_node(farm, node, cleanup, {}, false);
}
int combine_with_collector(ff_farm& farm, ff_node* node, bool cleanup) {
  if (farm.getCollector() == nullptr) {
    error("combine_with_collector, the farm has no collector of its own\n");
    return -1;
  }
  return combine_node(farm, node, cleanup, {}, true);
}

namespace detail {

int combine_with_first(ff_node& block, ff_node* node, bool cleanup, const node_copier& copy) {
  return combine_node(block, node, cleanup, copy, false);
}
int combine_with_last(ff_node& block, ff_node* node, bool cleanup, const node_copier& copy) {
  return combine_node(block, node, cleanup, copy, true);
}

}  // namespace detail
}  // namespace ff
