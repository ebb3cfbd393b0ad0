/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/memory.h"

#include <stdlib.h>
#include <string.h>

enum { alignment = 64 };

static size_t space_before(MPI_Aint begin) {
  return (size_t)(((begin % alignment) + alignment) % alignment);
}

char* mpistream_new_object(MPI_Aint begin, MPI_Aint room) {
  const size_t before = space_before(begin);
  const size_t bytes = (before + (size_t)room + alignment - 1) / alignment * alignment;
  char* const memory = aligned_alloc(alignment, bytes == 0 ? alignment : bytes);
  if (memory == NULL) return NULL;
  memset(memory, 0, bytes);
  return memory + before - begin;
}

void mpistream_free_object(char* address, MPI_Aint begin) {
  if (address != NULL) free(address + begin - space_before(begin));
}
