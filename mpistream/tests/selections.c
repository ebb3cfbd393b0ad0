/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Cases that check which consumer gets an element, and the speed of producers. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { keys = 101 };
static void count_keys(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    memset(inout, 0, keys * sizeof(int));
  } else {
    ++((int*)inout)[*(const int*)in];
  }
}

/* The consumer of each element, by each selection rule. */
void selections(void) {
  const int consumers = most_consumers(), producers = size - consumers;
  enum { count = 20200 };
  for (int selection = MPISTREAM_STATIC; selection <= MPISTREAM_LEAST_LOADED; ++selection) {
    MPIStream_Channel channel = last_consume(consumers);
    MPIStream stream = NULL;
    MPI_Datatype counts = contiguous(keys, MPI_INT);
    MPIStream_Operation operation = {count_keys, MPI_OP_NULL};
    OK(MPIStream_Attach(MPI_INT, counts, MPI_INT, &operation, &stream, &channel));
    MPI_Type_free(&counts);
    OK(MPIStream_Set_selection(stream, (MPIStream_Selection)selection, own_key));
    if (rank < producers) {
      for (int i = 0; i != count; ++i) OK(MPIStream_Send(&(int){i % keys}, &stream));
      OK(MPIStream_Terminate(stream));
    } else {
      int own[keys], all[keys];
      MPI_Comm fellows = MPI_COMM_NULL;
      OK(MPIStream_Operate(&stream));
      OK(MPIStream_Result(own, stream));
      OK(MPIStream_Channel_comm(channel, NULL, &fellows));
      MPI_Allreduce(own, all, keys, MPI_INT, MPI_SUM, fellows);
      int sum = 0;
      for (int key = 0; key != keys; ++key) {
        EXPECT(all[key] == producers * count / keys);
        if (selection == MPISTREAM_BY_KEY) EXPECT(own[key] == 0 || own[key] == all[key]);
        sum += own[key];
      }
      if (selection == MPISTREAM_ROUND_ROBIN) EXPECT(sum == producers * count / consumers);
    }
    OK(MPIStream_FreeChannel(&channel));
  }
}

static void count_slow(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
    return;
  }
  /* The last consumer is slower than any other that gets a core now and then. */
  if (rank == size - 1) a_while(0.02);
  ++*(long*)inout;
}

/* A slow consumer gets fewer elements. */
void least_loaded(void) {
  const int consumers = most_consumers();
  if (consumers == 1) return;
  MPIStream_Channel channel = last_consume(consumers);
  MPIStream stream = NULL;
  enum { doubles = 8192, count = 300 };
  MPI_Datatype block = contiguous(doubles, MPI_DOUBLE);
  MPIStream_Operation operation = {count_slow, MPI_OP_NULL};
  OK(MPIStream_Attach(block, MPI_LONG, MPI_DOUBLE, &operation, &stream, &channel));
  MPI_Type_free(&block);
  OK(MPIStream_Set_selection(stream, MPISTREAM_LEAST_LOADED, NULL));
  static double element[doubles];
  if (rank < size - consumers) {
    for (int i = 0; i != count; ++i) OK(MPIStream_Send(element, &stream));
    OK(MPIStream_Terminate(&stream));
  } else {
    long own[2] = {0, 0}, all[2] = {0, 0};
    MPI_Comm fellows = MPI_COMM_NULL;
    OK(MPIStream_Operate(&stream));
    OK(MPIStream_Result(&own[rank == size - 1], stream));
    OK(MPIStream_Channel_comm(channel, NULL, &fellows));
    MPI_Allreduce(own, all, 2, MPI_LONG, MPI_SUM, fellows);
    EXPECT(all[0] + all[1] == (long)count * (size - consumers));
    EXPECT(all[1] < all[0]);
  }
  OK(MPIStream_FreeChannel(&channel));
}

static long memory_of_this_process(void) {
  long pages = 0, resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file != NULL && fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

static long most_memory;
static void look_at_memory(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
    return;
  }
  if (++*(long*)inout % 256 != 0) return;
  const long now = memory_of_this_process();
  if (now > most_memory) most_memory = now;
}

/* Without backpressure, producers would get ahead of their consumer by hundreds of megabytes. */
void flood(void) {
  MPIStream_Channel channel = last_consume(1);
  MPIStream stream = NULL;
  enum {
    doubles = 512,
    all_bytes = 400 << 20,
    bytes = doubles * sizeof(double),
    allowed = 48 << 20
  };
  MPI_Datatype type = contiguous(doubles, MPI_DOUBLE);
  MPIStream_Operation operation = {look_at_memory, MPI_SUM};
  OK(MPIStream_Attach(type, MPI_LONG, MPI_DOUBLE, &operation, &stream, &channel));
  MPI_Type_free(&type);
  static double element[doubles];
  const int count = all_bytes / bytes / (size - 1);
  const long before = most_memory = memory_of_this_process();
  if (rank != size - 1) {
    for (int i = 0; i != count; ++i) OK(MPIStream_Send(element, &stream));
    EXPECT(memory_of_this_process() - before < allowed);
    OK(MPIStream_Terminate(&stream));
  } else {
    a_while(0.5);
    OK(MPIStream_Operate(&stream));
    long all = 0;
    OK(MPIStream_Result(&all, stream));
    EXPECT(all == (long)count * (size - 1));
    EXPECT(most_memory - before < allowed);
  }
  OK(MPIStream_FreeChannel(&channel));
}

/* A seed determines numbers of streams, sizes, rules and roles; the sum must be right. */
void any(void) {
  const char* const said = getenv("MPISTREAM_SEED");
  unsigned seed = said != NULL ? (unsigned)strtoul(said, NULL, 10) : (unsigned)time(NULL);
  MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("MPISTREAM_SEED=%u\n", seed);
  unsigned all = seed;
  for (int round = 0; round != 30; ++round) {
    /* All choices are the same on all ranks, except those that `own` makes. */
    unsigned own = all + (unsigned)rank * 7919u;
    const unsigned roles = next_random(&all);
    int is_producer = next_random(&own) % 3 != 0,
        is_consumer = roles % 2 ? next_random(&own) % 3 != 0 : !is_producer;
    if (rank == 0) is_producer = 1;
    if (rank == size - 1) is_consumer = 1;
    MPIStream_Channel channel = channel_with(is_producer, is_consumer);
    const int count = 1 + (int)(next_random(&all) % 3);
    MPIStream streams[3] = {NULL, NULL, NULL};
    long expected[3] = {0, 0, 0}, sent[3] = {0, 0, 0};
    int longs[3] = {0, 0, 0};
    for (int i = 0; i != count; ++i) {
      longs[i] = 1 << next_random(&all) % 14;
      MPI_Datatype type = contiguous(longs[i], MPI_LONG);
      MPIStream_Operation operation = {add, MPI_SUM};
      OK(MPIStream_Attach(type, MPI_LONG, MPI_LONG, &operation, &streams[i], &channel));
      MPI_Type_free(&type);
      const unsigned selection = next_random(&all) % 4;
      OK(MPIStream_Set_selection(streams[i], (MPIStream_Selection)selection, own_key));
    }
    if (is_producer) {
      const unsigned elements = next_random(&own) % 2000;
      long* const data = malloc(sizeof(long) << 14);
      for (unsigned i = 0; i != elements; ++i) {
        const int which = (int)(next_random(&own) % (unsigned)count);
        for (int j = 0; j != longs[which]; ++j)
          data[j] = (long)(next_random(&own) % 1000), sent[which] += data[j];
        OK(MPIStream_Send(data, &streams[which]));
        if (next_random(&own) % 500 == 0) a_while(0.001);
        if (next_random(&own) % 200 == 0) {
          long result = 0;
          int flag = 0;
          OK(MPIStream_Iquery(&result, &flag, streams[which]));
        }
      }
      for (int i = 0; i != count; ++i)
        OK(next_random(&own) % 2 ? MPIStream_Terminate(streams[i])
                                 : MPIStream_Iterminate(streams[i]));
      free(data);
    }
    long sums[3] = {0, 0, 0};
    for (int i = 0; is_consumer && i != count; ++i) {
      OK(MPIStream_Operate(&streams[i]));
      OK(MPIStream_Result(&sums[i], streams[i]));
    }
    OK(MPIStream_FreeChannel(&channel));
    MPI_Allreduce(sent, expected, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; is_consumer && i != count; ++i) EXPECT(sums[i] == expected[i]);
  }
}
