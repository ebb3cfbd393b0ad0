// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Farms and nodes that are combined: the graph before and after, the result of the stream, and who
// deletes the nodes.

#include "graphs.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ff;
using namespace ff_test;

// ---- combining farms ----

namespace {

/// Two farms with emitters and collectors: 0, 1, … are made, incremented and added up.
struct two_farms {
  two_farms(std::size_t workers1, std::size_t workers2, long count) : source(count) {
    first.add_emitter(&source);
    first.add_workers(raw<increment>(workers1));
    second.add_workers(raw<twice>(workers2));
    second.add_collector(&sink);
    first.cleanup_workers();
    second.cleanup_workers();
  }
  numbers source;
  sum_all sink;
  ff_farm first;
  ff_farm second;
};

}  // namespace

TEST(combine_farms, with_an_all_to_all) {
  two_farms all(2, 3, 100);
  auto pipe = combine_farms(all.first, static_cast<same*>(nullptr), all.second, static_cast<same*>(nullptr), false);
  EXPECT_EQ(graph_of(pipe), "2 increment, 1 numbers, 1 sum_all, 3 twice, 11 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(all.sink.sum, 2 * (sum_below(100) + 100));
}

TEST(combine_farms, with_nodes_at_both_sides_of_an_all_to_all) {
  two_farms all(2, 3, 100);
  const increment collector;
  const same_from_several emitter;
  auto pipe = combine_farms(all.first, &collector, all.second, &emitter, false);
  EXPECT_EQ(graph_of(pipe), "2 increment+increment, 1 numbers, 3 same_from_several+twice, 1 sum_all, 11 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(all.sink.sum, 2 * (sum_below(100) + 200));
}

TEST(combine_farms, with_one_node_behind_the_first_workers) {
  for (const bool is_collector : {true, false}) {
    two_farms all(2, 3, 100);
    const increment node;
    const same* const none = nullptr;
    auto pipe = is_collector ? combine_farms(all.first, &node, all.second, none, false)
                             : combine_farms(all.first, none, all.second, &node, false);
    EXPECT_EQ(graph_of(pipe), "2 increment+increment, 1 numbers, 1 sum_all, 3 twice, 11 channels");
    EXPECT_EQ(pipe.run_and_wait_end(), 0);
    EXPECT_EQ(all.sink.sum, 2 * (sum_below(100) + 200));
  }
}

TEST(combine_farms, merging_both_nodes_to_an_emitter) {
  two_farms all(2, 3, 150);
  same_from_several collector;
  increment emitter;
  all.first.add_collector(&collector);
  all.second.add_emitter(&emitter);
  auto pipe = combine_farms(all.first, &collector, all.second, &emitter, true);
  EXPECT_EQ(graph_of(pipe), "2 increment, 1 numbers, 1 same_from_several+increment, 1 sum_all, 3 twice, 10 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(all.sink.sum, 2 * (sum_below(150) + 300));
}

TEST(combine_farms, merging_one_node_to_an_emitter) {
  two_farms all(2, 3, 100);
  increment collector;
  all.first.add_collector(&collector);
  auto pipe = combine_farms(all.first, &collector, all.second, static_cast<same*>(nullptr), true);
  EXPECT_EQ(graph_of(pipe), "3 increment, 1 numbers, 1 sum_all, 3 twice, 10 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(all.sink.sum, 2 * (sum_below(100) + 200));
  EXPECT_EQ(collector.seen, 100);  // no copy
}

TEST(combine_farms, merging_the_workers) {
  two_farms all(3, 3, 100);
  const same* const none = nullptr;
  auto pipe = combine_farms(all.first, none, all.second, none, true);
  EXPECT_EQ(graph_of(pipe), "3 increment+twice, 1 numbers, 1 sum_all, 6 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(all.sink.sum, 2 * (sum_below(100) + 100));
}

TEST(combine_farms, hears_once_that_the_stream_has_ended) {
  struct counts_ends : ff_node_t<long> {
    explicit counts_ends(std::vector<long>& to) : at(&to) {}
    counts_ends(const counts_ends& other) : ff_node_t<long>(), at(other.at) {}
    long* svc(long* task) override { return ++seen, task; }
    void eosnotify(ssize_t) override { at->push_back(seen); }
    long seen = 0;
    std::vector<long>* at;
  };
  two_farms all(4, 2, 100);
  std::vector<long> ends;
  same_from_several collector;
  counts_ends emitter(ends);
  auto pipe = combine_farms(all.first, &collector, all.second, &emitter, true);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(ends, (std::vector<long>{100}));
}

TEST(combine_farms, a2a_gives_a_farm) {
  two_farms all(2, 3, 100);
  auto farm = combine_farms_a2a(all.first, all.second);
  EXPECT_EQ(graph_of(farm), "2 increment, 1 numbers, 1 sum_all, 3 twice, 11 channels");
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(all.sink.sum, 2 * (sum_below(100) + 100));

  two_farms others(2, 3, 100);
  same_to_several emitter;
  others.second.add_emitter(&emitter);
  auto with_node = combine_farms_a2a(others.first, emitter, others.second);
  EXPECT_EQ(graph_of(with_node), "2 increment+same_to_several, 1 numbers, 1 sum_all, 3 twice, 11 channels");
  EXPECT_EQ(with_node.run_and_wait_end(), 0);
  EXPECT_EQ(others.sink.sum, 2 * (sum_below(100) + 100));
}

TEST(combine_farms, lets_farms_go_whose_nodes_it_has_taken) {
  auto* const all = new two_farms(2, 3, 50);
  sum_all sink;
  numbers source(50);
  all->first.change_emitter(&source);
  all->second.remove_collector();
  all->second.add_collector(&sink);
  auto pipe = combine_farms(all->first, static_cast<same*>(nullptr), all->second, static_cast<same*>(nullptr), false);
  delete all;
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(50) + 50));
}

TEST(combine_farms, needs_nodes_that_fit) {
  const same* const none = nullptr;
  two_farms ordered(2, 2, 10);
  ordered.second.set_ordered();
  auto refused = combine_farms(ordered.first, none, ordered.second, none, false);
  EXPECT_EQ(refused.run_and_wait_end(), -1);
  struct no_copy : ff_node_t<long> {
    no_copy() = default;
    no_copy(const no_copy&) = delete;
    long* svc(long* task) override { return task; }
  } single;
  two_farms all(2, 2, 10);
  auto without_copies = combine_farms(all.first, &single, all.second, none, false);
  EXPECT_EQ(without_copies.run_and_wait_end(), -1);
  auto with_the_node = combine_farms(all.first, &single, all.second, none, true);  // needs no copy
  EXPECT_EQ(with_the_node.run_and_wait_end(), 0);
  EXPECT_EQ(all.sink.count, 10);
}

TEST(combine_farms, nf_needs_workers_that_fit) {
  two_farms all(2, 3, 10);
  auto wrong = combine_farms_nf(all.first, all.second);
  EXPECT_EQ(wrong.run_and_wait_end(), -1);
  two_farms others(2, 2, 10);
  others.second.set_ordered();
  auto mixed = combine_farms_nf(others.first, others.second);
  EXPECT_EQ(mixed.run_and_wait_end(), -1);
}

TEST(combine_farms, that_are_ordered_keeps_the_order) {
  auto* const first = new ff_farm;
  first->add_emitter(new numbers(300));
  first->add_workers(raw<same>(3));
  first->add_collector(new same_from_several);
  first->cleanup_all();
  first->set_ordered();
  auto* const second = new ff_farm;
  second->add_emitter(new same);
  second->add_workers(raw<same>(2));
  sum_up sink;
  second->add_collector(&sink);
  second->cleanup_workers();
  second->cleanup_emitter();
  second->set_ordered();
  auto pipe = combine_ofarm_farm(*first, *second);
  EXPECT_EQ(graph_of(pipe), "1 collector, 1 numbers, 5 same, 1 same_from_several+same, 1 sum_up, 13 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.count, 300);
  EXPECT_TRUE(sink.in_order);
  delete first;
  delete second;
}

// ---- combining nodes ----

TEST(combine_nodes_in_pipeline, has_a_form_for_each_kind) {
  numbers source(100);
  sum_up sink;
  auto nodes = combine_nodes_in_pipeline(source, sink);
  EXPECT_EQ(graph_of(nodes), "1 numbers, 1 sum_up, 1 channels");

  increment emitter;
  ff_Farm<long> farm(owned<same>(2), emitter);
  auto before = combine_nodes_in_pipeline(source, farm);
  EXPECT_EQ(graph_of(before), "1 collector, 1 numbers+increment, 2 same, 4 channels");
  auto behind = combine_nodes_in_pipeline(farm, sink);
  EXPECT_EQ(graph_of(behind), "1 numbers+increment, 2 same, 1 sum_up, 4 channels");
  EXPECT_EQ(behind.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(100) + 100);

  auto copies = combine_nodes_in_pipeline(numbers(10), increment());
  EXPECT_EQ(graph_of(copies), "1 increment, 1 numbers, 1 channels");
}

TEST(combine_nodes_in_pipeline, merges_a_collector_with_an_emitter) {
  numbers source(100);
  increment collector;
  increment emitter;
  ff_Farm<long> first(owned<same>(2));
  first.add_collector(collector);
  ff_Farm<long> second(owned<same>(2), emitter);
  sum_up sink;
  auto inner = combine_nodes_in_pipeline(first, second);
  ff_Pipe<> pipe(source, inner, sink);
  EXPECT_EQ(graph_of(pipe), "1 collector, 1 emitter, 1 increment+increment, 1 numbers, 4 same, 1 sum_up, 10 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(100) + 200);
}

TEST(combine_with, the_first_and_the_last_stage) {
  numbers source(100);
  increment middle;
  sum_up sink;
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&middle);
  EXPECT_EQ(combine_with_laststage(pipe, new twice, true), 0);
  EXPECT_EQ(combine_with_laststage(pipe, &sink), 0);
  EXPECT_EQ(graph_of(pipe), "1 increment+twice+sum_up, 1 numbers, 1 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(100) + 100));

  numbers other(100);
  ff_Farm<long> farm(owned<twice>(3));
  sum_up others;
  ff_pipeline inner;
  inner.add_stage(&farm);
  ff_pipeline whole;
  whole.add_stage(&inner);
  whole.add_stage(&others);
  EXPECT_EQ(combine_with_firststage(whole, new increment, true), 0);
  EXPECT_EQ(combine_with_firststage(whole, &other), 0);
  EXPECT_EQ(graph_of(whole), "1 collector, 1 numbers+increment, 1 sum_up, 3 twice, 7 channels");
  EXPECT_EQ(whole.run_and_wait_end(), 0);
  EXPECT_EQ(others.sum, 2 * (sum_below(100) + 100));
}

TEST(combine_with, each_of_several_last_nodes) {
  numbers source(100);
  ff_a2a both;
  std::vector<ff_node*> pipes;
  for (int i = 0; i != 2; ++i) {
    auto* const pipe = new ff_pipeline;
    pipe->add_stage(new increment);
    pipe->add_stage(new same);
    pipe->cleanup_nodes();
    pipes.push_back(pipe);
  }
  both.add_firstset(std::vector<ff_node*>{&source});
  both.add_secondset(pipes, true);
  ff_farm farm(raw<same>(3));
  farm.remove_collector();
  farm.cleanup_workers();
  ff_pipeline pipe;
  pipe.add_stage(&both);
  EXPECT_EQ(combine_with_laststage(pipe, new twice, true), 0);
  EXPECT_EQ(combine_right_with_farm(farm, new increment, true), 0);
  pipe.add_stage(&farm);
  sum_all sink;
  pipe.add_stage(&sink);
  EXPECT_EQ(graph_of(pipe),
            "1 emitter, 2 increment, 1 numbers, 3 same+increment, 2 same+twice, 1 sum_all, 12 channels");
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(100) + 100) + 100);
}

TEST(combine_with, each_of_several_first_nodes) {
  numbers source(100);
  increment node;
  ff_a2a both;
  both.add_firstset(raw<same>(2), 0, true);
  both.add_secondset(raw<twice>(2), true);
  ff_pipeline pipe;
  pipe.add_stage(&both);
  EXPECT_EQ(combine_with_firststage(pipe, &node), 0);
  ff_farm farm;
  farm.add_emitter(&source);
  farm.add_workers({&pipe});
  sum_all sink;
  farm.add_collector(&sink);
  EXPECT_EQ(graph_of(farm), "2 increment+same, 1 numbers, 1 sum_all, 2 twice, 8 channels");
  EXPECT_EQ(farm.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, 2 * (sum_below(100) + 100));
  EXPECT_EQ(node.seen, 50);  // the other half went to the copy

  struct no_copy : ff_node_t<long> {
    no_copy() = default;
    no_copy(const no_copy&) = delete;
    long* svc(long* task) override { return task; }
  } single;
  EXPECT_EQ(combine_left_with_a2a(both, &single), -1);
}

TEST(combine_with, says_why_it_can_not) {
  ff_pipeline empty;
  same node;
  EXPECT_EQ(combine_with_firststage(empty, &node), -1);
  EXPECT_EQ(combine_with_laststage(empty, &node), -1);
  ff_Farm<long> farm(owned<same>(2));
  EXPECT_EQ(combine_with_collector(farm, &node), -1);
  ff_Farm<long> other(owned<same>(2));
  EXPECT_EQ(combine_with_emitter(farm, &other), -1);
  EXPECT_EQ(combine_with_emitter(farm, &node), 0);
  EXPECT_EQ(farm.getEmitter(), &node);
}

TEST(transformers, give_a_node_several_inputs_or_consumers) {
  same inner;
  internal_mi_transformer several_inputs(&inner);
  internal_mo_transformer several_consumers(same{});
  EXPECT_TRUE(several_inputs.isMultiInput());
  EXPECT_FALSE(several_inputs.isMultiOutput());
  EXPECT_TRUE(several_consumers.isMultiOutput());
  EXPECT_FALSE(several_consumers.isMultiInput());
}

// ---- who deletes nodes ----

TEST(owners, keep_nodes_that_a_farm_was_not_given) {
  numbers source(100);
  sum_up sink;
  ff_farm farm;
  farm.add_workers(raw<increment>(2));
  farm.add_collector(nullptr);
  farm.cleanup_all();  // nothing but the workers is there to be deleted
  ff_pipeline pipe;
  pipe.add_stage(&source);
  pipe.add_stage(&farm);
  pipe.add_stage(&sink);
  ASSERT_EQ(optimize_static(pipe, OptLevel2()), 0);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(100) + 100);
}

TEST(owners, of_combined_workers_are_the_combined_farms) {
  numbers source(100);
  increment behind;
  sum_up sink;
  ff_farm first;
  first.add_emitter(&source);
  first.add_workers(raw<increment>(2));
  first.cleanup_workers();
  ASSERT_EQ(combine_right_with_farm(first, &behind), 0);
  ff_farm second;
  second.add_workers(raw<increment>(2));
  second.cleanup_workers();
  second.add_collector(&sink);
  ff_farm whole = combine_farms_nf(first, second);
  EXPECT_EQ(whole.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(100) + 300);
}

TEST(combined_emitters, that_take_another_ones_place_hear_of_each_end) {
  numbers one(10);
  numbers other(20);
  increment before;
  same_from_several first;
  increment last;
  ff_comb both(&first, &last);
  sum_all sink;
  ff_farm makers;
  makers.add_emitter(new same_from_several);
  makers.cleanup_emitter();
  ff_a2a sources;
  sources.add_firstset<numbers>({&one, &other});
  std::vector<same_from_several> passes(2);
  sources.add_secondset<same_from_several>({&passes[0], &passes[1]});
  makers.add_workers({&before});
  makers.add_collector(&sink);
  ASSERT_TRUE(makers.change_node(makers.getEmitter(), &both));
  ff_pipeline pipe;
  pipe.add_stage(&sources);
  pipe.add_stage(&makers);
  EXPECT_EQ(pipe.run_and_wait_end(), 0);
  EXPECT_EQ(sink.sum, sum_below(10) + sum_below(20) + 2 * 30);
}
