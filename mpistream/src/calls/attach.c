/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* MPIStream_Attach and MPIStream_Set_selection, on which all ranks of a channel agree. */
#include "calls/progress.h"
#include "common/messages.h"
#include "common/trace.h"
#include "consumer/consume.h"
#include "consumer/results.h"
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
  int first_fits = 0, second_fits = 0;
  TRY(mpistream_op_accepts(how->combines, stream->process.type, of_process.begin, of_process.room,
                           &first_fits));
  TRY(mpistream_op_accepts(how->terminal, reduced->type, reduced->begin, reduced->room,
                           &second_fits));
  return first_fits && second_fits ? MPI_SUCCESS : MPISTREAM_ERR_OPERATION;
}

/* Checks that all ranks have the same facts. A rank with a problem of its own puts it among them.
 */
static int agree(MPIStream_Channel channel, const int* own) {
  int both[2 * facts], most[2 * facts];
  _Static_assert(2 * facts <= most_agreed, "the channel has no room for the facts");
  for (int i = 0; i != facts; ++i) {
    both[i] = own[i];
    both[facts + i] = -own[i];
  }
  TRY(mpistream_allreduce_max(channel, both, most, 2 * facts));
  if (most[fact_problem] == operation_problem) return MPISTREAM_ERR_OPERATION;
  if (most[fact_problem] == type_problem) return MPISTREAM_ERR_TYPE;
  if (most[fact_problem] == other_problem) return MPI_ERR_OTHER;
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

/* Makes all that can fail on this rank alone, before the ranks agree. */
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
  /* A receive that MPI does not give up would take the first message of the next stream, which has
   * the same tags. */
  if (mpistream_close_consumer(stream) != MPI_SUCCESS) lose_message(stream->channel);
  mpistream_close_producer(stream);
  mpistream_drop_type(&stream->element);
  mpistream_drop_type(&stream->result);
  mpistream_drop_type(&stream->process);
  free(stream);
}

/* Tags are the first resource that many streams exhaust. */
static int check_tags(MPIStream_Channel channel) {
  int* most = NULL;
  int found = 0;
  TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found));
  return found && (channel->attached + 1) * (long long)tags_of_stream <= *most ? MPI_SUCCESS
                                                                               : MPI_ERR_TAG;
}

static int attach(MPI_Datatype streamDataType, MPI_Datatype resultDataType,
                  MPI_Datatype processDataType, MPIStream_Operation* operation, MPIStream* stream,
                  MPIStream_Channel* channel) {
  mpistream_set_up_errors();
  if (stream == NULL || channel == NULL) return MPI_ERR_ARG;
  *stream = NULL;
  TRY(mpistream_check_channel(*channel));
  TRY(mpistream_check_outside_functions(*channel));
  const double begin = trace_now();
  MPIStream made = calloc(1, sizeof *made);
  int own[facts] = {no_problem};
  int error = made == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  if (made != NULL) {
    made->channel = *channel;
    made->number = (*channel)->attached;
    made->element.type = made->result.type = made->process.type = MPI_DATATYPE_NULL;
    error = describe(made, streamDataType, resultDataType, processDataType, operation, own);
  }
  if ((*channel)->all != MPI_COMM_NULL) {
    if (error == MPI_SUCCESS) error = check_tags(*channel);
    if (error == MPI_SUCCESS) error = open_stream(made);
    own[fact_problem] = error == MPI_SUCCESS               ? no_problem
                        : error == MPISTREAM_ERR_OPERATION ? operation_problem
                        : error == MPISTREAM_ERR_TYPE      ? type_problem
                                                           : other_problem;
    error = first_error(error, agree(*channel, own));
  }
  if (error != MPI_SUCCESS) {
    if (made != NULL) drop(made);
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
  /* Runs a function of the stream, which is known to the channel by now. */
  if (made->consumer != NULL) mpistream_begin_result(made->consumer);
  *stream = made;
  /* Functions of other streams, which use this one, may run on a rank as soon as another returns.
   */
  if ((*channel)->all != MPI_COMM_NULL) error = mpistream_meet(*channel);
  if (error != MPI_SUCCESS) {
    *stream = NULL;
    return error;
  }
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

/* Whether the arguments can be right, and if so `lanes` of a producer for them. */
static int prepare_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key,
                             lane_set* lanes) {
  const int is_known = selection >= MPISTREAM_STATIC && selection <= MPISTREAM_LEAST_LOADED;
  if (!is_known || (selection == MPISTREAM_BY_KEY && stream->producer != NULL && key == NULL))
    return MPI_ERR_ARG;
  if (has_begun(stream)) return MPISTREAM_ERR_ENDED;
  return stream->producer == NULL ? MPI_SUCCESS
                                  : mpistream_make_lanes(stream->channel, selection, lanes);
}

/* While the ranks agree, ends may arrive before this rank knows how many to expect, and an element
 * that was sent before may run a function that sends before this rank knows the lanes. */
static void set_undecided(MPIStream stream, int undecided) {
  if (stream->consumer != NULL) stream->consumer->undecided = undecided;
  if (stream->producer != NULL) stream->producer->undecided = undecided;
}

static int agree_on_selection(MPIStream stream, MPIStream_Selection selection, int problem) {
  enum { all_right, has_ended, is_wrong, other };
  const int own[3] = {(int)selection, -(int)selection,
                      problem == MPI_SUCCESS           ? all_right
                      : problem == MPISTREAM_ERR_ENDED ? has_ended
                      : problem == MPI_ERR_ARG         ? is_wrong
                                                       : other};
  int most[3] = {0, 0, 0};
  set_undecided(stream, 1);
  const int error = mpistream_allreduce_max(stream->channel, own, most, 3);
  set_undecided(stream, 0);
  TRY(error);
  if (most[2] == other) return problem != MPI_SUCCESS ? problem : MPI_ERR_OTHER;
  if (most[2] == has_ended) return MPISTREAM_ERR_ENDED;
  return most[2] == is_wrong || most[0] != -most[1] ? MPI_ERR_ARG : MPI_SUCCESS;
}

static int set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key) {
  TRY(mpistream_check_stream(&stream));
  if (stream->channel->all == MPI_COMM_NULL) return MPI_SUCCESS;
  TRY(mpistream_check_outside_functions(stream->channel));
  lane_set lanes = {NULL, 0};
  const int problem = prepare_selection(stream, selection, key, &lanes);
  const int error = agree_on_selection(stream, selection, problem);
  if (error != MPI_SUCCESS) {
    free(lanes.lanes);
    return error;
  }
  stream->selection = selection;
  stream->key = key;
  if (stream->consumer != NULL) stream->consumer->expected_ends = expected_ends(stream);
  if (stream->producer != NULL) mpistream_use_lanes(stream->producer, lanes);
  return mpistream_meet(stream->channel);
}

int MPIStream_Set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key) {
  return raise_error_of(&stream, set_selection(stream, selection, key));
}
