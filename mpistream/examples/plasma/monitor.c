/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "monitor.h"

#include "failure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The feed has one line for each step, in order (here broken in two),
 *
 *   {"step":N,"particles":N,"min":N,"max":N,"imbalance":R,"counts":[N...],"seconds":[R...],
 *    "moving":[R...],"redistributions":N,"alert":true|false}
 *
 * where each list has one number for each mover. With counters,
 * "instructions":[N...],"cache_misses":[N...] precede the closing brace. */

/* Steps that not all movers have reported yet, the oldest first. The observations of a mover arrive
 * in the order of its steps. */
typedef struct {
  int reports, hardware_reports;
  observation* of_movers;
  hardware_observation* hardware_of_movers;
} open_step;
static open_step* steps;
static int step_count;
static long first_step = 1;

/* A stream passes no argument of the program to its functions. */
static monitor* watching;

static open_step* step_of(double number) {
  const int index = (int)((long)number - first_step);
  if (index < step_count) return &steps[index];
  steps = more_memory(steps, (size_t)index + 1, sizeof(open_step));
  const size_t movers = (size_t)watching->movers;
  while (step_count <= index)
    steps[step_count++] =
        (open_step){.of_movers = more_memory(NULL, movers, sizeof(observation)),
                    .hardware_of_movers = more_memory(NULL, movers, sizeof(hardware_observation))};
  return &steps[index];
}

static void forget_first_step(void) {
  free(steps[0].of_movers);
  free(steps[0].hardware_of_movers);
  memmove(steps, steps + 1, sizeof(open_step) * (size_t)--step_count);
  ++first_step;
}

/* Writes "name":[...] with one member of each mover's observation; the members lie `stride` doubles
 * apart. */
static void write_list(FILE* file, const char* name, const double* first, size_t stride,
                       int digits) {
  fprintf(file, ",\"%s\":[", name);
  for (int i = 0; i != watching->movers; ++i)
    fprintf(file, "%s%.*f", i == 0 ? "" : ",", digits, first[(size_t)i * stride]);
  fputc(']', file);
}

static void write_line(FILE* file, const open_step* step, double all, double least, double most,
                       int alert) {
  const observation* const first = step->of_movers;
  const size_t stride = sizeof *first / sizeof(double);
  const monitor_state* const state = &watching->state;
  fprintf(file, "{\"step\":%.0f,\"particles\":%.0f,\"min\":%.0f,\"max\":%.0f,\"imbalance\":%.4f",
          state->step, all, least, most, state->imbalance);
  write_list(file, "counts", &first->particles, stride, 0);
  write_list(file, "seconds", &first->seconds, stride, 6);
  write_list(file, "moving", &first->moving, stride, 6);
  fprintf(file, ",\"redistributions\":%.0f,\"alert\":%s", first->redistributions,
          alert ? "true" : "false");
  if (watching->has_counters) {
    const hardware_observation* const hardware = step->hardware_of_movers;
    write_list(file, "instructions", &hardware->instructions, sizeof *hardware / sizeof(double), 0);
    write_list(file, "cache_misses", &hardware->cache_misses, sizeof *hardware / sizeof(double), 0);
  }
  fputs("}\n", file);
  const int is_written = fflush(file) == 0 && !ferror(file);
  if (!is_written && watching->problem == 0) watching->problem = errno;
}

static void close_step(const open_step* step) {
  double all = 0, least = step->of_movers[0].particles, most = least;
  for (int i = 0; i != watching->movers; ++i) {
    const double particles = step->of_movers[i].particles;
    all += particles;
    if (particles < least) least = particles;
    if (particles > most) most = particles;
  }
  monitor_state* const state = &watching->state;
  state->step = step->of_movers[0].step;
  state->imbalance = all == 0 ? 1 : most * watching->movers / all;
  const int alert = state->imbalance > watching->limit;
  if (alert) {
    ++state->alerts;
    state->alert_redistributions = step->of_movers[0].redistributions;
  }
  if (watching->file != NULL) write_line(watching->file, step, all, least, most, alert);
}

static void close_steps(void) {
  const int movers = watching->movers;
  while (step_count != 0 && steps[0].reports == movers &&
         (!watching->has_counters || steps[0].hardware_reports == movers)) {
    close_step(&steps[0]);
    forget_first_step();
  }
}

static void watch(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    watching->state = (monitor_state){.imbalance = 1, .alert_redistributions = -1};
  } else {
    const observation* const observed = in;
    open_step* const step = step_of(observed->step);
    step->of_movers[(int)observed->mover] = *observed;
    ++step->reports;
    close_steps();
  }
  *(monitor_state*)inout = watching->state;
}

/* Only one consumer has a state: the one with the later step. */
static void keep_later(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  for (int i = 0; i != *len; ++i) {
    const monitor_state* const other = (const monitor_state*)in + i;
    monitor_state* const kept = (monitor_state*)inout + i;
    if (other->step > kept->step) *kept = *other;
  }
}

static void watch_hardware(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)inout, (void)datatype;
  if (*len == 0) return;
  const hardware_observation* const observed = in;
  open_step* const step = step_of(observed->step);
  step->hardware_of_movers[(int)observed->mover] = *observed;
  ++step->hardware_reports;
  close_steps();
}

int open_feed(monitor* of) {
  if (of->file_name == NULL) return 0;
  of->file = fopen(of->file_name, "w");
  return of->file == NULL ? errno : 0;
}

void close_feed(monitor* of) {
  if (of->file == NULL) return;
  if (fclose(of->file) != 0 && of->problem == 0) of->problem = errno;
  if (of->problem != 0) fail("%s: %s", of->file_name, strerror(of->problem));
}

/* All to the same consumer. */
static unsigned long long same_consumer(const void* element) {
  (void)element;
  return 0;
}

static MPIStream attach(MPIStream_Channel* channel, size_t element_bytes, size_t result_bytes,
                        MPIStream_Operation operation) {
  MPIStream made = NULL;
  MPI_Datatype element, result;
  MPI_Type_contiguous((int)(element_bytes / sizeof(double)), MPI_DOUBLE, &element);
  MPI_Type_contiguous((int)(result_bytes / sizeof(double)), MPI_DOUBLE, &result);
  MPI_Type_commit(&element);
  MPI_Type_commit(&result);
  const char* const doing = "attaching the monitor";
  must(MPIStream_Attach(element, result, element, &operation, &made, channel), doing);
  must(MPIStream_Set_selection(made, MPISTREAM_BY_KEY, same_consumer), doing);
  MPI_Type_free(&element);
  MPI_Type_free(&result);
  return made;
}

void attach_monitor(monitor* of, MPIStream_Channel* channel) {
  if (!of->is_on) return;
  watching = of;
  of->stream = attach(channel, sizeof(observation), sizeof(monitor_state),
                      (MPIStream_Operation){watch, MPIStream_Terminal(keep_later)});
  if (of->has_counters)
    of->hardware_stream = attach(channel, sizeof(hardware_observation), sizeof(double),
                                 (MPIStream_Operation){watch_hardware, MPI_OP_NULL});
}

void report_hardware(monitor* of, const hardware_observation* observed) {
  must(MPIStream_Send(observed, &of->hardware_stream), "reporting counters");
}

void report_step(monitor* of, const observation* observed) {
  must(MPIStream_Send(observed, &of->stream), "reporting a step");
}

int is_alert(monitor* of, int redistributions) {
  monitor_state now = {0};
  int answered = 0, asked = 0;
  must(MPIStream_Iquery(&now, &answered, &of->stream), "asking the monitor");
  if (!answered) return 0;
  /* The next call is to find an answer, too. */
  monitor_state later = {0};
  must(MPIStream_Iquery(&later, &asked, &of->stream), "asking the monitor");
  if (asked) now = later;
  return now.alert_redistributions == redistributions;
}
