/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The trace of a rank: what its calls did, and when. The public functions and the processing of
 * elements record events; it relies on the environment (MPISTREAM_TRACE) and on errors.h. */
#ifndef MPISTREAM_COMMON_TRACE_H
#define MPISTREAM_COMMON_TRACE_H

typedef enum {
  trace_create,
  trace_attach,
  trace_send,
  trace_wait,
  trace_operate,
  trace_process,
  trace_query,
  trace_threshold,
  trace_terminate,
  trace_free,
  trace_names
} trace_name;
extern int mpistream_trace_is_on; /* 0: no trace is written */
double mpistream_trace_time(void);
void mpistream_trace_event(trace_name name, double begin);
void mpistream_write_trace(void);

static inline double trace_now(void) {
  return mpistream_trace_is_on == 0 ? -1 : mpistream_trace_time();
}
static inline void trace_add(trace_name name, double begin) {
  if (begin >= 0) mpistream_trace_event(name, begin);
}

#endif
