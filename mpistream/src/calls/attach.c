/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* MPIStream_Attach and MPIStream_Set_selection, on which all ranks of a channel agree. */
#include "calls/progress.h"
#include "common/messages.h"
#include "common/trace.h"
#include "consumer/consume.h"
#include "producer/lanes.h"
#include "producer/produce.h"

#include <stdlib.h>

/* Facts about a stream that must be the same on all ranks. */
enum {
  fact_problem,
  fact_size,
  fact_signature,
  fact_result_size,
  fact_result_signature,
  fact_items,
  fact_process_signature,
  fact_combines,
  facts
};
enum { no_problem, type_problem, operation_problem, other_problem };

static int describe(MPIStream stream, MPI_Datatype element, MPI_Datatype result,
                    MPI_Datatype process, const MPIStream_Operation* given, int* own) {
  type_facts of_element, of_result, of_process;
  TRY(mpistream_look_at_type(element, &of_element));
  TRY(mpistream_look_at_type(result, &of_result));
  TRY(mpistream_look_at_type(process, &of_process));
  if (of_element.size % of_process.size != 0) return MPISTREAM_ERR_TYPE;
  stream->element_size = of_element.size;
  stream->is_dense = of_element.is_dense;
  stream->block_elements = of_element.size > block_bytes ? 1 : block_bytes / of_element.size;
  const int is_of_items = of_result.is_dense && of_result.size % of_process.size == 0 &&
                          of_result.leaf >= 0 && of_result.leaf == of_process.leaf &&
                          of_process.is_dense;
  if (given == NULL || given->intermediate_function == NULL) return MPISTREAM_ERR_OPERATION;
  stream_operation* const how = &stream->operation;
  how->intermediate = given->intermediate_function;
  how->combines = mpistream_predefined_op(how->intermediate);
  how->items = of_element.size / of_process.size;
  how->terminal = given->terminal_function;
  how->finishes = mpistream_function_of(how->terminal);
  how->reduced_items = is_of_items ? of_result.size / of_process.size : 1;
  if (how->combines != MPI_OP_NULL &&
      (!of_element.is_dense || !is_of_items || how->reduced_items != how->items))
    return MPISTREAM_ERR_OPERATION;
  TRY(mpistream_keep_type(element, &of_element, &stream->element));
  TRY(mpistream_keep_type(result, &of_result, &stream->result));
  TRY(mpistream_keep_type(process, &of_process, &stream->process));
  own[fact_size] = of_element.size;
  own[fact_signature] = of_element.signature;
  own[fact_result_size] = of_result.size;
  own[fact_result_signature] = of_result.signature;
  own[fact_items] = how->items;
  own[fact_process_signature] = of_process.signature;
  own[fact_combines] = how->combines != MPI_OP_NULL;
  const kept_type* const reduced = is_of_items ? &stream->process : &stream->result;
  how->reduced = reduced->type;
  const int both_fit =
      mpistream_op_accepts(how->combines, stream->process.type, of_process.begin,
                           of_process.room) &&
      mpistream_op_accepts(how->terminal, reduced->type, reduced->begin, reduced->room);
  return both_fit ? MPI_SUCCESS : MPISTREAM_ERR_OPERATION;
}

/* Checks that all ranks have the same facts. A rank with a problem of its own puts it among them.
 */
static int agree(MPIStream_Channel channel, const int* own) {
  int both[2 * facts], most[2 * facts];
  for (int i = 0; i != facts; ++i) {
    both[i] = own[i];
    both[facts + i] = -own[i];
  }
  TRY(mpistream_allreduce_max(channel, both, most, 2 * facts));
  if (most[fact_problem] == operation_problem) return MPISTREAM_ERR_OPERATION;
  if (most[fact_problem] != no_problem) return MPISTREAM_ERR_TYPE;
  for (int i = 0; i != facts; ++i) {
    if (most[i] != -most[facts + i]) return MPISTREAM_ERR_TYPE;
  }
  return MPI_SUCCESS;
}

/* Number of producers that may send to this consumer. */
static int expected_ends(const struct MPIStream_object* stream) {
  const MPIStream_Channel channel = stream->channel;
  if (stream->selection != MPISTREAM_STATIC) return channel->producers;
  int count = 0;
  for (long long i = 0; i != channel->producers; ++i)
    count += i * channel->consumers / channel->producers == channel->own_consumer;
  return count;
}

static int open_stream(MPIStream stream) {
  const MPIStream_Channel channel = stream->channel;
  kept_type* const types[] = {&stream->element, &stream->result, &stream->process};
  for (int i = 0; i != 3; ++i)
    TRY(MPI_Pack_size(1, types[i]->type, channel->all, &types[i]->packed));
  if (channel->is_producer) TRY(mpistream_open_producer(stream));
  return channel->is_consumer ? mpistream_open_consumer(stream, expected_ends(stream))
                              : MPI_SUCCESS;
}

static void drop(MPIStream stream) {
  mpistream_close_consumer(stream);
  mpistream_close_producer(stream);
  mpistream_drop_type(&stream->element.type);
  mpistream_drop_type(&stream->result.type);
  mpistream_drop_type(&stream->process.type);
  free(stream);
}

/* Tags are the first resource that many streams exhaust. */
static int has_tags(MPIStream_Channel channel) {
  int* most = NULL;
  int found = 0;
  if (MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found) != MPI_SUCCESS || !found)
    return 0;
  return (channel->attached + 1) * (long long)tags_of_stream <= *most;
}

static int attach(MPI_Datatype streamDataType, MPI_Datatype resultDataType,
                  MPI_Datatype processDataType, MPIStream_Operation* operation, MPIStream* stream,
                  MPIStream_Channel* channel) {
  mpistream_set_up_errors();
  if (stream == NULL || channel == NULL) return MPI_ERR_ARG;
  *stream = NULL;
  TRY(mpistream_check_channel(*channel));
  const double begin = trace_now();
  const MPIStream made = calloc(1, sizeof *made);
  if (made == NULL) return MPI_ERR_NO_MEM;
  made->channel = *channel;
  made->element.type = made->result.type = made->process.type = MPI_DATATYPE_NULL;
  int own[facts] = {no_problem};
  int error = describe(made, streamDataType, resultDataType, processDataType, operation, own);
  if ((*channel)->all != MPI_COMM_NULL) {
    if (error == MPI_SUCCESS && !has_tags(*channel)) error = MPI_ERR_TAG;
    own[fact_problem] = error == MPI_SUCCESS               ? no_problem
                        : error == MPISTREAM_ERR_OPERATION ? operation_problem
                        : error == MPISTREAM_ERR_TYPE      ? type_problem
                                                           : other_problem;
    const int others = agree(*channel, own);
    if (error == MPI_SUCCESS) error = others;
    made->number = (*channel)->attached;
    if (error == MPI_SUCCESS) error = open_stream(made);
  }
  if (error != MPI_SUCCESS) {
    drop(made);
    return error;
  }
  ++(*channel)->attached;
  if ((*channel)->last != NULL) {
    (*channel)->last->next = made;
  } else {
    (*channel)->streams = made;
  }
  (*channel)->last = made;
  made->alive = 1;
  *stream = made;
  trace_add(trace_attach, begin);
  return MPI_SUCCESS;
}

int MPIStream_Attach(MPI_Datatype streamDataType, MPI_Datatype resultDataType,
                     MPI_Datatype processDataType, MPIStream_Operation* operation,
                     MPIStream* stream, MPIStream_Channel* channel) {
  return raise_error(
      channel == NULL ? NULL : *channel,
      attach(streamDataType, resultDataType, processDataType, operation, stream, channel));
}

/* Whether it is too late for another rule. */
static int has_begun(const struct MPIStream_object* stream) {
  return (stream->producer != NULL && stream->producer->used) ||
         (stream->consumer != NULL && stream->consumer->result.is_finished);
}

static int set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key) {
  TRY(mpistream_check_stream(&stream));
  const MPIStream_Channel channel = stream->channel;
  if (channel->all == MPI_COMM_NULL) return MPI_SUCCESS;
  if (stream->in_callback) return MPISTREAM_ERR_CALL;
  const int is_known = selection >= MPISTREAM_STATIC && selection <= MPISTREAM_LEAST_LOADED;
  const int lacks_key = selection == MPISTREAM_BY_KEY && channel->is_producer && key == NULL;
  int own[3] = {(int)selection, -(int)selection,
                !is_known || lacks_key ? 2
                : has_begun(stream)    ? 1
                                       : 0};
  int most[3] = {0, 0, 0};
  /* Ends may arrive before this rank knows how many ends to expect. */
  if (stream->consumer != NULL) stream->consumer->undecided = 1;
  const int error = mpistream_allreduce_max(channel, own, most, 3);
  if (stream->consumer != NULL) stream->consumer->undecided = 0;
  TRY(error);
  if (most[2] == 1) return MPISTREAM_ERR_ENDED;
  if (most[2] != 0 || most[0] != -most[1]) return MPI_ERR_ARG;
  stream->selection = selection;
  stream->key = key;
  if (stream->consumer != NULL) stream->consumer->expected_ends = expected_ends(stream);
  if (stream->producer == NULL) return MPI_SUCCESS;
  mpistream_close_lanes(stream->producer);
  return mpistream_open_lanes(stream->producer);
}

int MPIStream_Set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key) {
  return raise_error_of(&stream, set_selection(stream, selection, key));
}
