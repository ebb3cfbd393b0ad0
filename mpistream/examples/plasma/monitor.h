/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_MONITOR_H
#define PLASMA_MONITOR_H

#include <MPIStream.h>
#include <stdio.h>

/** What a mover reports after a step: a stream element of doubles. */
typedef struct {
  double mover, step;
  double particles;
  double seconds;         /**< of the step */
  double moving;          /**< of them, until it first had to wait for other movers */
  double redistributions; /**< up to now */
} observation;

/** The second feed, where there are hardware counters. */
typedef struct {
  double mover, step;
  double instructions, cache_misses; /**< in that step */
} hardware_observation;

/** What the monitor makes of all that: the result of the stream, which a mover can query. */
typedef struct {
  double step;      /**< the last one of which all movers have reported */
  double imbalance; /**< in that step: the most particles of a mover, over the mean; 1 is even */
  double alerts;
  double alert_redistributions; /**< how many there had been in the step of the last alert; -1: no
                                   alert yet */
} monitor_state;

/** All movers report to one consumer, whichever it is. */
typedef struct {
  int is_on, has_counters;
  const char* file_name; /**< null: no feed is written */
  FILE* file;
  int problem;  /**< errno of what could not be written first */
  double limit; /**< of the imbalance, for an alert */
  int movers;
  MPIStream stream, hardware_stream;
  monitor_state state; /**< on that consumer; else as before the first step */
} monitor;

/** On each consumer, before the first report; one of them will write. What was in the file is lost.
 * @return 0, or an errno */
int open_feed(monitor* of);
void close_feed(monitor* of);

/** Collective over the channel. Without `is_on` there is nothing to attach. */
void attach_monitor(monitor* of, MPIStream_Channel* channel);

/** Of a mover, in this order if there are counters. */
void report_hardware(monitor* of, const hardware_observation* observed);
void report_step(monitor* of, const observation* observed);

/**
 * Of one mover, once a step. It does not wait: what it finds is what the monitor knew when an
 * earlier call asked.
 * @param redistributions up to now; an alert of before the last one has been seen to
 * @return whether there is an alert
 */
int is_alert(monitor* of, int redistributions);

#endif
