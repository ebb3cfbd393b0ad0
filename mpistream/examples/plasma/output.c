/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "failure.h"

#include <stdlib.h>

int open_output(output* to, MPI_Comm writers) {
  const int error = MPI_File_open(writers, to->file_name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                  MPI_INFO_NULL, &to->file);
  if (error != MPI_SUCCESS) return error;
  to->buffer = more_memory(NULL, (size_t)to->buffer_records, sizeof(particle));
  return MPI_File_set_size(to->file, 0);
}

static void write_buffer(output* to) {
  if (to->buffered == 0) return;
  const double begin = MPI_Wtime();
  const int numbers = (int)(8 * to->buffered);
  MPI_Status status;
  must(MPI_File_write_shared(to->file, to->buffer, numbers, MPI_DOUBLE, &status), to->file_name);
  /* Open MPI reports a full disk only by the count of written numbers. */
  int written = 0;
  must(MPI_Get_count(&status, MPI_DOUBLE, &written), to->file_name);
  if (written != numbers)
    fail("%s: of %d numbers only %d could be written; is there room for it?", to->file_name,
         numbers, written);
  to->file_seconds += MPI_Wtime() - begin;
  to->written += to->buffered;
  to->buffered = 0;
}

static void collect(output* to, const particle* record) {
  to->buffer[to->buffered++] = *record;
  if (to->buffered == to->buffer_records) write_buffer(to);
}

void close_output(output* to) {
  const double begin = MPI_Wtime();
  write_buffer(to);
  must(MPI_File_close(&to->file), to->file_name);
  if (to->way == output_shared) to->seconds += MPI_Wtime() - begin;
  free(to->buffer);
}

/* A stream passes no argument of the program to its function. */
static output* consumed;

static void take_record(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    *(long long*)inout = 0;
    return;
  }
  collect(consumed, in);
  ++*(long long*)inout;
}

void attach_output(output* to, MPIStream_Channel* channel) {
  if (to->way != output_stream) return;
  consumed = to;
  MPI_Datatype record;
  MPI_Type_contiguous(8, MPI_DOUBLE, &record);
  MPI_Type_commit(&record);
  MPIStream_Operation operation = {take_record, MPI_SUM};
  must(MPIStream_Attach(record, MPI_LONG_LONG, MPI_DOUBLE, &operation, &to->stream, channel),
       "attaching the stream of particles");
  MPI_Type_free(&record);
}

void put_out(output* to, const particle* const* records, int count) {
  to->records += count;
  if (to->way == output_none) return;
  const double begin = MPI_Wtime();
  for (int i = 0; i != count; ++i) {
    if (to->way == output_shared) {
      collect(to, records[i]);
    } else {
      must(MPIStream_Send(records[i], &to->stream), "sending a particle");
    }
  }
  to->seconds += MPI_Wtime() - begin;
}
