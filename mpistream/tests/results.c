/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Cases that check results, queries and threshold collectives. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

/* Results that a producer queries while the stream goes on, and after it. */
void queries(void) {
  const int consumers = most_consumers();
  MPIStream_Channel channel = last_consume(consumers);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {add, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  if (rank < size - consumers) {
    long result = -1, before = 0;
    int flag = -1;
    if (rank == 0) {
      OK(MPIStream_Query(&result, &flag, &stream));
      EXPECT(flag == 0 && result == -1);
    }
    int someone = 0;
    /* No producer sends before the first one has made its query. */
    if (rank == 0) {
      for (int i = 1; i < size - consumers; ++i) MPI_Send(&flag, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&someone, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    enum { count = 3000 };
    for (int i = 1; i <= count; ++i) {
      OK(MPIStream_Send(&(long){1}, &stream));
      if (i % 100 != 0) continue;
      OK(MPIStream_Flush(&stream));
      if (i % 200 != 0) {
        OK(MPIStream_Query(&result, &flag, stream));
      } else {
        do OK(MPIStream_Iquery(&result, &flag, &stream));
        while (!flag);
      }
      EXPECT(flag == 1 && result >= before && result <= (long)count * (size - consumers));
      before = result;
    }
    OK(MPIStream_Terminate(&stream));
    OK(MPIStream_Query(&result, &flag, &stream));
    EXPECT(flag == 1 && result >= before && result <= (long)count * (size - consumers));
  } else {
    OK(MPIStream_Operate(&stream));
  }
  OK(MPIStream_FreeChannel(&channel));
}

static int dear_elements;
static void dear(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
    return;
  }
  ++*(long*)inout;
  ++dear_elements;
  a_while(0.005);
}

/* A query does not wait for the elements that were sent before it. */
void overtaking(void) {
  MPIStream_Channel channel = last_consume(1);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {dear, MPI_SUM};
  dear_elements = 0;
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  enum { count = 300 };
  if (rank == 0) {
    for (int i = 0; i != count; ++i) OK(MPIStream_Send(&(long){1}, &stream));
    long result = 0;
    int flag = 0;
    OK(MPIStream_Query(&result, &flag, &stream));
    EXPECT(result < count);
  }
  if (rank != size - 1) {
    OK(MPIStream_Terminate(&stream));
  } else {
    OK(MPIStream_Operate(&stream));
    EXPECT(dear_elements == count);
  }
  OK(MPIStream_FreeChannel(&channel));
}

static MPIStream deciding;
static int threshold, contributors;
typedef struct {
  int count, sum;
} tally;
static void decide(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  tally* const now = inout;
  if (*len == 0) {
    *now = (tally){0, 0};
    return;
  }
  ++now->count;
  now->sum += *(const int*)in;
  if (now->sum <= threshold && now->count != contributors) return;
  int exceeded = now->sum > threshold;
  OK(MPIStream_ThresholdColl(NULL, &exceeded, &deciding));
  EXPECT(MPIStream_ThresholdColl(NULL, &exceeded, &deciding) == MPISTREAM_ERR_CALL);
  *now = (tally){0, 0};
}

/* The answer "exceeded" arrives before slow producers have contributed; "below" when all have. */
void thresholds(void) {
  const int consumers = most_consumers(), producers = size - consumers;
  MPIStream_Channel channel = last_consume(consumers);
  MPI_Datatype of_tally = contiguous(2, MPI_INT);
  MPIStream_Operation operation = {decide, MPI_OP_NULL};
  threshold = 100;
  contributors = producers;
  OK(MPIStream_Attach(MPI_INT, of_tally, MPI_INT, &operation, &deciding, &channel));
  MPI_Type_free(&of_tally);
  if (rank < producers) {
    const int slow = producers - 1;
    for (int round = 0; round != 20; ++round) {
      int answer = -1;
      const int exceeds = round % 3 == 0;
      const int is_late = producers > 1 && rank == slow && exceeds;
      /* The slow producer begins when all others have the answer. */
      if (is_late) {
        int word = 0;
        for (int i = 0; i != slow; ++i)
          MPI_Recv(&word, 1, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      OK(MPIStream_ThresholdColl(&(int){exceeds ? 101 : 100 / producers}, &answer, &deciding));
      EXPECT(answer == exceeds);
      if (producers > 1 && rank != slow && exceeds)
        MPI_Send(&round, 1, MPI_INT, slow, 2, MPI_COMM_WORLD);
    }
    OK(MPIStream_Terminate(&deciding));
  } else {
    EXPECT(MPIStream_ThresholdColl(NULL, &(int){0}, &deciding) == MPISTREAM_ERR_CALL);
    OK(MPIStream_Operate(&deciding));
  }
  OK(MPIStream_FreeChannel(&channel));
}

static int finished;
/* Lists the numbers of the consumers that have elements, in the order of consumers: an operation
 * that does not commute. */
enum { most_names = 64 };
static void name_self(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  int* const names = inout;
  if (*len == 0) {
    names[0] = 0;
  } else {
    (void)in;
    names[0] = 1;
    names[1] = rank;
  }
}
static void join_names(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  int* const after = inout;
  if (*len == 0) {
    ++finished;
    EXPECT(in == NULL);
    return;
  }
  const int* const before = in;
  int all[most_names] = {before[0] + after[0]};
  memcpy(all + 1, before + 1, sizeof(int) * (size_t)before[0]);
  memcpy(all + 1 + before[0], after + 1, sizeof(int) * (size_t)after[0]);
  memcpy(after, all, sizeof all);
}
void terminals(void) {
  MPIStream_Channel channel = channel_with(1, 1);
  MPIStream stream = NULL;
  MPI_Datatype names = contiguous(most_names, MPI_INT);
  MPIStream_Operation operation = {name_self, MPIStream_Terminal(join_names)};
  EXPECT(MPIStream_Terminal(join_names) == operation.terminal_function);
  finished = 0;
  OK(MPIStream_Attach(MPI_INT, names, MPI_INT, &operation, &stream, &channel));
  MPI_Type_free(&names);
  /* Each rank sends to itself; the third sends nothing. */
  if (rank != 2) OK(MPIStream_Send(&rank, &stream));
  OK(MPIStream_Terminate(&stream));
  OK(MPIStream_Operate(&stream));
  int all[most_names] = {0};
  OK(MPIStream_Result(all, stream));
  EXPECT(finished == 1);
  EXPECT(all[0] == (size > 2 ? size - 1 : size));
  for (int i = 0; i < all[0]; ++i) EXPECT(all[i + 1] == (i < 2 ? i : i + 1));
  OK(MPIStream_FreeChannel(&channel));
}
