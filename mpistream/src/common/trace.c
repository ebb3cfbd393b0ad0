/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "common/trace.h"

#include "common/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The trace of a rank, in the format of Chrome's trace viewer and Perfetto (M's figure 3), in one
 * file for each rank. A rank keeps the first `most` events. */
enum { most = 1 << 20 };
typedef struct {
  trace_name name;
  double begin, end;
} event;
static event* events;
static int count, missed;
int mpistream_trace_is_on = -1; /* not known yet */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

double mpistream_trace_time(void) {
  if (mpistream_trace_is_on < 0) {
    const char* const file = secure_getenv("MPISTREAM_TRACE");
    mpistream_trace_is_on =
        file != NULL && *file != '\0' && (events = malloc(sizeof(event) * most)) != NULL;
  }
  return mpistream_trace_is_on ? now() : -1;
}

void mpistream_trace_event(trace_name name, double begin) {
  if (count == most) {
    ++missed;
    return;
  }
  events[count++] = (event){name, begin, now()};
}

void mpistream_write_trace(void) {
  static const char* const names[trace_names] = {
      "create channel", "attach",      "send",  "wait for a consumer",
      "operate",        "process",     "query", "threshold collective",
      "terminate",      "free channel"};
  if (mpistream_trace_is_on <= 0) return;
  int rank = 0, size = 0;
  /* The name of the file has the rank in it. */
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
      MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS) {
    mpistream_give_notice("MPIStream: can't write the trace, since MPI does not tell the rank");
    return;
  }
  char path[4096];
  const int length =
      snprintf(path, sizeof path, "%s.%d.json", secure_getenv("MPISTREAM_TRACE"), rank);
  FILE* const file = length < (int)sizeof path ? fopen(path, "we") : NULL;
  if (file == NULL) {
    mpistream_give_notice("MPIStream: can't write the trace %s", path);
    return;
  }
  fprintf(file,
          "{\"traceEvents\":[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":0,"
          "\"args\":{\"name\":\"rank "
          "%d of %d\"}}",
          rank + 1, rank, size);
  for (int i = 0; i != count; ++i)
    fprintf(file, ",\n{\"name\":\"%s\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,\"tid\":0}",
            names[events[i].name], events[i].begin, events[i].end - events[i].begin, rank + 1);
  fprintf(file, "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":%d}}\n", missed);
  const int failed = ferror(file);
  if (fclose(file) != 0 || failed)
    mpistream_give_notice("MPIStream: can't write the trace %s", path);
}
