// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: License-Identifier include/weir/channel,include/weir/item
// test-output: include/weir/channel/ring.hpp: 1.*[0-9]+ files

// F2, figure 2, the first version: a pipeline of three nodes.

#include "08_file_search.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: 08a_file_search_pipeline TEXT DIRECTORY,...\n";
    return 2;
  }
  using namespace file_search;
  try {
    weir::run(weir::source(reader{argv[2]}).named("reader") | weir::node(worker{argv[1]}).named("worker") |
              weir::sink(writer{}).named("writer"));
  } catch (const weir::node_error& error) {
    std::cerr << "08a_file_search_pipeline: " << error.what() << '\n';
    return 1;
  }
  if (std::cout.flush()) return 0;
  std::cerr << "08a_file_search_pipeline: can't write standard output\n";
  return 1;
}
