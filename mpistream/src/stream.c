/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

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
                    MPI_Datatype process, const MPIStream_Operation* operation, int* own) {
  type_facts of_element, of_result, of_process;
  TRY(look_at_type(element, &of_element));
  TRY(look_at_type(result, &of_result));
  TRY(look_at_type(process, &of_process));
  if (of_element.size % of_process.size != 0) return MPISTREAM_ERR_TYPE;
  stream->element_size = of_element.size;
  stream->is_dense = of_element.is_dense;
  stream->element_begin = of_element.begin;
  stream->element_room = of_element.room;
  stream->result_begin = of_result.begin;
  stream->result_room = of_result.room;
  stream->items = of_element.size / of_process.size;
  stream->block_elements = of_element.size > block_bytes ? 1 : block_bytes / of_element.size;
  const int is_of_items = of_result.is_dense && of_result.size % of_process.size == 0 &&
                          of_result.leaf >= 0 && of_result.leaf == of_process.leaf &&
                          of_process.is_dense;
  stream->reduced_items = is_of_items ? of_result.size / of_process.size : 1;
  if (operation == NULL || operation->intermediate_function == NULL) return MPISTREAM_ERR_OPERATION;
  stream->intermediate = operation->intermediate_function;
  stream->combines = predefined_of(stream->intermediate);
  stream->terminal = operation->terminal_function;
  stream->finishes = function_of_terminal(stream->terminal);
  if (stream->combines != MPI_OP_NULL &&
      (!of_element.is_dense || !is_of_items || stream->reduced_items != stream->items))
    return MPISTREAM_ERR_OPERATION;
  TRY(keep_type(element, &stream->element));
  TRY(keep_type(result, &stream->result));
  TRY(keep_type(process, &stream->process));
  own[fact_size] = of_element.size;
  own[fact_signature] = of_element.signature;
  own[fact_result_size] = of_result.size;
  own[fact_result_signature] = of_result.signature;
  own[fact_items] = stream->items;
  own[fact_process_signature] = of_process.signature;
  own[fact_combines] = stream->combines != MPI_OP_NULL;
  stream->reduced = is_of_items ? stream->process : stream->result;
  const int both_fit =
      fits(stream->combines, stream->process, of_process.begin, of_process.room) &&
      (is_of_items ? fits(stream->terminal, stream->process, of_process.begin, of_process.room)
                   : fits(stream->terminal, stream->result, of_result.begin, of_result.room));
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
  TRY(most_of_all(channel, both, most, 2 * facts));
  if (most[fact_problem] == operation_problem) return MPISTREAM_ERR_OPERATION;
  if (most[fact_problem] != no_problem) return MPISTREAM_ERR_TYPE;
  for (int i = 0; i != facts; ++i) {
    if (most[i] != -most[facts + i]) return MPISTREAM_ERR_TYPE;
  }
  return MPI_SUCCESS;
}

static int producers_of(const struct MPIStream_Channel_object* channel, int consumer) {
  int count = 0;
  for (long long i = 0; i != channel->producers; ++i)
    count += i * channel->consumers / channel->producers == consumer;
  return count;
}

static int open_stream(MPIStream stream) {
  const MPIStream_Channel channel = stream->channel;
  TRY(MPI_Pack_size(1, stream->element, channel->all, &stream->element_packed));
  TRY(MPI_Pack_size(1, stream->result, channel->all, &stream->result_packed));
  TRY(MPI_Pack_size(1, stream->process, channel->all, &stream->process_packed));
  stream->until_clock = stream->between_clocks = 1;
  if (channel->is_producer) TRY(open_lanes(stream));
  if (!channel->is_consumer) return MPI_SUCCESS;
  stream->expected_ends = producers_of(channel, channel->own_consumer);
  TRY(open_receives(stream));
  return begin_result(stream);
}

static void drop(MPIStream stream) {
  drop_type(&stream->element);
  drop_type(&stream->result);
  drop_type(&stream->process);
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
  set_up_errors();
  if (stream == NULL || channel == NULL) return MPI_ERR_ARG;
  *stream = NULL;
  TRY(check_channel(*channel));
  const double begin = trace_now();
  const MPIStream made = calloc(1, sizeof *made);
  if (made == NULL) return MPI_ERR_NO_MEM;
  made->channel = *channel;
  made->element = made->result = made->process = MPI_DATATYPE_NULL;
  made->answer = made->verdict = MPI_REQUEST_NULL;
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
  return told(channel == NULL ? NULL : *channel,
              attach(streamDataType, resultDataType, processDataType, operation, stream, channel));
}

static int set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key) {
  TRY(check_stream(&stream));
  const MPIStream_Channel channel = stream->channel;
  if (channel->all == MPI_COMM_NULL) return MPI_SUCCESS;
  if (stream->in_callback) return MPISTREAM_ERR_CALL;
  const int is_known = selection >= MPISTREAM_STATIC && selection <= MPISTREAM_LEAST_LOADED;
  const int lacks_key = selection == MPISTREAM_BY_KEY && channel->is_producer && key == NULL;
  int own[3] = {(int)selection, -(int)selection,
                !is_known || lacks_key                   ? 2
                : stream->used || stream->finished_local ? 1
                                                         : 0};
  int most[3] = {0, 0, 0};
  /* Ends may arrive before this rank knows how many ends to expect. */
  stream->undecided = 1;
  const int error = most_of_all(channel, own, most, 3);
  stream->undecided = 0;
  TRY(error);
  if (most[2] == 1) return MPISTREAM_ERR_ENDED;
  if (most[2] != 0 || most[0] != -most[1]) return MPI_ERR_ARG;
  stream->selection = selection;
  stream->key = key;
  if (channel->is_consumer)
    stream->expected_ends = selection == MPISTREAM_STATIC
                                ? producers_of(channel, channel->own_consumer)
                                : channel->producers;
  if (!channel->is_producer) return MPI_SUCCESS;
  close_lanes(stream);
  return open_lanes(stream);
}

int MPIStream_Set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key) {
  return told_of(&stream, set_selection(stream, selection, key));
}
