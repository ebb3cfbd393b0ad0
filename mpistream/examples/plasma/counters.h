/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_COUNTERS_H
#define PLASMA_COUNTERS_H

/** Hardware counters of this process, if the system gives access to them. */
typedef struct {
  int instructions, cache_misses; /**< file descriptors */
} counters;

/** @return 0, or the errno that explains why there are no counters */
int open_counters(counters* of);
void close_counters(counters* of);

/** Reads the counts since the counters were opened. */
void read_counters(const counters* of, long long* instructions, long long* cache_misses);

#endif
