/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_OUTPUT_H
#define PLASMA_OUTPUT_H

#include "particles.h"

#include <MPIStream.h>

typedef enum {
  output_none,
  output_stream, /**< movers send records to the consumers, which write them (M §5.1) */
  output_shared  /**< each mover writes its own */
} output_way;

/**
 * The file of tagged particles: records of a `particle` each, of all steps, in no order. Who
 * writes, with MPI_File_write_shared, collects records in a buffer first.
 */
typedef struct {
  output_way way;
  const char* file_name;
  long buffer_records;
  particle* buffer;
  long buffered;
  MPI_File file;
  MPIStream stream;
  long long records;   /**< that a mover has put out */
  long long written;   /**< that this rank has written */
  double seconds;      /**< that a mover has spent with them */
  double file_seconds; /**< that this rank has spent in writing */
} output;

/** Collective over those who write: the consumers or the movers. What was in the file is lost.
 * @return an error of MPI */
int open_output(output* to, MPI_Comm writers);
/** The same; what is still in buffers is written. */
void close_output(output* to);

/** Collective over the channel. Without output_stream there is nothing to attach. */
void attach_output(output* to, MPIStream_Channel* channel);

/** A mover's records. */
void put_out(output* to, const particle* const* records, int count);

#endif
