/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_MONITOR_H
#define PLASMA_MONITOR_H

#include <MPIStream.h>
#include <stdio.h>

/** Report of a mover after a step: a stream element of doubles. */
typedef struct {
  double mover, step;
  double particles;
  double seconds;         /**< duration of the step */
  double moving;          /**< seconds of the step until it first waited for other movers */
  double redistributions; /**< number so far */
} observation;

/** Element of the second feed, if there are hardware counters. */
typedef struct {
  double mover, step;
  double instructions, cache_misses; /**< counts in that step */
} hardware_observation;

/** State of the monitor: the result of the stream, which a mover can query. */
typedef struct {
  double step;      /**< the last step that all movers have reported */
  double imbalance; /**< most particles of a mover in that step, over the mean; 1 is even */
  double alerts;
  double alert_redistributions; /**< number of redistributions in the step of the last alert; -1: no
                                   alert yet */
} monitor_state;

/** A monitor of the movers. All movers report to the same consumer. */
typedef struct {
  int is_on, has_counters;
  const char* file_name; /**< null: no feed is written */
  FILE* file;
  int problem;  /**< errno of the first failed write */
  double limit; /**< an imbalance above this is an alert */
  int movers;
  MPIStream stream, hardware_stream;
  monitor_state state; /**< kept by the consumer of the reports; elsewhere as before step 1 */
} monitor;

/** Opens the file on each consumer, before the first report; one consumer will write it. Former
 * contents are lost. @return 0, or an errno */
int open_feed(monitor* of);
void close_feed(monitor* of);

/** Collective over the channel. Attaches nothing unless `is_on`. */
void attach_monitor(monitor* of, MPIStream_Channel* channel);

/** Called by a mover; with counters, in this order. */
void report_hardware(monitor* of, const hardware_observation* observed);
void report_step(monitor* of, const observation* observed);

/**
 * Called by one mover, once a step. Does not wait: reads the state that the monitor had when an
 * earlier call sent its query.
 * @param redistributions number so far; an alert from before the last redistribution is ignored
 * @return whether there is an alert
 */
int is_alert(monitor* of, int redistributions);

#endif
