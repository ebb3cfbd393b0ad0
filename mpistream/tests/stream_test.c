/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* stream_test [CASE...]    runs those cases, or all, one after the other on the ranks it has been
   started with, at least two. Each rank prints failed checks, and the program then ends with 1. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int rank, size, failures;
const char* now_in = "";

void failed(void) {
  /* Ends a run that would fail again and again. */
  if (++failures == 20) MPI_Abort(MPI_COMM_WORLD, 1);
}

void a_while(double seconds) {
  nanosleep(&(struct timespec){.tv_sec = (time_t)seconds,
                               .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)},
            NULL);
}

unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, of, &made);
  MPI_Type_commit(&made);
  return made;
}

MPIStream_Channel channel_with(int is_producer, int is_consumer) {
  MPIStream_Channel made = NULL;
  OK(MPIStream_CreateChannel(is_producer, is_consumer, MPI_COMM_WORLD, &made));
  return made;
}

MPIStream_Channel last_consume(int consumers) {
  return channel_with(rank < size - consumers, rank >= size - consumers);
}
int most_consumers(void) { return size > 3 ? 2 : 1; }

void add(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  long* const sum = inout;
  EXPECT(*datatype == MPI_LONG);
  if (*len == 0) {
    EXPECT(in == NULL);
    *sum = 0;
  }
  for (int i = 0; i != *len; ++i) *sum += ((const long*)in)[i];
}

unsigned long long own_key(const void* element) { return (unsigned long long)*(const int*)element; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"sums", sums},
               {"order", order},
               {"selections", selections},
               {"least_loaded", least_loaded},
               {"gaps", gaps},
               {"structures", structures},
               {"sizes", sizes},
               {"several", several},
               {"many", many},
               {"few_tests", few_tests},
               {"both", both},
               {"neither", neither},
               {"without_waiting", without_waiting},
               {"flushes", flushes},
               {"trickles", trickles},
               {"queries", queries},
               {"overtaking", overtaking},
               {"thresholds", thresholds},
               {"terminals", terminals},
               {"freeing", freeing},
               {"flood", flood},
               {"pipelines", pipelines},
               {"misuse", misuse},
               {"handlers", handlers},
               {"callbacks", callbacks},
               {"undecided", undecided},
               {"decided", decided},
               {"any", any}};
  int ran = 0;
  for (size_t i = 0; i != sizeof cases / sizeof *cases; ++i) {
    int wanted = argc == 1;
    for (int j = 1; j != argc; ++j) wanted = wanted || strcmp(argv[j], cases[i].name) == 0;
    if (!wanted) continue;
    now_in = cases[i].name;
    const double begin = MPI_Wtime();
    cases[i].run();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("%s: %.2f s\n", now_in, MPI_Wtime() - begin), fflush(stdout);
    ++ran;
  }
  int all = failures;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 && ran != 0 ? 0 : 1;
}
