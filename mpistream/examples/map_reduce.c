/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* A map-reduce: producers stream words with selection by key, so all copies of a word reach one
 * consumer, which counts them; the terminal operation joins the tables of all consumers. Counts the
 * words of a generated text. Needs at least two ranks, of which half consume. */
#include "MPIStream.h"

#include <stdio.h>
#include <string.h>

enum { letters = 16, most_words = 64 };
typedef struct {
  char word[letters];
  long count;
} row;

static unsigned long long key_of(const void* element) {
  unsigned long long key = 14695981039346656037ULL;
  for (const char* at = element; *at != '\0'; ++at)
    key = (key ^ (unsigned char)*at) * 1099511628211ULL;
  return key;
}

static void count(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  row* const table = inout;
  if (*len == 0) {
    memset(table, 0, sizeof(row) * most_words);
    return;
  }
  row* at = table;
  while (at->count != 0 && strcmp(at->word, in) != 0) ++at;
  memcpy(at->word, in, letters);
  ++at->count;
}

static void join(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) return;
  row* to = inout;
  while (to->count != 0) ++to;
  for (const row* from = in; from->count != 0; ++from) *to++ = *from;
}

int main(int argc, char** argv) {
  static const char* const words[] = {"weir",  "water", "flow", "gate", "river", "stream",
                                      "spill", "lock",  "dam",  "ford", "mill"};
  enum { different = sizeof words / sizeof *words, each = 20000 };
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int producers = size / 2, is_consumer = rank >= producers;
  MPIStream_Channel channel;
  if (MPIStream_CreateChannel(!is_consumer, is_consumer, MPI_COMM_WORLD, &channel) != MPI_SUCCESS) {
    fprintf(stderr, "map_reduce: needs at least 2 ranks\n");
    MPI_Finalize();
    return 2;
  }
  MPI_Datatype of_word, of_table;
  MPI_Type_contiguous(letters, MPI_CHAR, &of_word);
  MPI_Type_commit(&of_word);
  MPI_Type_contiguous((int)sizeof(row) * most_words, MPI_BYTE, &of_table);
  MPI_Type_commit(&of_table);
  MPIStream_Operation operation = {count, MPIStream_Terminal(join)};
  MPIStream stream;
  MPIStream_Attach(of_word, of_table, of_word, &operation, &stream, &channel);
  MPIStream_Set_selection(stream, MPISTREAM_BY_KEY, key_of);
  MPI_Type_free(&of_word);
  MPI_Type_free(&of_table);
  if (!is_consumer) {
    for (int i = rank; i < each; i += producers) {
      char word[letters] = "";
      strncpy(word, words[(i + i / 7) % different], letters - 1);
      MPIStream_Send(word, &stream);
    }
    MPIStream_Terminate(&stream);
  } else {
    static row all[most_words];
    long total = 0;
    MPIStream_Operate(&stream);
    MPIStream_Result(all, stream);
    int kinds = 0;
    while (all[kinds].count != 0) total += all[kinds++].count;
    if (rank == size - 1) printf("%ld words, %d different ones\n", total, kinds);
  }
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  return 0;
}
