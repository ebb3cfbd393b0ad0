// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Breadth-first search: the distance of each vertex of a graph from vertex 0. The file has a line
// "FROM TO" for each edge; edges lead both ways.

#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using vertices = std::vector<int>;
using graph = std::vector<vertices>;  // the neighbours of each vertex

graph read_graph(const std::string& path) {
  std::ifstream in(path);
  graph made(1);
  for (int from = 0, to = 0; in >> from >> to && from >= 0 && to >= 0;) {
    made.resize(std::max({made.size(), from + std::size_t{1}, to + std::size_t{1}}));
    made[from].push_back(to);
    made[to].push_back(from);
  }
  if (!in.eof()) throw std::runtime_error(path + ": can't be read, or has a line that is not FROM TO");
  return made;
}

// A worker: finds the neighbours of some vertices that no worker has found before.
struct look_around {
  const graph* all;
  std::vector<std::atomic<bool>>* seen;

  vertices operator()(const vertices& some) const {
    vertices found;
    for (const int v : some) {
      for (const int next : (*all)[v]) {
        if (!(*seen)[next].exchange(true, std::memory_order_relaxed)) found.push_back(next);
      }
    }
    return found;
  }
};

// The master: a round of the loop for each level of the search.
struct levels {
  std::vector<int> distances;
  int level = 0;
  vertices found{};

  void process(int start, weir::outlet<vertices>& jobs, weir::outlet<std::vector<int>>&) {
    distances[start] = 0;
    jobs.send({start});
  }
  void returned(const vertices& some, weir::outlet<vertices>&, weir::outlet<std::vector<int>>&) {
    for (const int v : some) distances[v] = level + 1;
    found.insert(found.end(), some.begin(), some.end());
  }
  // Nothing is under way in the loop: the level is done.
  void quiet(weir::outlet<vertices>& jobs, weir::outlet<std::vector<int>>&) {
    ++level;
    for (auto at = found.begin(); at != found.end();) {
      const auto end = at + std::min<std::ptrdiff_t>(1000, found.end() - at);
      jobs.send(vertices(at, end));
      at = end;
    }
    found.clear();
  }
  // The last round has found nothing.
  void finish(weir::outlet<vertices>&, weir::outlet<std::vector<int>>& answers) { answers.send(std::move(distances)); }
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: breadth_first FILE\n";
    return 2;
  }
  const graph all = read_graph(argv[1]);
  std::vector<std::atomic<bool>> seen(all.size());
  seen[0] = true;
  weir::network net =
      weir::from({0}) |
      weir::feedback(levels{std::vector<int>(all.size(), -1)}, weir::farm(look_around{&all, &seen}).named("look")) |
      weir::sink([](const std::vector<int>& distances) {
        for (std::size_t v = 0; v != distances.size(); ++v) std::cout << v << ' ' << distances[v] << '\n';
      });
  weir::run(net);
  if (!std::cout.flush()) throw std::runtime_error("can't write standard output");
} catch (const std::exception& error) {
  std::cerr << "breadth_first: " << error.what() << '\n';
  return 1;
}
