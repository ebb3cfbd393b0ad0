/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/errors.h"

#include <stdarg.h>
#include <stdio.h>

int MPISTREAM_ERR_CHANNEL = MPI_ERR_OTHER;
int MPISTREAM_ERR_STREAM = MPI_ERR_OTHER;
int MPISTREAM_ERR_ROLE = MPI_ERR_OTHER;
int MPISTREAM_ERR_ENDED = MPI_ERR_OTHER;
int MPISTREAM_ERR_TYPE = MPI_ERR_OTHER;
int MPISTREAM_ERR_OPERATION = MPI_ERR_OTHER;
int MPISTREAM_ERR_CALL = MPI_ERR_OTHER;
int MPISTREAM_ERR_PARTS = MPI_ERR_OTHER;

static int is_mpi_running(void) {
  int running = 0, over = 0;
  return MPI_Initialized(&running) == MPI_SUCCESS && running &&
         MPI_Finalized(&over) == MPI_SUCCESS && !over;
}

void mpistream_set_up_errors(void) {
  static size_t done; /* number of classes */
  static const struct {
    int* error;
    const char* words;
  } all[] = {
      {&MPISTREAM_ERR_CHANNEL, "MPIStream: this is no channel, or it has been freed"},
      {&MPISTREAM_ERR_STREAM, "MPIStream: this is no stream, or its channel has been freed"},
      {&MPISTREAM_ERR_ROLE,
       "MPIStream: this rank's part in the channel is another one: only producers send, terminate "
       "and query, only "
       "consumers operate"},
      {&MPISTREAM_ERR_ENDED,
       "MPIStream: this rank has terminated its part of the stream, or the stream is over"},
      {&MPISTREAM_ERR_TYPE,
       "MPIStream: a type without data, too large, not made of whole items of the process type, or "
       "not the same on all "
       "ranks"},
      {&MPISTREAM_ERR_OPERATION,
       "MPIStream: an operation that does not fit the types of the stream, or none"},
      {&MPISTREAM_ERR_CALL,
       "MPIStream: this may not be called from within a function of the stream, or only from "
       "there"},
      {&MPISTREAM_ERR_PARTS,
       "MPIStream: a channel needs a rank that produces, and one that consumes"},
  };
  if (done == sizeof all / sizeof *all || !is_mpi_running()) return;
  for (; done != sizeof all / sizeof *all; ++done) {
    int* const error = all[done].error;
    int made = MPI_ERR_OTHER;
    if (*error == MPI_ERR_OTHER && MPI_Add_error_class(&made) != MPI_SUCCESS) return;
    if (*error == MPI_ERR_OTHER) *error = made;
    if (MPI_Add_error_string(*error, all[done].words) != MPI_SUCCESS) return;
  }
}

void mpistream_give_notice(const char* format, ...) {
  char line[MPI_MAX_ERROR_STRING + 4096];
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  fprintf(stderr, "%s\n", line);
}

/* MPI's default handler ends the program, and does not always print the reason. */
static void say_why(int error) {
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0, rank = 0;
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS &&
      MPI_Error_string(error, words, &length) == MPI_SUCCESS)
    mpistream_give_notice("rank %d: %s", rank, words);
}

static void call_handler(MPI_Comm comm, MPI_Errhandler handler, int error) {
  if (handler == MPI_ERRORS_ARE_FATAL) say_why(error);
  MPI_Comm_call_errhandler(comm, error);
}

int mpistream_raise_on(MPI_Comm comm, int error) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (error == MPI_SUCCESS || !is_mpi_running()) return error;
  /* A handler that MPI does not name can still be called. */
  if (MPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) handler = MPI_ERRHANDLER_NULL;
  call_handler(comm, handler, error);
  if (handler != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&handler);
  return error;
}

int mpistream_raise_with(MPI_Errhandler handler, MPI_Comm comm, int error) {
  MPI_Errhandler usual = MPI_ERRHANDLER_NULL;
  if (!is_mpi_running()) return error;
  const int is_known = MPI_Comm_get_errhandler(comm, &usual) == MPI_SUCCESS;
  if (is_known && MPI_Comm_set_errhandler(comm, handler) == MPI_SUCCESS) {
    call_handler(comm, handler, error);
  } else if (handler == MPI_ERRORS_ARE_FATAL) {
    say_why(error);
  }
  if (is_known) mpistream_restore_handler(comm, &usual);
  return error;
}

int mpistream_restore_handler(MPI_Comm comm, MPI_Errhandler* usual) {
  const int error = MPI_Comm_set_errhandler(comm, *usual);
  if (error != MPI_SUCCESS) MPI_Comm_set_errhandler(comm, *usual);
  return first_error(error, MPI_Errhandler_free(usual));
}
