/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* stream_test [CASE...]    runs those cases, or all, one after the other on the ranks it has been started with, at least two. Each rank says what does not
   hold, and the program then ends with 1. */
#include <MPIStream.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank, size, failures;
static const char* now_in = "";

static void failed(void) {
  /* What goes wrong for ever need not be said for ever. */
  if (++failures == 20) MPI_Abort(MPI_COMM_WORLD, 1);
}

#define EXPECT(what)                                                                                    \
  do {                                                                                                  \
    if (!(what)) {                                                                                      \
      fprintf(stderr, "%s, rank %d of %d, line %d: not so: %s\n", now_in, rank, size, __LINE__, #what); \
      failed();                                                                                         \
    }                                                                                                   \
  } while (0)
#define OK(call)                                                                                             \
  do {                                                                                                       \
    const int ok_error = (call);                                                                             \
    if (ok_error != MPI_SUCCESS) {                                                                           \
      char ok_text[MPI_MAX_ERROR_STRING] = "";                                                               \
      int ok_length = 0;                                                                                     \
      MPI_Error_string(ok_error, ok_text, &ok_length);                                                       \
      fprintf(stderr, "%s, rank %d of %d, line %d: %s: %s\n", now_in, rank, size, __LINE__, #call, ok_text); \
      failed();                                                                                              \
    }                                                                                                        \
  } while (0)

static void a_while(double seconds) {
  nanosleep(&(struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)},
            NULL);
}

static unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, of, &made);
  MPI_Type_commit(&made);
  return made;
}

static MPIStream_Channel channel_with(int is_producer, int is_consumer) {
  MPIStream_Channel made = NULL;
  OK(MPIStream_CreateChannel(is_producer, is_consumer, MPI_COMM_WORLD, &made));
  return made;
}

/* The last `consumers` ranks consume, the others produce. */
static MPIStream_Channel last_consume(int consumers) {
  return channel_with(rank < size - consumers, rank >= size - consumers);
}
static int most_consumers(void) { return size > 3 ? 2 : 1; }

static void add(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  long* const sum = inout;
  EXPECT(*datatype == MPI_LONG);
  if (*len == 0) {
    EXPECT(in == NULL);
    *sum = 0;
  }
  for (int i = 0; i != *len; ++i) *sum += ((const long*)in)[i];
}

/* Sums of different numbers of elements, over any number of consumers. */
static void sums(void) {
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
  /* Its producers get ahead now and then. */
  if (item->number % 5000 == 0) a_while(0.002);
  ++*(int*)inout;
}

/* Each producer's elements come to a consumer in the order in which they went. */
static void order(void) {
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

enum { keys = 101 };
static void count_keys(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    memset(inout, 0, keys * sizeof(int));
  } else {
    ++((int*)inout)[*(const int*)in];
  }
}
static unsigned long long own_key(const void* element) { return (unsigned long long)*(const int*)element; }

/* Which consumers get what, by each rule. */
static void selections(void) {
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
  if (rank == size - 1) a_while(0.002);
  ++*(long*)inout;
}

/* A consumer that is slow gets less. */
static void least_loaded(void) {
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

/* Elements with gaps: small ones, which travel together, and large ones, which go out of the program's memory. */
static void gaps(void) {
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

/* Fields behind a gap at the begin, as an element, and a result of different types. */
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
static void structures(void) {
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

/* From one number to 4 Mi of them; no rank knows how many elements there will be. */
static void sizes(void) {
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

/* Streams whose elements are mixed, and that their consumers operate in an order of their own. */
static void several(void) {
  const int consumers = most_consumers();
  MPIStream_Channel channel = last_consume(consumers);
  MPIStream streams[3] = {NULL, NULL, NULL};
  MPIStream_Operation operation = {add, MPI_SUM};
  for (int i = 0; i != 3; ++i) OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &streams[i], &channel));
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

/* All ranks produce first and consume then, more than fits into what lies between them. */
static void both(void) {
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
static void neither(void) {
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

/* What has been sent without waiting stays the program's until it is told. */
static void without_waiting(void) {
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

/* The last of several small elements that are sent together do not wait for more, once they are flushed. */
static void flushes(void) {
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

/* What a producer reads while the stream goes on, and after it. */
static void queries(void) {
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
    /* Nobody sends before the first has asked. */
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

/* A question does not wait for the elements in front of it. */
static void overtaking(void) {
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

/* "Exceeded" comes before the slow have contributed; "below" when all have. */
static void thresholds(void) {
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
      /* The slow one begins when all others have the answer. */
      if (is_late) {
        int word = 0;
        for (int i = 0; i != slow; ++i) MPI_Recv(&word, 1, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      OK(MPIStream_ThresholdColl(&(int){exceeds ? 101 : 100 / producers}, &answer, &deciding));
      EXPECT(answer == exceeds);
      if (producers > 1 && rank != slow && exceeds) MPI_Send(&round, 1, MPI_INT, slow, 2, MPI_COMM_WORLD);
    }
    OK(MPIStream_Terminate(&deciding));
  } else {
    EXPECT(MPIStream_ThresholdColl(NULL, &(int){0}, &deciding) == MPISTREAM_ERR_CALL);
    OK(MPIStream_Operate(&deciding));
  }
  OK(MPIStream_FreeChannel(&channel));
}

static int finished;
/* Keeps the numbers of producers in the order in which consumers have them: an operation that does not commute. */
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
static void terminals(void) {
  MPIStream_Channel channel = channel_with(1, 1);
  MPIStream stream = NULL;
  MPI_Datatype names = contiguous(most_names, MPI_INT);
  MPIStream_Operation operation = {name_self, MPIStream_Terminal(join_names)};
  EXPECT(MPIStream_Terminal(join_names) == operation.terminal_function);
  finished = 0;
  OK(MPIStream_Attach(MPI_INT, names, MPI_INT, &operation, &stream, &channel));
  MPI_Type_free(&names);
  /* Each its own consumer; the third does nothing. */
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

/* Producers that do not terminate, consumers that do not operate: freeing does both. */
static void freeing(void) {
  for (int i = 0; i != 25; ++i) {
    MPIStream_Channel channel = last_consume(1);
    MPIStream stream = NULL;
    MPIStream_Operation operation = {add, MPI_SUM};
    OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
    for (long j = 0; rank != size - 1 && j != 5000; ++j) OK(MPIStream_Send(&j, &stream));
    MPIStream_Channel copy = channel;
    OK(MPIStream_FreeChannel(&channel));
    EXPECT(MPIStream_FreeChannel(&copy) == MPISTREAM_ERR_CHANNEL);
    EXPECT(MPIStream_Send(&(long){0}, &stream) == MPISTREAM_ERR_STREAM);
  }
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

/* Producers that are ahead of their consumer by hundreds of megabytes, if nobody stopped them. */
static void flood(void) {
  MPIStream_Channel channel = last_consume(1);
  MPIStream stream = NULL;
  enum { doubles = 512, all_bytes = 400 << 20, bytes = doubles * sizeof(double), allowed = 48 << 20 };
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

static MPIStream downstream;
static void pass_on(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
    return;
  }
  ++*(long*)inout;
  OK(MPIStream_Send(&(long){2 * *(const long*)in}, &downstream));
}

/* A pipeline: who consumes from one channel produces on the next one, from within the function of the first. */
static void pipelines(void) {
  if (size < 3) return;
  MPIStream_Channel first = channel_with(rank < size - 2, rank == size - 2);
  MPIStream_Channel second = channel_with(rank == size - 2, rank == size - 1);
  MPIStream upstream = NULL;
  MPIStream_Operation passes = {pass_on, MPI_SUM}, adds = {add, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &passes, &upstream, &first));
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &adds, &downstream, &second));
  enum { count = 50000 };
  if (rank < size - 2) {
    for (long i = 0; i != count; ++i) OK(MPIStream_Send(&i, &upstream));
    OK(MPIStream_Terminate(&upstream));
  } else if (rank == size - 2) {
    OK(MPIStream_Operate(&upstream));
    OK(MPIStream_Terminate(&downstream));
  } else {
    long sum = 0;
    OK(MPIStream_Operate(&downstream));
    OK(MPIStream_Result(&sum, downstream));
    EXPECT(sum == (long)(size - 2) * count * (count - 1));
  }
  OK(MPIStream_FreeChannel(&first));
  OK(MPIStream_FreeChannel(&second));
}

static int says(int error, const char* words) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  return MPI_Error_string(error, text, &length) == MPI_SUCCESS && strstr(text, words) != NULL;
}

/* What is wrong, on all ranks or on one, is said, and nobody waits for ever. */
static void misuse(void) {
  MPIStream_Channel channel = NULL;
  MPIStream stream = NULL;
  MPIStream_Operation operation = {add, MPI_SUM};
  EXPECT(MPIStream_CreateChannel(1, 0, MPI_COMM_WORLD, &channel) == MPI_ERR_ARG && channel == NULL);
  EXPECT(MPIStream_CreateChannel(0, 1, MPI_COMM_WORLD, &channel) == MPI_ERR_ARG);
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_NULL, &channel) == MPI_ERR_COMM);
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_WORLD, NULL) == MPI_ERR_ARG);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel) == MPISTREAM_ERR_CHANNEL);
  EXPECT(says(MPISTREAM_ERR_CHANNEL, "it has been freed"));
  EXPECT(MPIStream_Send(&(long){0}, &stream) == MPISTREAM_ERR_STREAM);
  EXPECT(MPIStream_Send(&(long){0}, NULL) == MPISTREAM_ERR_STREAM);
  EXPECT(says(MPISTREAM_ERR_STREAM, "no stream"));

  channel = last_consume(1);
  const int is_consumer = rank == size - 1;
  MPI_Datatype two = contiguous(2, MPI_LONG), none = contiguous(0, MPI_LONG);
  EXPECT(MPIStream_Attach(MPI_DATATYPE_NULL, MPI_LONG, MPI_LONG, &operation, &stream, &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(none, MPI_LONG, MPI_LONG, &operation, &stream, &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, two, &operation, &stream, &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, NULL, &stream, &channel) == MPISTREAM_ERR_OPERATION);
  MPIStream_Operation predefined = {MPIStream_SUM, MPI_SUM};
  EXPECT(MPIStream_Attach(two, MPI_LONG, MPI_LONG, &predefined, &stream, &channel) == MPISTREAM_ERR_OPERATION);
  MPIStream_Operation bits = {MPIStream_BAND, MPI_BAND}, bits_of_own = {add, MPI_BAND}, places = {add, MPI_MAXLOC};
  EXPECT(MPIStream_Attach(MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE, &bits, &stream, &channel) == MPISTREAM_ERR_OPERATION);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_DOUBLE, MPI_LONG, &bits_of_own, &stream, &channel) == MPISTREAM_ERR_OPERATION);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &places, &stream, &channel) == MPISTREAM_ERR_OPERATION);
  /* One rank has other ideas than all others. */
  EXPECT(MPIStream_Attach(is_consumer ? MPI_LONG : two, MPI_LONG, MPI_LONG, &operation, &stream, &channel) ==
         MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(is_consumer ? MPI_DOUBLE : MPI_LONG, MPI_LONG, is_consumer ? MPI_DOUBLE : MPI_LONG,
                          &operation, &stream, &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(is_consumer ? MPI_DATATYPE_NULL : MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream,
                          &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(says(MPISTREAM_ERR_TYPE, "not the same on all ranks"));
  EXPECT(stream == NULL);
  MPI_Type_free(&two);
  MPI_Type_free(&none);

  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  EXPECT(MPIStream_Set_selection(stream, is_consumer ? MPISTREAM_STATIC : MPISTREAM_ROUND_ROBIN, NULL) == MPI_ERR_ARG);
  EXPECT(MPIStream_Set_selection(stream, MPISTREAM_BY_KEY, NULL) == MPI_ERR_ARG);
  EXPECT(MPIStream_Set_selection(stream, (MPIStream_Selection)17, NULL) == MPI_ERR_ARG);
  long value = 0;
  int flag = 0;
  if (is_consumer) {
    EXPECT(MPIStream_Send(&value, &stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Isend(&value, &stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Flush(&stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Terminate(&stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Query(&value, &flag, &stream) == MPISTREAM_ERR_ROLE);
    EXPECT(says(MPISTREAM_ERR_ROLE, "only producers send"));
    OK(MPIStream_Operate(&stream));
    OK(MPIStream_Operate(&stream));
  } else {
    EXPECT(MPIStream_Operate(&stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Ioperate(&stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Result(&value, stream) == MPISTREAM_ERR_ROLE);
    EXPECT(MPIStream_Send(NULL, &stream) == MPI_ERR_BUFFER);
    OK(MPIStream_Send(&value, &stream));
    OK(MPIStream_Terminate(&stream));
    EXPECT(MPIStream_Send(&value, &stream) == MPISTREAM_ERR_ENDED);
    EXPECT(MPIStream_Isend(&value, &stream) == MPISTREAM_ERR_ENDED);
    EXPECT(MPIStream_Terminate(&stream) == MPISTREAM_ERR_ENDED);
    EXPECT(MPIStream_ThresholdColl(&value, &value, &stream) == MPISTREAM_ERR_ENDED);
    EXPECT(says(MPISTREAM_ERR_ENDED, "terminated"));
  }
  EXPECT(MPIStream_Set_selection(stream, MPISTREAM_ROUND_ROBIN, NULL) == MPISTREAM_ERR_ENDED);
  OK(MPIStream_FreeChannel(&channel));
  EXPECT(MPIStream_FreeChannel(&channel) == MPISTREAM_ERR_CHANNEL);
}

static MPIStream own_stream;
static int refused;
static void calls_back(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
    return;
  }
  ++*(long*)inout;
  long value = 0;
  int flag = 0;
  EXPECT(MPIStream_Operate(&own_stream) == MPISTREAM_ERR_CALL);
  EXPECT(MPIStream_Query(&value, &flag, &own_stream) == MPISTREAM_ERR_CALL);
  EXPECT(MPIStream_Wait(&own_stream) == MPISTREAM_ERR_CALL);
  /* To itself, until there is no more room: then it would wait for this function to return. */
  for (int i = 0; i != 100000 && *(const long*)in == 1; ++i) {
    const int error = MPIStream_Send(&(long){0}, &own_stream);
    if (error == MPI_SUCCESS) continue;
    EXPECT(error == MPISTREAM_ERR_CALL);
    if (error != MPISTREAM_ERR_CALL) OK(error);
    refused = 1;
    break;
  }
}
static void callbacks(void) {
  MPIStream_Channel channel = channel_with(1, 1);
  MPIStream_Operation operation = {calls_back, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &own_stream, &channel));
  refused = 0;
  OK(MPIStream_Send(&(long){1}, &own_stream));
  while (!refused && failures == 0) OK(MPIStream_Ioperate(&own_stream));
  OK(MPIStream_Terminate(&own_stream));
  OK(MPIStream_FreeChannel(&channel));
}

/* Numbers of streams, sizes, rules and roles as a seed has them; the sum must be right. */
static void any(void) {
  const char* const said = getenv("MPISTREAM_SEED");
  unsigned seed = said != NULL ? (unsigned)strtoul(said, NULL, 10) : (unsigned)time(NULL);
  MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("MPISTREAM_SEED=%u\n", seed);
  unsigned all = seed;
  for (int round = 0; round != 30; ++round) {
    /* The same on all ranks, but for what `own` decides. */
    unsigned own = all + (unsigned)rank * 7919u;
    const unsigned roles = next_random(&all);
    int is_producer = next_random(&own) % 3 != 0, is_consumer = roles % 2 ? next_random(&own) % 3 != 0 : !is_producer;
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
        for (int j = 0; j != longs[which]; ++j) data[j] = (long)(next_random(&own) % 1000), sent[which] += data[j];
        OK(MPIStream_Send(data, &streams[which]));
        if (next_random(&own) % 500 == 0) a_while(0.001);
        if (next_random(&own) % 200 == 0) {
          long result = 0;
          int flag = 0;
          OK(MPIStream_Iquery(&result, &flag, streams[which]));
        }
      }
      for (int i = 0; i != count; ++i)
        OK(next_random(&own) % 2 ? MPIStream_Terminate(streams[i]) : MPIStream_Iterminate(streams[i]));
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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
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
               {"both", both},
               {"neither", neither},
               {"without_waiting", without_waiting},
               {"flushes", flushes},
               {"queries", queries},
               {"overtaking", overtaking},
               {"thresholds", thresholds},
               {"terminals", terminals},
               {"freeing", freeing},
               {"flood", flood},
               {"pipelines", pipelines},
               {"misuse", misuse},
               {"callbacks", callbacks},
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
