// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A program for FastFlow, as C++17, built with the installed package. It includes all headers of
// FastFlow but <ff/dff.hpp>.
#include <ff/allocator.hpp>
#include <ff/barrier.hpp>
#include <ff/buffer.hpp>
#include <ff/buffernode.hpp>
#include <ff/dc.hpp>
#include <ff/dynqueue.hpp>
#include <ff/ff.hpp>
#include <ff/gsearch.hpp>
#include <ff/map.hpp>
#include <ff/mapping_utils.hpp>
#include <ff/mdf.hpp>
#include <ff/mpmc/MPMCqueues.hpp>
#include <ff/parallel_for.hpp>
#include <ff/poolEvolution.hpp>
#include <ff/selector.hpp>
#include <ff/squeue.hpp>
#include <ff/staticallocator.hpp>
#include <ff/staticlinkedlist.hpp>
#include <ff/stencilReduce.hpp>
#include <ff/taskf.hpp>

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
  long of_loop = 0;
  ParallelForReduce<long> loop(2);
  loop.parallel_reduce(
      of_loop, 0, 0, 100, [](long i, long& value) { value += i; }, [](long& all, const long value) { all += value; });
  return sink.sum == 4950 && of_loop == 4950 ? 0 : 1;
}
