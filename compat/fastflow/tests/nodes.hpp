// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ff/ff.hpp>

#include <memory>
#include <vector>

// Nodes that the tests share. A task is a `long` on the heap.

namespace ff_test {

/// Sends the numbers from 0 to `count` - 1, one for each call.
struct numbers : ff::ff_node_t<long> {
  explicit numbers(long how_many) : count(how_many) {}
  long* svc(long*) override { return next == count ? EOS : new long(next++); }

  long count;
  long next = 0;
};

/// Adds one to each number.
struct increment : ff::ff_node_t<long> {
  long* svc(long* task) override {
    ++seen;
    ++*task;
    return task;
  }
  long seen = 0;
};

/// Adds the numbers up. It has one input.
struct sum_up : ff::ff_node_t<long> {
  long* svc(long* task) override {
    in_order = in_order && *task == count;
    ++count;
    sum += *task;
    delete task;
    return GO_ON;
  }
  void eosnotify(ssize_t input) override {
    ++ends;
    last_end = input;
  }

  long count = 0;
  long sum = 0;
  bool in_order = true;  // each number is the number of those before it
  int ends = 0;
  ssize_t last_end = -2;
};

/// Adds the numbers up. It has several inputs.
struct sum_all : ff::ff_minode_t<long> {
  long* svc(long* task) override {
    ++count;
    sum += *task;
    if (from.size() <= static_cast<std::size_t>(get_channel_id())) from.resize(get_channel_id() + 1);
    ++from[get_channel_id()];
    delete task;
    return GO_ON;
  }
  void eosnotify(ssize_t input) override { ended.push_back(input); }

  long count = 0;
  long sum = 0;
  std::vector<long> from;      // number of tasks by input
  std::vector<ssize_t> ended;  // inputs in the order in which they ended
};

template <class Node>
std::vector<std::unique_ptr<ff::ff_node>> owned(std::size_t count) {
  std::vector<std::unique_ptr<ff::ff_node>> made;
  for (std::size_t i = 0; i != count; ++i) made.push_back(std::make_unique<Node>());
  return made;
}

template <class Node>
std::vector<ff::ff_node*> raw(std::size_t count) {
  std::vector<ff::ff_node*> made;
  for (std::size_t i = 0; i != count; ++i) made.push_back(new Node);
  return made;
}

/// 0 + 1 + … + (count - 1)
inline long sum_below(long count) { return count * (count - 1) / 2; }

}  // namespace ff_test
