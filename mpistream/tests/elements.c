/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Cases that check which elements arrive, and in which order. */
#include "cases.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Sums of different numbers of elements, over any number of consumers. */
void sums(void) {
  for (int consumers = 1; consumers < size; ++consumers) {
    MPIStream_Channel channel = last_consume(consumers);
    MPIStream stream = NULL;
    MPIStream_Operation operation = {add, MPI_SUM};
    OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
    long expected = 0;
    for (long producer = 0; producer < size - consumers; ++producer) {
      for (long i = 0; i != producer * 1000; ++i) expected += i;
    }
    if (rank < size - consumers) {
      for (long i = 0; i != rank * 1000; ++i) OK(MPIStream_Send(&i, &stream));
      OK(MPIStream_Terminate(&stream));
    } else {
      long sum = -1;
      OK(MPIStream_Operate(&stream));
      OK(MPIStream_Result(&sum, stream));
      EXPECT(sum == expected);
    }
    OK(MPIStream_FreeChannel(&channel));
    EXPECT(channel == NULL);
  }
}

typedef struct {
  int producer;
  int number;
} numbered;
static int* last_seen;

static void in_order(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    *(int*)inout = 0;
    return;
  }
  EXPECT(*len == 2);
  const numbered* const item = in;
  EXPECT(item->number == last_seen[item->producer] + 1);
  last_seen[item->producer] = item->number;
  /* The pause lets its producers get ahead now and then. */
  if (item->number % 5000 == 0) a_while(0.002);
  ++*(int*)inout;
}

/* A consumer receives each producer's elements in the order in which they were sent. */
void order(void) {
  const int consumers = most_consumers();
  MPIStream_Channel channel = last_consume(consumers);
  MPIStream stream = NULL;
  MPI_Datatype pair = contiguous(2, MPI_INT);
  MPIStream_Operation operation = {in_order, MPI_SUM};
  last_seen = malloc(sizeof(int) * (size_t)size);
  for (int i = 0; i != size; ++i) last_seen[i] = -1;
  OK(MPIStream_Attach(pair, MPI_INT, MPI_INT, &operation, &stream, &channel));
  MPI_Type_free(&pair);
  enum { count = 50000 };
  if (rank < size - consumers) {
    unsigned random = (unsigned)rank;
    numbered* const all = malloc(sizeof(numbered) * count);
    for (int i = 0; i != count; ++i) {
      all[i] = (numbered){rank, i};
      const unsigned way = next_random(&random) % 10000;
      if (way % 16 == 0) {
        OK(MPIStream_Isend(&all[i], &stream));
      } else {
        OK(MPIStream_Send(&(numbered){rank, i}, &stream));
      }
      if (way == 1) a_while(0.001);
      if (way % 500 == 2) OK(MPIStream_Flush(&stream));
      if (way % 300 == 3) OK(MPIStream_Test(&stream, &(int){0}));
    }
    OK(MPIStream_Terminate(&stream));
    free(all);
  } else {
    int all = 0;
    OK(MPIStream_Operate(&stream));
    OK(MPIStream_Result(&all, stream));
    EXPECT(all == count * (size - consumers));
  }
  OK(MPIStream_FreeChannel(&channel));
  free(last_seen);
}

/* A column of a matrix, which is `column_rows` numbers with gaps. */
static int column_rows;
static void add_columns(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  double* const sum = inout;
  if (*len == 0) {
    *sum = 0;
    return;
  }
  EXPECT(*len == column_rows);
  for (int row = 0; row != column_rows; ++row) *sum += ((const double*)in)[3 * row];
}

/* Elements with gaps: small ones, which share messages, and large ones, which are sent from the
 * program's memory. */
void gaps(void) {
  const int rows[] = {1, 5, 1000, 5000, 100000};
  for (size_t each = 0; each != sizeof rows / sizeof *rows; ++each) {
    column_rows = rows[each];
    MPIStream_Channel channel = last_consume(most_consumers());
    MPIStream stream = NULL;
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Type_vector(column_rows, 1, 3, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPIStream_Operation operation = {add_columns, MPI_SUM};
    OK(MPIStream_Attach(column, MPI_DOUBLE, MPI_DOUBLE, &operation, &stream, &channel));
    MPI_Type_free(&column);
    enum { count = 40 };
    if (rank < size - most_consumers()) {
      double* const matrix = malloc(sizeof(double) * 3 * (size_t)column_rows);
      for (int i = 0; i != 3 * column_rows; ++i) matrix[i] = i % 3 + 1;
      for (int i = 0; i != count; ++i) OK(MPIStream_Send(matrix + i % 3, &stream));
      OK(MPIStream_Terminate(stream));
      free(matrix);
    } else {
      double sum = 0;
      OK(MPIStream_Operate(&stream));
      OK(MPIStream_Result(&sum, stream));
      EXPECT(sum == (double)column_rows * (size - most_consumers()) * (13 * 6 + 1 + 0.0));
    }
    OK(MPIStream_FreeChannel(&channel));
  }
}

/* Elements with fields after a gap at the beginning, and a result of different types. */
typedef struct {
  double unused;
  char tag;
  double value;
} item;
typedef struct {
  int count;
  double most;
} summary;
static void summarise(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  summary* const now = inout;
  if (*len == 0) {
    *now = (summary){0, -1};
    return;
  }
  EXPECT(*len == 1);
  EXPECT(((const item*)in)->tag == 'x');
  ++now->count;
  if (((const item*)in)->value > now->most) now->most = ((const item*)in)->value;
}
static void join_summaries(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  for (int i = 0; i != *len; ++i) {
    const summary* const a = (const summary*)in + i;
    summary* const b = (summary*)inout + i;
    b->count += a->count;
    if (a->most > b->most) b->most = a->most;
  }
}
void structures(void) {
  MPI_Datatype of_item = MPI_DATATYPE_NULL, of_summary = MPI_DATATYPE_NULL, raw = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){offsetof(item, tag), offsetof(item, value)},
                         (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE}, &of_item);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, offsetof(summary, most)},
                         (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &raw);
  MPI_Type_create_resized(raw, 0, sizeof(summary), &of_summary);
  MPI_Type_commit(&of_item);
  MPI_Type_commit(&of_summary);
  MPIStream_Channel channel = last_consume(most_consumers());
  MPIStream stream = NULL;
  MPIStream_Operation operation = {summarise, MPIStream_Terminal(join_summaries)};
  OK(MPIStream_Attach(of_item, of_summary, of_item, &operation, &stream, &channel));
  MPI_Type_free(&of_item);
  MPI_Type_free(&of_summary);
  MPI_Type_free(&raw);
  const int producers = size - most_consumers();
  if (rank < producers) {
    for (int i = 0; i != 1000; ++i) OK(MPIStream_Send(&(item){-1, 'x', rank * 1000 + i}, &stream));
    OK(MPIStream_Terminate(stream));
  } else {
    summary all = {0, 0};
    OK(MPIStream_Operate(&stream));
    OK(MPIStream_Result(&all, stream));
    EXPECT(all.count == 1000 * producers);
    EXPECT(all.most == producers * 1000 - 1);
  }
  OK(MPIStream_FreeChannel(&channel));
}

/* Elements of one number to 4 Mi numbers; no rank knows how many elements there will be. */
void sizes(void) {
  for (int doubles = 1; doubles <= 1 << 22; doubles *= 8) {
    MPIStream_Channel channel = last_consume(1);
    MPIStream stream = NULL;
    MPI_Datatype type = contiguous(doubles, MPI_DOUBLE);
    MPIStream_Operation operation = {MPIStream_SUM, MPI_SUM};
    OK(MPIStream_Attach(type, type, MPI_DOUBLE, &operation, &stream, &channel));
    MPI_Type_free(&type);
    double* const data = malloc(sizeof(double) * (size_t)doubles);
    const int count = doubles > 1 << 18 ? 3 : 30;
    if (rank != size - 1) {
      for (int i = 0; i != count; ++i) {
        for (int j = 0; j != doubles; ++j) data[j] = i + j;
        OK(MPIStream_Send(data, &stream));
      }
      OK(MPIStream_Terminate(&stream));
    } else {
      OK(MPIStream_Operate(&stream));
      OK(MPIStream_Result(data, stream));
      int wrong = 0;
      for (int j = 0; j != doubles; ++j)
        wrong += data[j] != (size - 1) * (count * (count - 1) / 2.0 + (double)count * j);
      EXPECT(wrong == 0);
    }
    free(data);
    OK(MPIStream_FreeChannel(&channel));
  }
}

/* Streams whose elements arrive mixed, and which their consumers operate in another order. */
void several(void) {
  const int consumers = most_consumers();
  MPIStream_Channel channel = last_consume(consumers);
  MPIStream streams[3] = {NULL, NULL, NULL};
  MPIStream_Operation operation = {add, MPI_SUM};
  for (int i = 0; i != 3; ++i)
    OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &streams[i], &channel));
  enum { count = 30000 };
  if (rank < size - consumers) {
    for (long i = 0; i != count; ++i) OK(MPIStream_Send(&i, &streams[i % 3]));
    for (int i = 2; i >= 0; --i) OK(MPIStream_Terminate(streams[i]));
  } else {
    for (int i = 0; i != 3; ++i) OK(MPIStream_Operate(&streams[(i + rank) % 3]));
    for (long i = 0; i != 3; ++i) {
      long sum = 0;
      OK(MPIStream_Result(&sum, streams[i]));
      long expected = 0;
      for (long j = i; j < count; j += 3) expected += j;
      EXPECT(sum == expected * (size - consumers));
    }
  }
  OK(MPIStream_FreeChannel(&channel));
}

enum { half_of_many = 40 };
static MPIStream all_of_many[2 * half_of_many];
static int passing; /* number of elements that have been passed on */

/* Adds, and passes the element on to the next stream of the second half in turn; this may have to
 * wait. */
static void pass_far(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  add(in, inout, len, datatype);
  if (*len == 1) OK(MPIStream_Send(in, &all_of_many[half_of_many + passing++ % half_of_many]));
}

/* Many streams in one channel; functions of the first half send on the second half. */
void many(void) {
  MPIStream_Channel channel = channel_with(1, 1);
  MPIStream_Operation passes = {pass_far, MPI_SUM}, adds = {add, MPI_SUM};
  enum { count = 200 * half_of_many };
  passing = 0;
  for (int i = 0; i != 2 * half_of_many; ++i) {
    MPIStream_Operation* const operation = i < half_of_many ? &passes : &adds;
    OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, operation, &all_of_many[i], &channel));
  }
  for (long i = 0; i != count; ++i) OK(MPIStream_Send(&i, &all_of_many[i % half_of_many]));
  for (int i = 0; i != half_of_many; ++i) OK(MPIStream_Terminate(all_of_many[i]));
  for (int i = 0; i != half_of_many; ++i) OK(MPIStream_Operate(&all_of_many[i]));
  for (int i = half_of_many; i != 2 * half_of_many; ++i) OK(MPIStream_Terminate(all_of_many[i]));
  long sums[2] = {0, 0};
  for (int i = 0; i != 2 * half_of_many; ++i) {
    OK(MPIStream_Operate(&all_of_many[i]));
    long sum = 0;
    OK(MPIStream_Result(&sum, all_of_many[i]));
    sums[i / half_of_many] += sum;
  }
  EXPECT(sums[0] == (long)size * count / 2 * (count - 1));
  EXPECT(sums[1] == sums[0]);
  OK(MPIStream_FreeChannel(&channel));
}

/* A consumer that waits for many streams asks MPI once for all of them, not once for each. */
void few_tests(void) {
  enum { streams = 60, count = 20 * streams };
  MPIStream_Channel channel = last_consume(1);
  MPIStream all[streams] = {NULL};
  MPIStream_Operation operation = {add, MPI_SUM};
  for (int i = 0; i != streams; ++i)
    OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &all[i], &channel));
  if (rank != size - 1) {
    a_while(0.01); /* in which the consumer looks thousands of times */
    for (long i = 0; i != count; ++i) OK(MPIStream_Send(&i, &all[i % streams]));
    for (int i = 0; i != streams; ++i) OK(MPIStream_Terminate(all[i]));
  } else {
    polls = (poll_counts){0, 0, 0};
    for (int i = 0; i != streams; ++i) OK(MPIStream_Operate(&all[i]));
    EXPECT(polls.found >= streams);
    EXPECT(polls.in_vain <= 4 * (polls.found + polls.of_many));
  }
  OK(MPIStream_FreeChannel(&channel));
}

/* All ranks first produce more than the messages between them can hold, and then consume. */
void both(void) {
  for (int selection = MPISTREAM_STATIC; selection <= MPISTREAM_LEAST_LOADED; ++selection) {
    MPIStream_Channel channel = channel_with(1, 1);
    MPIStream stream = NULL;
    MPIStream_Operation operation = {add, MPI_SUM};
    OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
    if (selection != MPISTREAM_STATIC)
      OK(MPIStream_Set_selection(stream, (MPIStream_Selection)selection,
                                 selection == MPISTREAM_BY_KEY ? own_key : NULL));
    EXPECT(MPIStream_Operate(&stream) == MPISTREAM_ERR_CALL);
    enum { count = 100000 };
    for (long i = 0; i != count; ++i) OK(MPIStream_Send(&i, &stream));
    OK(MPIStream_Terminate(&stream));
    OK(MPIStream_Operate(&stream));
    long sum = 0;
    OK(MPIStream_Result(&sum, stream));
    EXPECT(sum == (long)size * count * (count - 1) / 2);
    OK(MPIStream_FreeChannel(&channel));
  }
}

/* Ranks that neither produce nor consume. */
void neither(void) {
  if (size < 3) return;
  MPIStream_Channel channel = channel_with(rank == 0, rank == 1);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {add, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  if (rank == 0) {
    OK(MPIStream_Send(&(long){7}, &stream));
    OK(MPIStream_Terminate(&stream));
  } else if (rank == 1) {
    OK(MPIStream_Operate(&stream));
  } else {
    EXPECT(MPIStream_Send(&(long){7}, &stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Operate(&stream) == MPISTREAM_ERR_ROLE);
  }
  OK(MPIStream_FreeChannel(&channel));
}

/* An element that was sent without waiting must not change until MPIStream_Wait or _Test. */
void without_waiting(void) {
  const int consumers = most_consumers();
  for (int doubles = 1; doubles <= 1 << 17; doubles = doubles == 1 ? 1 << 10 : 1 << 17) {
    MPIStream_Channel channel = last_consume(consumers);
    MPIStream stream = NULL;
    MPI_Datatype type = contiguous(doubles, MPI_DOUBLE);
    MPIStream_Operation operation = {MPIStream_SUM, MPI_SUM};
    OK(MPIStream_Attach(type, type, MPI_DOUBLE, &operation, &stream, &channel));
    MPI_Type_free(&type);
    const int count = doubles == 1 ? 20000 : 64;
    double* const data = malloc(sizeof(double) * (size_t)doubles * (size_t)count);
    if (rank < size - consumers) {
      for (int round = 0; round != 2; ++round) {
        for (long i = 0; i != (long)doubles * count; ++i) data[i] = 1;
        for (int i = 0; i != count; ++i) OK(MPIStream_Isend(data + (long)i * doubles, &stream));
        if (round == 0) {
          OK(MPIStream_Wait(&stream));
        } else {
          OK(MPIStream_Iterminate(&stream));
          EXPECT(MPIStream_Isend(data, &stream) == MPISTREAM_ERR_ENDED);
          for (int done = 0; !done;) OK(MPIStream_Test(&stream, &done));
        }
      }
    } else {
      int done = 0;
      while (!done) {
        OK(MPIStream_Ioperate(&stream));
        OK(MPIStream_Test(&stream, &done));
      }
      OK(MPIStream_Result(data, stream));
      EXPECT(data[0] == 2.0 * count * (size - consumers) && data[doubles - 1] == data[0]);
    }
    free(data);
    OK(MPIStream_FreeChannel(&channel));
    if (doubles == 1 << 17) break;
  }
}

/* After a flush, the last of several small elements that share a message do not wait for more. */
void flushes(void) {
  MPIStream_Channel channel = channel_with(rank == 0, rank == 1);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {add, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  enum { count = 1000 };
  if (rank == 0) {
    for (int i = 0; i != count; ++i) OK(MPIStream_Send(&(long){1}, &stream));
    OK(MPIStream_Flush(&stream));
    int seen = 0;
    MPI_Recv(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(seen == count);
    OK(MPIStream_Terminate(&stream));
  } else if (rank == 1) {
    long sum = 0;
    while (sum != count) {
      OK(MPIStream_Ioperate(&stream));
      OK(MPIStream_Result(&sum, stream));
    }
    MPI_Send(&(int){count}, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    OK(MPIStream_Operate(&stream));
  }
  OK(MPIStream_FreeChannel(&channel));
}

static long counted;
static void count_them(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)inout, (void)datatype;
  if (*len != 0) ++counted;
}

/* Small elements that wait in a block do not wait for many more when these are sent slowly. */
void trickles(void) {
  MPIStream_Channel channel = last_consume(1);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {count_them, MPI_OP_NULL};
  enum { at_once = 300, slow_most = 150 };
  counted = 0;
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  if (rank == 0) {
    int slow = 0, has_come = 0;
    for (long i = 0; i != at_once; ++i) OK(MPIStream_Send(&i, &stream));
    double pause = 0.005; /* grows, for a consumer that has no core; minutes in all */
    for (; !has_come && slow != slow_most; ++slow, pause *= 1.05) {
      OK(MPIStream_Send(&(long){0}, &stream));
      const double begin = MPI_Wtime();
      while (!has_come && MPI_Wtime() - begin < pause) {
        a_while(0.005);
        MPI_Iprobe(size - 1, 0, MPI_COMM_WORLD, &has_come, MPI_STATUS_IGNORE);
      }
    }
    EXPECT(slow < slow_most);
    OK(MPIStream_Flush(&stream));
    MPI_Recv(NULL, 0, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == size - 1) {
    while (counted <= at_once) OK(MPIStream_Ioperate(&stream));
    MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  OK(MPIStream_FreeChannel(&channel));
}
