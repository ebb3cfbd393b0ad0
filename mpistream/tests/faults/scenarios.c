/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "scenarios.h"

#include <stdlib.h>
#include <string.h>

fault_run now;
MPI_Comm own = MPI_COMM_NULL;
int returned, handled, elsewhere, is_lost;
static MPIStream_Channel present; /* the channel of the run */
static MPIStream last_attached;

static int is_fault(int error) {
  enum { endless = 1000 };
  /* Without its class the library does not know that another error stands behind MPI's. */
  const int is_of_test = error == MPI_ERR_IN_STATUS && now.plan.next == fault_Error_class;
  if (error != fault_code && !is_of_test) return 0;
  if (++returned == endless) {
    fprintf(stderr, "%s: the fault is returned again and again\n", now_in);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 1;
}

/* Whether the channel has lost a message. Each later call fails, and none waits for ever. */
static int tells_of_loss(int error) {
  MPIStream_Channel kept = present;
  if (!now.may_lose || error != MPI_ERR_INTERN) return 0;
  is_lost = 1;
  for (int i = 0; i != 2; ++i) {
    EXPECT(last_attached == NULL || MPIStream_Wait(&last_attached) == MPI_ERR_INTERN);
    EXPECT(MPIStream_FreeChannel(&kept) == MPI_ERR_INTERN && kept == present);
  }
  return 1;
}

#define INSIDE(error, call) (++fault_inside, (error) = (call), --fault_inside)
/* Makes a call, and again if it returns the fault. */
#define AGAIN(call)                         \
  do {                                      \
    int again_error = MPI_SUCCESS;          \
    do INSIDE(again_error, call);           \
    while (is_fault(again_error));          \
    if (tells_of_loss(again_error)) return; \
    OK(again_error);                        \
  } while (0)

/* Whether another rank has met the fault in a collective call, which has failed for all. */
static int is_fault_elsewhere(int error) {
  if (error != MPI_ERR_OTHER || now.is_here || now.plan.function == fault_none) return 0;
  --handled;
  ++elsewhere;
  return 1;
}

#define ATTACH(type, result, operation, stream, channel)                              \
  do {                                                                                \
    int attach_error = MPI_SUCCESS;                                                   \
    do {                                                                              \
      INSIDE(attach_error,                                                            \
             MPIStream_Attach(type, result, type, operation, &(stream), &(channel))); \
      EXPECT(((stream) == NULL) == (attach_error != MPI_SUCCESS));                    \
    } while (is_fault(attach_error) || is_fault_elsewhere(attach_error));             \
    if (tells_of_loss(attach_error)) return;                                          \
    OK(attach_error);                                                                 \
    last_attached = (stream);                                                         \
  } while (0)

static MPIStream_Channel create(int is_producer, int is_consumer) {
  MPIStream_Channel made = NULL;
  int error = MPI_SUCCESS;
  do {
    INSIDE(error, MPIStream_CreateChannel(is_producer, is_consumer, own, &made));
    EXPECT((made == NULL) == (error != MPI_SUCCESS));
  } while (is_fault(error) || is_fault_elsewhere(error));
  OK(error);
  present = made;
  last_attached = NULL;
  if (now.after_create && now.is_here) fault_arm(now.plan);
  return made;
}

/* The end of a producer's part is there even if MPI has failed. */
#define TERMINATE(stream)                                         \
  do {                                                            \
    int end_error = MPI_SUCCESS;                                  \
    INSIDE(end_error, MPIStream_Terminate(stream));               \
    if (is_fault(end_error)) {                                    \
      EXPECT(MPIStream_Terminate(stream) == MPISTREAM_ERR_ENDED); \
      --handled;                                                  \
      AGAIN(MPIStream_Wait(&(stream)));                           \
    } else {                                                      \
      if (tells_of_loss(end_error)) return;                       \
      OK(end_error);                                              \
    }                                                             \
  } while (0)

/* Frees the channel, and checks that its handles are over. */
#define FREE(channel, stream)                                              \
  do {                                                                     \
    const MPIStream_Channel freed = channel;                               \
    int free_error = MPI_SUCCESS;                                          \
    do {                                                                   \
      INSIDE(free_error, MPIStream_FreeChannel(&(channel)));               \
      if (is_fault(free_error)) free_error = MPI_SUCCESS;                  \
    } while (free_error == MPI_SUCCESS && (channel) != NULL);              \
    if (tells_of_loss(free_error)) return;                                 \
    OK(free_error);                                                        \
    MPIStream_Channel stale = freed;                                       \
    EXPECT(MPIStream_FreeChannel(&stale) == MPISTREAM_ERR_CHANNEL);        \
    EXPECT(MPIStream_Send(&(long){0}, &(stream)) == MPISTREAM_ERR_STREAM); \
    EXPECT(MPIStream_Operate(&(stream)) == MPISTREAM_ERR_STREAM);          \
    handled -= 3;                                                          \
  } while (0)

/* ---- one stream, with elements of several kinds ---- */

enum { most_ranks = 8, per_rank = 1000000, most_bytes = 2 * 1024 * 1024 };
static long last_of[most_ranks]; /* of each producer */
static char* memory;             /* of the elements */

static void forget(void) {
  for (int i = 0; i != most_ranks; ++i) last_of[i] = -1;
}

/* An element begins with a long that grows with each element of its producer. */
static void collect(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
    return;
  }
  const long value = *(const long*)in;
  EXPECT(value > last_of[value / per_rank]);
  last_of[value / per_rank] = value;
  *(long*)inout += value + 1;
}

typedef struct {
  MPI_Datatype element;
  size_t bytes;
  int count;
  MPIStream_Selection selection;
} element_kind;

/* Whether the element has been sent. */
static int send(void* element, int later, MPIStream* stream) {
  int error = MPI_SUCCESS;
  do {
    if (later) {
      INSIDE(error, MPIStream_Isend(element, stream));
    } else {
      INSIDE(error, MPIStream_Send(element, stream));
    }
  } while (is_fault(error) && !now.gives_up);
  if (error == fault_code || tells_of_loss(error)) return 0;
  OK(error);
  return 1;
}

/* All ranks produce and consume. */
static void one_stream(const element_kind* of) {
  MPIStream_Channel channel = create(1, 1);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {collect, MPI_SUM};
  long sent = 0, all = 0, sum = 0;
  int flag = 0;
  forget();
  ATTACH(of->element, MPI_LONG, &operation, stream, channel);
  AGAIN(MPIStream_Set_selection(stream, of->selection, NULL));
  for (int i = 0; i != of->count; ++i) {
    long* const element = (long*)(memory + (size_t)i * of->bytes);
    *element = rank * per_rank + i;
    if (send(element, i % 7 == 3, &stream)) sent += *element + 1;
    if (is_lost) return;
    if (i != of->count / 2) continue;
    AGAIN(MPIStream_Test(&stream, &flag));
    AGAIN(MPIStream_Flush(&stream));
    AGAIN(MPIStream_Query(&sum, &flag, &stream));
  }
  AGAIN(MPIStream_Wait(&stream));
  do AGAIN(MPIStream_Iquery(&sum, &flag, &stream));
  while (!flag && sent != 0);
  TERMINATE(stream);
  AGAIN(MPIStream_Query(&sum, &flag, &stream));
  EXPECT(flag || sent == 0);
  AGAIN(MPIStream_Ioperate(&stream));
  AGAIN(MPIStream_Operate(&stream));
  AGAIN(MPIStream_Over(stream, &flag));
  EXPECT(flag);
  AGAIN(MPIStream_Result(&sum, stream));
  FREE(channel, stream);
  MPI_Allreduce(&sent, &all, 1, MPI_LONG, MPI_SUM, own);
  EXPECT(sum == all);
}

static MPI_Datatype block_type, gap_type, large_type, large_gap_type, result_type;
enum { longs_of_block = 250, longs_of_large = 32768, longs_of_result = 16384 };
typedef struct {
  long value;
  char mark; /* and a gap */
} marked;

static void numbers(void) {
  one_stream(&(element_kind){MPI_LONG, sizeof(long), 1100, MPISTREAM_LEAST_LOADED});
}
/* So many that a producer has to wait. */
static void blocks(void) {
  one_stream(
      &(element_kind){block_type, longs_of_block * sizeof(long), 200, MPISTREAM_ROUND_ROBIN});
}
static void gaps(void) {
  one_stream(&(element_kind){gap_type, sizeof(marked), 100, MPISTREAM_LEAST_LOADED});
}
/* Elements that are sent from this program's memory. */
static void large(void) {
  one_stream(&(element_kind){large_type, longs_of_large * sizeof(long), 3, MPISTREAM_ROUND_ROBIN});
}
static void large_gaps(void) {
  one_stream(&(element_kind){large_gap_type, (longs_of_large + 1) * sizeof(long), 3,
                             MPISTREAM_ROUND_ROBIN});
}

/* ---- several streams ---- */

static void count_them(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
  } else {
    ++*(long*)inout;
  }
}

static void add(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  for (int i = 0; i != *len; ++i) ((long*)inout)[i] += ((const long*)in)[i];
}

static void several(void) {
  MPIStream_Channel channel = create(1, 1);
  MPIStream streams[3] = {NULL, NULL, NULL};
  MPIStream_Operation operations[3] = {
      {MPIStream_SUM, MPI_SUM}, {collect, MPIStream_Terminal(add)}, {count_them, MPI_OP_NULL}};
  enum { count = 40 };
  long sum = 0, expected = 0;
  forget();
  for (int i = 0; i != 3; ++i) ATTACH(MPI_LONG, MPI_LONG, &operations[i], streams[i], channel);
  for (long i = 0; i != count; ++i) {
    for (int each = 0; each != 3; ++each)
      AGAIN(MPIStream_Send(&(long){rank * per_rank + i}, &streams[each]));
  }
  for (int i = 0; i != 3; ++i) TERMINATE(streams[i]);
  for (int i = 2; i >= 0; --i) AGAIN(MPIStream_Operate(&streams[i]));
  AGAIN(MPIStream_Result(&sum, streams[0]));
  for (long i = 0; i != size; ++i) expected += count * (i * per_rank) + count * (count - 1) / 2;
  EXPECT(sum == expected);
  AGAIN(MPIStream_Result(&sum, streams[1]));
  EXPECT(sum == expected + size * count);
  AGAIN(MPIStream_Result(&sum, streams[2]));
  EXPECT(sum == count); /* of this rank: the result is local */
  FREE(channel, streams[0]);
}

/* ---- ranks of one role ---- */

static unsigned long long key_of(const void* element) {
  return (unsigned long long)((const marked*)element)->value;
}

/* The first rank produces, the last one consumes, and the others do neither. The result is so large
 * that MPI sends it only to a rank that receives it. */
static void roles(void) {
  static long result[longs_of_result];
  const int is_producer = rank == 0, is_consumer = rank == size - 1;
  MPIStream_Channel channel = create(is_producer, is_consumer);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {collect, MPIStream_Terminal(add)};
  enum { count = 60 };
  int flag = 0;
  forget();
  ATTACH(gap_type, result_type, &operation, stream, channel);
  AGAIN(MPIStream_Set_selection(stream, MPISTREAM_BY_KEY, key_of));
  for (long i = 0; is_producer && i != count; ++i)
    AGAIN(MPIStream_Send(&(marked){i, 'm'}, &stream));
  if (is_producer) {
    TERMINATE(stream);
    /* No call takes the answer. */
    AGAIN(MPIStream_Iquery(result, &flag, &stream));
  }
  if (is_consumer) {
    AGAIN(MPIStream_Operate(&stream));
    AGAIN(MPIStream_Result(result, stream));
    EXPECT(result[0] == count * (count + 1) / 2);
  }
  FREE(channel, stream);
}

/* ---- threshold collectives ---- */

static MPIStream deciding;
static int round_of_first, contributors;
enum { rounds_of_all = 3 };
static void decide(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)datatype;
  long* const count = inout;
  if (*len == 0) {
    *count = 0;
    return;
  }
  if (++*count != (round_of_first == rounds_of_all ? 1 : contributors)) return;
  ++round_of_first;
  *count = 0;
  long answer = 10 * round_of_first;
  AGAIN(MPIStream_ThresholdColl(NULL, &answer, &deciding));
}

/* All producers take part in some rounds. Then one of them decides a round alone, and the answers
 * for the others are dropped. The last rank consumes, and produces if there are only two. */
static void rounds(void) {
  const int is_producer = size <= 2 || rank != size - 1;
  MPIStream_Channel channel = create(is_producer, rank == size - 1);
  MPIStream_Operation operation = {decide, MPI_OP_NULL};
  round_of_first = 0;
  contributors = size <= 2 ? size : size - 1;
  ATTACH(MPI_LONG, MPI_LONG, &operation, deciding, channel);
  if (is_producer) {
    for (int i = 0; i != rounds_of_all + (rank == 0); ++i) {
      const int before = returned;
      long answer = 0;
      AGAIN(MPIStream_ThresholdColl(&(long){1}, &answer, &deciding));
      EXPECT(now.plan.kind != fault_lost || returned == before);
      EXPECT(answer == 10 * (i + 1));
    }
    TERMINATE(deciding);
  }
  FREE(channel, deciding);
}

const scenario all_scenarios[scenarios] = {
    {"numbers", numbers, 6, 8, 1, 0, 0},       {"blocks", blocks, 6, 6, 0, 0, 0},
    {"several", several, 6, 6, 1, 1, 0},       {"large", large, 1, 2, 0, 0, 1},
    {"large_gaps", large_gaps, 1, 2, 0, 0, 1}, {"gaps", gaps, 4, 4, 0, 0, 0},
    {"roles", roles, 4, 4, 1, 1, 0},           {"rounds", rounds, 6, 4, 1, 1, 0}};

static void count_handled(MPI_Comm* comm, int* error, ...) {
  (void)comm, (void)error;
  ++handled;
}

void set_up_scenarios(void) {
  MPI_Errhandler counts = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_handled, &counts);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, counts);
  MPI_Errhandler_free(&counts);
  memory = calloc(1, most_bytes);
  MPI_Type_contiguous(longs_of_block, MPI_LONG, &block_type);
  MPI_Type_contiguous(longs_of_large, MPI_LONG, &large_type);
  MPI_Type_contiguous(longs_of_result, MPI_LONG, &result_type);
  MPI_Type_create_resized(large_type, 0, (MPI_Aint)((longs_of_large + 1) * sizeof(long)),
                          &large_gap_type);
  MPI_Datatype parts = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, sizeof(long)},
                         (MPI_Datatype[]){MPI_LONG, MPI_CHAR}, &parts);
  MPI_Type_create_resized(parts, 0, sizeof(marked), &gap_type);
  MPI_Type_free(&parts);
}
