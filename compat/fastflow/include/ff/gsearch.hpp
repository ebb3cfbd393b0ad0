// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_GSEARCH_HPP
#define WEIR_FF_GSEARCH_HPP

#include <ff/parallel_for.hpp>

#include <cstddef>
#include <deque>
#include <unordered_set>
#include <vector>

namespace ff {

/// A node of a graph in which `ff_graphsearch` searches.
template <typename T>
class gnode_t {
 public:
  typedef T node_type;

  gnode_t(const long id, const T& element) : nodeid(static_cast<unsigned long>(id)), elem(element) {}

  bool operator==(const gnode_t& other) const { return elem == other.elem; }
  void out_nodes(std::deque<gnode_t*>& to) const { to = outNodes; }
  void add_node(gnode_t* const to) { outNodes.push_back(to); }
  const T& getElement() const { return elem; }
  unsigned long getId() const { return nodeid; }

 protected:
  const unsigned long nodeid;
  T elem;
  std::deque<gnode_t*> outNodes;
};

/// Searches a graph for nodes that are equal to a given one, in the order of their distance from
/// the start. Nodes that are equally far are compared in parallel. As a node of a network it
/// searches for each task, and sends on what it has found; otherwise the task.
///
/// @tparam T has `operator==`, `getId`, a number by which a node is known, and `out_nodes`
template <typename T, unsigned = 0>
class ff_graphsearch : public ff_node {
 public:
  explicit ff_graphsearch(const int nw = static_cast<int>(ff_numCores()), const bool /*all*/ = false) : loops_(nw) {}

  void setStart(T* const start) { start_ = start; }

  /// Looks for one node. @return whether there is one
  bool search(T* const start, T* const wanted, T*& result, const int nw = -1) {
    std::deque<T*> found;
    if (!look(start, *wanted, found, false, nw)) return false;
    result = found.front();
    return true;
  }
  /// Looks for all nodes, and adds them to `result`. @return whether there are any
  bool search(T* const start, T* const wanted, std::deque<T*>& result, const int nw = -1) {
    return look(start, *wanted, result, true, nw);
  }

  int svc_init() override {
    if (start_ != nullptr) return 0;
    error("ff_graphsearch, setStart has not been called\n");
    return -1;
  }
  void* svc(void* task) override {
    T* result = static_cast<T*>(task);
    search(start_, result, result);
    return result;
  }

 private:
  bool look(T* start, const T& wanted, std::deque<T*>& found, bool all, int nw) {
    const std::size_t before = found.size();
    std::unordered_set<unsigned long> seen{start->getId()};
    std::deque<T*> out;
    std::vector<T*> next;
    for (std::vector<T*> now{start}; !now.empty() && (all || found.size() == before); now.swap(next)) {
      std::vector<char> equal(now.size());
      loops_.parallel_for(
          0, static_cast<long>(now.size()), 1, 0,
          [&](const long i) {
            const auto number = static_cast<std::size_t>(i);
            equal[number] = wanted == *now[number];
          },
          nw);
      next.clear();
      for (std::size_t i = 0; i != now.size(); ++i) {
        if (equal[i] != 0) found.push_back(now[i]);
        now[i]->out_nodes(out);
        for (T* const each : out) {
          if (seen.insert(each->getId()).second) next.push_back(each);
        }
      }
    }
    return found.size() != before;
  }

  ParallelFor loops_;
  T* start_ = nullptr;
};

}  // namespace ff

#endif
