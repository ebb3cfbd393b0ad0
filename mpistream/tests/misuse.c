/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Cases that call functions at the wrong time, from the wrong place, or with wrong arguments. */
#include "cases.h"

#include <string.h>

/* Producers do not terminate, consumers do not operate: freeing the channel does both. */
void freeing(void) {
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

/* A pipeline: a consumer of one channel produces on the next channel, from within the function of
 * the first. */
void pipelines(void) {
  if (size < 3) return;
  MPIStream_Channel first = channel_with(rank < size - 2, rank == size - 2);
  MPIStream_Channel second = channel_with(rank == size - 2, rank == size - 1);
  MPIStream upstream = NULL;
  MPIStream_Operation passes = {pass_on, MPI_SUM}, adds = {add, MPI_SUM};
  /* The other way round, `pass_on` could run while this rank waits for others in the second call.
   */
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &adds, &downstream, &second));
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &passes, &upstream, &first));
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

static void ignore(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)inout, (void)len, (void)datatype;
}

/* Makes a type of three pairs; the second member of a pair lies `apart` bytes further than needed.
 */
static MPI_Datatype pairs_of(MPI_Datatype first, MPI_Datatype second, MPI_Aint apart) {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8 + apart},
                         (MPI_Datatype[]){first, second}, &pair);
  MPI_Datatype made = contiguous(3, pair);
  MPI_Type_free(&pair);
  return made;
}

/* Misuse on all ranks or on one rank is reported, and no rank waits for ever. */
void misuse(void) {
  MPIStream_Channel channel = NULL;
  MPIStream stream = NULL;
  MPIStream_Operation operation = {add, MPI_SUM};
  EXPECT(MPIStream_CreateChannel(1, 0, MPI_COMM_WORLD, &channel) == MPISTREAM_ERR_PARTS &&
         channel == NULL);
  EXPECT(MPIStream_CreateChannel(0, 1, MPI_COMM_WORLD, &channel) == MPISTREAM_ERR_PARTS);
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_NULL, &channel) == MPI_ERR_COMM);
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_WORLD, NULL) == MPI_ERR_ARG);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel) ==
         MPISTREAM_ERR_CHANNEL);
  EXPECT(says(MPISTREAM_ERR_CHANNEL, "it has been freed"));
  EXPECT(MPIStream_Send(&(long){0}, &stream) == MPISTREAM_ERR_STREAM);
  EXPECT(MPIStream_Send(&(long){0}, NULL) == MPISTREAM_ERR_STREAM);
  EXPECT(says(MPISTREAM_ERR_STREAM, "no stream"));

  channel = last_consume(1);
  const int is_consumer = rank == size - 1;
  MPI_Datatype two = contiguous(2, MPI_LONG), none = contiguous(0, MPI_LONG);
  EXPECT(MPIStream_Attach(MPI_DATATYPE_NULL, MPI_LONG, MPI_LONG, &operation, &stream, &channel) ==
         MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(none, MPI_LONG, MPI_LONG, &operation, &stream, &channel) ==
         MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, two, &operation, &stream, &channel) ==
         MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, NULL, &stream, &channel) ==
         MPISTREAM_ERR_OPERATION);
  MPIStream_Operation predefined = {MPIStream_SUM, MPI_SUM};
  EXPECT(MPIStream_Attach(two, MPI_LONG, MPI_LONG, &predefined, &stream, &channel) ==
         MPISTREAM_ERR_OPERATION);
  MPIStream_Operation bits = {MPIStream_BAND, MPI_BAND}, bits_of_own = {add, MPI_BAND},
                      places = {add, MPI_MAXLOC};
  EXPECT(MPIStream_Attach(MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE, &bits, &stream, &channel) ==
         MPISTREAM_ERR_OPERATION);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_DOUBLE, MPI_LONG, &bits_of_own, &stream, &channel) ==
         MPISTREAM_ERR_OPERATION);
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &places, &stream, &channel) ==
         MPISTREAM_ERR_OPERATION);
  /* The arguments of one rank differ from all others. */
  EXPECT(MPIStream_Attach(is_consumer ? MPI_LONG : two, MPI_LONG, MPI_LONG, &operation, &stream,
                          &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(is_consumer ? MPI_DOUBLE : MPI_LONG, MPI_LONG,
                          is_consumer ? MPI_DOUBLE : MPI_LONG, &operation, &stream,
                          &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(is_consumer ? MPI_DATATYPE_NULL : MPI_LONG, MPI_LONG, MPI_LONG,
                          &operation, &stream, &channel) == MPISTREAM_ERR_TYPE);
  /* Types of the same size and the same basic types in another order; then in the same order with
   * another layout. */
  MPI_Datatype number_first = pairs_of(MPI_INT, MPI_DOUBLE, 0),
               number_last = pairs_of(MPI_DOUBLE, MPI_INT, 0);
  MPI_Datatype wider = pairs_of(MPI_INT, MPI_DOUBLE, 24);
  MPI_Datatype number_and_place = contiguous(3, MPI_DOUBLE_INT);
  MPIStream_Operation nothing = {ignore, MPI_OP_NULL};
  EXPECT(MPIStream_Attach(is_consumer ? number_first : number_last, MPI_LONG,
                          is_consumer ? number_first : number_last, &nothing, &stream,
                          &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(MPIStream_Attach(number_first, is_consumer ? number_first : number_last, number_first,
                          &nothing, &stream, &channel) == MPISTREAM_ERR_TYPE);
  EXPECT(says(MPISTREAM_ERR_TYPE, "not the same on all ranks"));
  EXPECT(stream == NULL);
  OK(MPIStream_Attach(is_consumer ? number_first : wider, MPI_LONG, number_first, &nothing, &stream,
                      &channel));
  stream = NULL;
  OK(MPIStream_Attach(is_consumer ? number_last : number_and_place, MPI_LONG, number_last, &nothing,
                      &stream, &channel));
  stream = NULL;
  MPI_Type_free(&number_and_place);
  MPI_Type_free(&number_first);
  MPI_Type_free(&number_last);
  MPI_Type_free(&wider);
  MPI_Type_free(&two);
  MPI_Type_free(&none);

  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  EXPECT(MPIStream_Set_selection(stream, is_consumer ? MPISTREAM_STATIC : MPISTREAM_ROUND_ROBIN,
                                 NULL) == MPI_ERR_ARG);
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
  /* Sends to itself until there is no room: a further send would wait for this function. Once is
   * enough: another 1 may come when this rank has terminated its part. */
  for (int i = 0; i != 100000 && *(const long*)in == 1 && !refused; ++i) {
    const int error = MPIStream_Send(&(long){0}, &own_stream);
    if (error == MPI_SUCCESS) continue;
    EXPECT(error == MPISTREAM_ERR_CALL);
    if (error != MPISTREAM_ERR_CALL) OK(error);
    refused = 1;
    break;
  }
}
static void combines(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  EXPECT(MPIStream_Operate(&own_stream) == MPISTREAM_ERR_CALL);
  for (int i = 0; i != *len; ++i) ((long*)inout)[i] += ((const long*)in)[i];
}
void callbacks(void) {
  MPIStream_Channel channel = channel_with(1, 1);
  MPIStream_Operation operation = {calls_back, MPI_OP_NULL};
  MPI_Op_create(combines, 1, &operation.terminal_function);
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &own_stream, &channel));
  refused = 0;
  OK(MPIStream_Send(&(long){1}, &own_stream));
  while (!refused && failures == 0) OK(MPIStream_Ioperate(&own_stream));
  OK(MPIStream_Terminate(&own_stream));
  OK(MPIStream_FreeChannel(&channel));
  MPI_Op_free(&operation.terminal_function);
}

static MPIStream_Channel own_channel;
static void refuses_collective_calls(void) {
  MPIStream other = NULL;
  MPIStream_Operation adds = {add, MPI_SUM};
  EXPECT(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &adds, &other, &own_channel) ==
         MPISTREAM_ERR_CALL);
  EXPECT(MPIStream_Set_selection(own_stream, MPISTREAM_ROUND_ROBIN, NULL) == MPISTREAM_ERR_CALL);
  EXPECT(MPIStream_FreeChannel(&own_channel) == MPISTREAM_ERR_CALL);
}

static void sends_early(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  *(long*)inout = 0;
  if (*len == 0) {
    /* There is no second stream yet. */
    EXPECT(MPIStream_FreeChannel(&own_channel) == MPISTREAM_ERR_CALL);
    return;
  }
  EXPECT(MPIStream_Send(in, &own_stream) == MPISTREAM_ERR_CALL);
  EXPECT(MPIStream_Isend(&own_stream, &own_stream) == MPISTREAM_ERR_CALL);
  EXPECT(MPIStream_Iterminate(own_stream) == MPISTREAM_ERR_CALL);
  EXPECT(MPIStream_Terminate(own_stream) == MPISTREAM_ERR_CALL);
  refuses_collective_calls();
  MPI_Send(NULL, 0, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
}

/* While a stream gets its rule, functions of another stream can't send on it: the element would go
 * by the former rule. The last rank agrees to the rule only when the functions of all others have
 * run. */
void undecided(void) {
  own_channel = channel_with(1, 1);
  MPIStream first = NULL;
  MPIStream_Operation sends = {sends_early, MPI_OP_NULL}, adds = {add, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &sends, &first, &own_channel));
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &adds, &own_stream, &own_channel));
  if (rank != size - 1) {
    OK(MPIStream_Send(&(long){1}, &first)); /* to itself */
  } else {
    for (int i = 0; i != size - 1; ++i)
      MPI_Recv(NULL, 0, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  OK(MPIStream_Set_selection(own_stream, MPISTREAM_ROUND_ROBIN, NULL));
  for (int i = 0; i != size; ++i) OK(MPIStream_Send(&(long){1}, &own_stream));
  OK(MPIStream_Terminate(own_stream));
  OK(MPIStream_Operate(&own_stream));
  long sum = 0;
  OK(MPIStream_Result(&sum, own_stream));
  EXPECT(sum == (long)size * size);
  OK(MPIStream_FreeChannel(&own_channel));
}

enum { rounds = 200 };
static MPIStream stream_of_round[rounds];
static void passes_on(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  *(long*)inout = 0;
  if (*len == 0) return;
  OK(MPIStream_Send(&(long){1}, &stream_of_round[*(long*)in]));
}

/* A rank that returns from a collective call may send at once what runs a function on another one,
 * and that function may use the stream as the call has left it. */
void decided(void) {
  MPIStream_Channel channel = channel_with(1, 1);
  MPIStream first = NULL;
  MPIStream_Operation sends = {passes_on, MPI_OP_NULL}, adds = {add, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &sends, &first, &channel));
  OK(MPIStream_Set_selection(first, MPISTREAM_ROUND_ROBIN, NULL));
  for (long i = 0; i != rounds; ++i) {
    OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &adds, &stream_of_round[i], &channel));
    if (i % 2) OK(MPIStream_Set_selection(stream_of_round[i], MPISTREAM_ROUND_ROBIN, NULL));
    for (int each = 0; each != size; ++each) OK(MPIStream_Send(&i, &first));
    OK(MPIStream_Flush(&first));
  }
  OK(MPIStream_Terminate(first));
  OK(MPIStream_Operate(&first));
  for (int i = 0; i != rounds; ++i) {
    OK(MPIStream_Terminate(stream_of_round[i]));
    OK(MPIStream_Operate(&stream_of_round[i]));
    long sum = 0;
    OK(MPIStream_Result(&sum, stream_of_round[i]));
    EXPECT(sum == (long)size * size);
  }
  OK(MPIStream_FreeChannel(&channel));
}

static int calls, last_error;
static MPI_Comm told_of;
static void note(MPI_Comm* comm, int* error, ...) {
  ++calls;
  last_error = *error;
  told_of = *comm;
}

/* Errors go to the handler of the communicator that the channel was made of; errors that belong to
 * no channel go to that of MPI_COMM_WORLD. */
void handlers(void) {
  MPI_Errhandler counts = MPI_ERRHANDLER_NULL;
  MPI_Comm own = MPI_COMM_NULL, all = MPI_COMM_NULL;
  MPI_Comm_create_errhandler(note, &counts);
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, counts);
  calls = 0;
  MPIStream_Channel channel = NULL;
  EXPECT(MPIStream_CreateChannel(1, 0, own, &channel) == MPISTREAM_ERR_PARTS);
  EXPECT(calls == 1 && last_error == MPISTREAM_ERR_PARTS && told_of == own);
  OK(MPIStream_CreateChannel(rank == 0, rank != 0, own, &channel));
  MPI_Comm_free(&own);
  MPIStream stream = NULL;
  MPIStream_Operation operation = {add, MPI_SUM};
  OK(MPIStream_Attach(MPI_LONG, MPI_LONG, MPI_LONG, &operation, &stream, &channel));
  OK(MPIStream_Channel_comm(channel, &all, NULL));
  EXPECT(calls == 1);
  if (rank == 0) {
    EXPECT(MPIStream_Operate(&stream) == MPISTREAM_ERR_ROLE);
  } else {
    EXPECT(MPIStream_Terminate(stream) == MPISTREAM_ERR_ROLE);
  }
  EXPECT(calls == 2 && last_error == MPISTREAM_ERR_ROLE && told_of == all);
  OK(MPIStream_FreeChannel(&channel));
  EXPECT(MPIStream_Send(&(long){0}, &stream) == MPISTREAM_ERR_STREAM);
  EXPECT(calls == 3 && last_error == MPISTREAM_ERR_STREAM);
  EXPECT(MPIStream_FreeChannel(&channel) == MPISTREAM_ERR_CHANNEL);
  EXPECT(calls == 3);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, counts);
  EXPECT(MPIStream_FreeChannel(&channel) == MPISTREAM_ERR_CHANNEL);
  EXPECT(MPIStream_CreateChannel(1, 1, MPI_COMM_NULL, &channel) == MPI_ERR_COMM);
  EXPECT(calls == 5 && told_of == MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&counts);
}
