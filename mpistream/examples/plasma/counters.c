/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* syscall() */
#include "counters.h"

#include <errno.h>
#ifdef __linux__
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_one(unsigned long long which) {
  struct perf_event_attr asked;
  memset(&asked, 0, sizeof asked);
  asked.size = sizeof asked;
  asked.type = PERF_TYPE_HARDWARE;
  asked.config = which;
  asked.exclude_kernel = 1;
  asked.exclude_hv = 1;
  return (int)syscall(SYS_perf_event_open, &asked, 0, -1, -1, 0UL);
}

static long long read_one(int counter) {
  long long value = 0;
  return read(counter, &value, sizeof value) == (ssize_t)sizeof value ? value : 0;
}

int open_counters(counters* of) {
  of->instructions = open_one(PERF_COUNT_HW_INSTRUCTIONS);
  if (of->instructions < 0) return errno;
  of->cache_misses = open_one(PERF_COUNT_HW_CACHE_MISSES);
  if (of->cache_misses >= 0) return 0;
  const int error = errno;
  close(of->instructions);
  return error;
}

void close_counters(counters* of) {
  close(of->instructions);
  close(of->cache_misses);
}

void read_counters(const counters* of, long long* instructions, long long* cache_misses) {
  *instructions = read_one(of->instructions);
  *cache_misses = read_one(of->cache_misses);
}
#else
int open_counters(counters* of) {
  (void)of;
  return ENOSYS;
}
void close_counters(counters* of) { (void)of; }
void read_counters(const counters* of, long long* instructions, long long* cache_misses) {
  (void)of;
  *instructions = *cache_misses = 0;
}
#endif
