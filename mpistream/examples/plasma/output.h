/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_OUTPUT_H
#define PLASMA_OUTPUT_H

#include "particles.h"

#include <MPIStream.h>

typedef enum {
  output_none,
  output_stream, /**< movers send records to the consumers, which write them (M §5.1) */
  output_shared  /**< each mover writes its own records */
} output_way;

/**
 * The file of tagged particles: one `particle` per record, of all steps, in no order. A rank that
 * writes collects records in a buffer, which it writes with MPI_File_write_shared.
 */
typedef struct {
  output_way way;
  const char* file_name;
  long buffer_records;
  particle* buffer;
  long buffered;
  MPI_File file;
  MPIStream stream;
  long long records;   /**< number that a mover has put out */
  long long written;   /**< number that this rank has written */
  double seconds;      /**< time that a mover has spent on output */
  double file_seconds; /**< time that this rank has spent in writing */
} output;

/** Opens the file. Collective over the ranks that write: the consumers or the movers. Former
 * contents are lost. @return an error of MPI */
int open_output(output* to, MPI_Comm writers);
/** Writes the rest of the buffer, and closes the file. Collective over the ranks that write. */
void close_output(output* to);

/** Collective over the channel. Attaches nothing unless the way is output_stream. */
void attach_output(output* to, MPIStream_Channel* channel);

/** Puts out records of a mover. */
void put_out(output* to, const particle* const* records, int count);

#endif
