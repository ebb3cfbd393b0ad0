/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_COUNTERS_H
#define PLASMA_COUNTERS_H

/** Hardware counters of this process, where the system lets it see them. */
typedef struct {
  int instructions, cache_misses; /**< file descriptors */
} counters;

/** @return 0, or an errno that says why there are none */
int open_counters(counters* of);
void close_counters(counters* of);

/** Since they were opened. */
void read_counters(const counters* of, long long* instructions, long long* cache_misses);

#endif
