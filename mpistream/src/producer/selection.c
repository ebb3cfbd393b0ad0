/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "producer/selection.h"

#include "producer/lanes.h"

static unsigned long long mixed(unsigned long long key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdULL;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ULL;
  return key ^ key >> 33;
}

/* Load of a consumer: `block_bytes` for each message that is not known to be matched, plus the
 * elements of the block. Does not count the last messages, whose matching cannot be known before a
 * synchronous one follows. */
static long load_of(const lane* which) {
  const int unknown = which->unsynchronised < which->flying ? which->unsynchronised : which->flying;
  return (long)(which->flying - unknown) * block_bytes + which->elements;
}

lane* mpistream_choose_lane(producer* self, const void* element) {
  const MPIStream stream = self->stream;
  const int count = self->lane_count;
  if (count == 1) return self->lanes;
  const int next = self->next_lane;
  if (stream->selection == MPISTREAM_BY_KEY)
    return self->lanes + mixed(stream->key(element)) % (unsigned long long)count;
  self->next_lane = (next + 1) % count;
  lane* best = self->lanes + next;
  if (stream->selection == MPISTREAM_ROUND_ROBIN) return best;
  for (int i = 0; i != count; ++i) {
    lane* const each = self->lanes + (next + i) % count;
    if (each->flying != 0) note_error(stream->channel, mpistream_test_sends(self, each));
    if (load_of(each) < load_of(best)) best = each;
    if (load_of(best) == 0) break;
  }
  return best;
}
