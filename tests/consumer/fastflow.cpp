// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A program for FastFlow, built with the installed package.
#include <ff/ff.hpp>

using namespace ff;

struct numbers : ff_node_t<long> {
  long* svc(long*) { return next == 100 ? EOS : new long(next++); }
  long next = 0;
};
struct adds : ff_node_t<long> {
  long* svc(long* task) {
    sum += *task;
    delete task;
    return GO_ON;
  }
  long sum = 0;
};

int main() {
  numbers source;
  adds sink;
  ff_Pipe<> pipe(source, sink);
  if (pipe.run_and_wait_end() < 0) {
    error("running pipe\n");
    return -1;
  }
  return sink.sum == 4950 ? 0 : 1;
}
