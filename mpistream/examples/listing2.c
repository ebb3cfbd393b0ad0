/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Listing 2 of M: producers stream particles of high energy to one consumer, which writes them into
 * a file whenever its buffer is full. The argument is the name of the file. Needs at least two
 * ranks. In place of iPIC3D, a plasma simulation, a few lines move particles about. Corrected: a
 * counter runs from 1 within the buffer, and counts particles, not doubles, so places and lengths
 * are times 8; a full buffer is written, not the number of particles so far, and the rest at the
 * end; with *len == 0 the first function initialises, and is not an error; dprintf has a
 * descriptor; a particle that has been tagged is streamed in all later steps, even below the
 * threshold, as the text of M says; the terminal function is called with *len == 0 on each consumer
 * to finish its local result, and sums nothing; a file that cannot be written ends the program. */
#define _POSIX_C_SOURCE 200809L
#include "MPIStream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { buffersize = 64, particles = 1000, steps = 20 };
static MPI_File particfile;
static int counter = 0;

// MPI returns errors of files; a program that does not check them gets a short file.
static void must(int is_done) {
  if (is_done) return;
  fprintf(stderr, "listing2: the file can't be written to its end\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}
// Open MPI reports a full disk only by the count of written numbers.
static void write_particles(const void* from, int count) {
  MPI_Status status;
  int written = 0;
  must(MPI_File_write_shared(particfile, from, 8 * count, MPI_DOUBLE, &status) == MPI_SUCCESS);
  MPI_Get_count(&status, MPI_DOUBLE, &written);
  must(written == 8 * count);
}

// Intermediate Operation
void PARTICLE_IO(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) return;
  if (*len == 8) {  // Buffering Data
    double* ptr = (double*)in;
    double* outptr = (double*)inout;
    memcpy(outptr + 8 * (counter % buffersize), ptr, 8 * sizeof(double));
    counter++;
    if (counter % buffersize == 0) {  // Flush out data
      write_particles(inout, buffersize);
    }
  } else {
    dprintf(2, "Error: PARTICLE_IO length\n");
  }
}

// Terminal Operation
void PARTICLE_IO_Term(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)in, (void)datatype;
  if (*len != 0) return;
  if (counter % buffersize > 0) {
    write_particles(inout, counter % buffersize);
  }
  must(MPI_File_close(&particfile) == MPI_SUCCESS);
}

// A particle: position, velocity, energy, and identity.
typedef struct {
  double position[3], velocity[3], energy, identity;
} particle;

static double random_number(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (double)(1 << 24);
}
static void updateParticle(particle* which, unsigned* state) {
  which->energy = 0;
  for (int axis = 0; axis != 3; ++axis) {
    which->velocity[axis] += 0.2 * (random_number(state) - 0.5);
    which->position[axis] += which->velocity[axis];
    which->energy += which->velocity[axis] * which->velocity[axis] / 2;
  }
}
static int isHighEnergyParticle(const particle* which) { return which->energy > 0.25; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 2 || size < 2) {
    if (rank == 0) fprintf(stderr, "usage: mpirun -n RANKS listing2 FILE, with at least 2 ranks\n");
    MPI_Finalize();
    return 2;
  }
  MPIStream_Channel channel;
  MPIStream_CreateChannel(rank != size - 1, rank == size - 1, MPI_COMM_WORLD, &channel);
  MPI_Datatype element, buffer;
  MPI_Type_contiguous(8, MPI_DOUBLE, &element);
  MPI_Type_commit(&element);
  MPI_Type_contiguous(8 * buffersize, MPI_DOUBLE, &buffer);
  MPI_Type_commit(&buffer);
  MPIStream_Operation operation;
  operation.intermediate_function = &PARTICLE_IO;
  operation.terminal_function = MPIStream_Terminal(&PARTICLE_IO_Term);
  MPI_Stream stream;
  MPIStream_Attach(element, buffer, MPI_DOUBLE, &operation, &stream, &channel);
  if (rank == size - 1) {
    MPI_Comm consumers;
    MPIStream_Channel_comm(channel, NULL, &consumers);
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    if (MPI_File_open(consumers, argv[1], mode, MPI_INFO_NULL, &particfile) != MPI_SUCCESS) {
      fprintf(stderr, "listing2: can't write %s\n", argv[1]);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    must(MPI_File_set_size(particfile, 0) == MPI_SUCCESS);
    MPIStream_Operate(&stream);
    printf("%d particles written\n", counter);
  } else {
    unsigned state = (unsigned)rank;
    particle* partic_list = calloc(particles, sizeof(particle));
    char* output_tag = calloc(particles, 1);
    for (int i = 0; i < particles; i++) partic_list[i].identity = rank * particles + i;
    // the below is inside KCode.ParticlesMover()
    for (int step = 0; step < steps; step++) {
      for (int i = 0; i < particles; i++) {
        updateParticle(&partic_list[i], &state);
        if (isHighEnergyParticle(&partic_list[i])) output_tag[i] = 1;
        if (output_tag[i]) MPIStream_Send(&(partic_list[i]), &stream);
      }
    }
    MPIStream_Terminate(stream);
    free(partic_list);
    free(output_tag);
  }
  MPI_Type_free(&element);
  MPI_Type_free(&buffer);
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  return 0;
}
