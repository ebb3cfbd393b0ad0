/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "consumer/results.h"

#include "common/memory.h"
#include "common/trace.h"

#include <stdlib.h>
#include <string.h>

int mpistream_make_result(consumer* self) {
  const MPIStream stream = self->stream;
  self->result.local = mpistream_new_object(stream->result.begin, stream->result.room);
  self->result.global = mpistream_new_object(stream->result.begin, stream->result.room);
  return self->result.local == NULL || self->result.global == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

void mpistream_begin_result(consumer* self) {
  const MPIStream stream = self->stream;
  if (stream->operation.combines != MPI_OP_NULL) return;
  int none = 0;
  MPI_Datatype type = stream->process.type;
  stream->in_callback = 1;
  stream->operation.intermediate(NULL, self->result.local, &none, &type);
  stream->in_callback = 0;
}

int mpistream_process_element(consumer* self, const void* element) {
  const MPIStream stream = self->stream;
  const stream_operation* const how = &stream->operation;
  void* const in = (void*)element;
  int items = how->items;
  if (how->combines == MPI_OP_NULL) {
    MPI_Datatype type = stream->process.type;
    const double begin = trace_now();
    stream->in_callback = 1;
    how->intermediate(in, self->result.local, &items, &type);
    stream->in_callback = 0;
    trace_add(trace_process, begin);
  } else if (self->result.processed == 0) {
    memcpy(self->result.local, in, (size_t)stream->element_size);
  } else {
    TRY(MPI_Reduce_local(in, self->result.local, items, stream->process.type, how->combines));
  }
  ++self->result.processed;
  return MPI_SUCCESS;
}

void mpistream_finish_result(consumer* self) {
  const MPIStream stream = self->stream;
  if (stream->operation.finishes != NULL) {
    int none = 0;
    MPI_Datatype type = stream->operation.reduced;
    stream->in_callback = 1;
    stream->operation.finishes(NULL, self->result.local, &none, &type);
    stream->in_callback = 0;
  }
  self->result.is_finished = 1;
}

void mpistream_free_result(consumer* self) {
  mpistream_free_object(self->result.local, self->stream->result.begin);
  mpistream_free_object(self->result.global, self->stream->result.begin);
  self->result.local = self->result.global = NULL;
}

static int look_whether_over(MPIStream stream, int* flag) {
  TRY(mpistream_check_consumer(&stream));
  if (flag == NULL) return MPI_ERR_ARG;
  *flag = stream->consumer->over;
  return MPI_SUCCESS;
}

int MPIStream_Over(MPIStream stream, int* flag) {
  return raise_error_of(&stream, look_whether_over(stream, flag));
}

static int give_result(void* resultbuf, MPIStream stream) {
  TRY(mpistream_check_consumer(&stream));
  if (resultbuf == NULL) return MPI_ERR_BUFFER;
  const consumer* const self = stream->consumer;
  const MPI_Comm all = stream->channel->all;
  const kept_type* const type = &stream->result;
  const char* const from = self->over ? self->result.global : self->result.local;
  int position = 0;
  char* const packed = malloc((size_t)type->packed);
  if (packed == NULL) return MPI_ERR_NO_MEM;
  /* Packing copies only the data of the type: gaps in `resultbuf` belong to the program. */
  int error = MPI_Pack(from, 1, type->type, packed, type->packed, &position, all);
  const int bytes = position;
  position = 0;
  if (error == MPI_SUCCESS)
    error = MPI_Unpack(packed, bytes, &position, resultbuf, 1, type->type, all);
  free(packed);
  return error;
}

int MPIStream_Result(void* resultbuf, MPIStream stream) {
  return raise_error_of(&stream, give_result(resultbuf, stream));
}
