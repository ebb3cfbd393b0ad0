// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: License-Identifier include/weir/channel include/weir/item
// test-output: include/weir/channel/ring.hpp: 1.*[0-9]+ files

// F2, figure 2, the second version: two readers and three workers, all to all, and a writer. The
// nodes are those of 08a.

#include "08_file_search.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: 08b_file_search_all_to_all TEXT DIRECTORY,... DIRECTORY,...\n";
    return 2;
  }
  using namespace file_search;
  try {
    auto readers = weir::set(weir::source(reader{argv[2]}), weir::source(reader{argv[3]})).named("readers");
    auto workers = weir::farm(worker{argv[1]}, 3).named("workers");
    weir::run(weir::all_to_all(readers, workers) | weir::sink(writer{}).named("writer"));
  } catch (const weir::node_error& error) {
    std::cerr << "08b_file_search_all_to_all: " << error.what() << '\n';
    return 1;
  }
  if (std::cout.flush()) return 0;
  std::cerr << "08b_file_search_all_to_all: can't write standard output\n";
  return 1;
}
