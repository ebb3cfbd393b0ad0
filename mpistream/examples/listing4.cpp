/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Listing 4 of M: a monitor keeps the least and the largest number of particles of all ranks, and
 * gives an alert when they are too far apart. Needs at least two ranks. In place of iPIC3D, a class
 * lets particles drift to the last rank. Corrected: the largest number begins at -DBL_MAX (DBL_MIN
 * is the least positive one); there is no gap before there are elements; AlertGap is declared; the
 * number of particles is a double, since the function reads a double. C++, as in the listing. */
#include "MPIStream.h"

#include <cfloat>
#include <cstdio>

static int alerts = 0;
static void AlertGap() { ++alerts; }

// Intermediate Operation
void ProcessImbalance(void* in, void* inout, int* len, MPI_Datatype*) {
  const double gap_threshold = 1.0E8;
  double* min = (double*)inout;
  double* max = (double*)inout + 1;
  double* stream_data = (double*)in;
  if (*len == 0) {  // initialize the results
    *min = DBL_MAX;
    *max = -DBL_MAX;
    return;
  } else if (*len > 0) {
    if (*min > *stream_data) *min = *stream_data;
    if (*max < *stream_data) *max = *stream_data;
  }
  if (*max - *min > gap_threshold) AlertGap();
}

namespace iPic3D {
class c_Solver {
 public:
  explicit c_Solver(bool gathers) : gathers_(gathers) {}
  int FirstCycle() const { return 0; }
  int LastCycle() const { return 20; }
  void ParticlesMover() { currParticleNum += gathers_ ? 1.0E7 : -1.0E6; }
  double currParticleNum = 1.0E8;

 private:
  bool gathers_;
};
}  // namespace iPic3D

int main(int argc, char** argv) {
  int rank = 0;
  int size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    std::fprintf(stderr, "listing4: needs at least 2 ranks\n");
    MPI_Finalize();
    return 2;
  }
  const bool is_data_consumer = rank == size - 1;
  const bool is_data_producer = !is_data_consumer;
  MPIStream_Channel channel;
  MPIStream_CreateChannel(is_data_producer, is_data_consumer, MPI_COMM_WORLD, &channel);
  MPI_Datatype range;
  MPI_Type_contiguous(2, MPI_DOUBLE, &range);
  MPI_Type_commit(&range);
  MPIStream_Operation operation;
  operation.intermediate_function = &ProcessImbalance;
  operation.terminal_function = MPI_OP_NULL;
  MPIStream stream0;
  MPIStream_Attach(MPI_DOUBLE, range, MPI_DOUBLE, &operation, &stream0, &channel);
  MPI_Type_free(&range);
  if (is_data_consumer) {  // data consumers keep on processing data
    MPIStream_Operate(&stream0);
    std::printf("%s\n", alerts > 0 ? "the load is out of balance" : "the load is balanced");
  }
  if (is_data_producer) {
    iPic3D::c_Solver KCode(rank == size - 2);
    for (int i = KCode.FirstCycle(); i < KCode.LastCycle(); i++) {
      KCode.ParticlesMover();                            // move particles
      MPIStream_Send(&KCode.currParticleNum, &stream0);  // stream out No. of Particles
    }
    MPIStream_Terminate(&stream0);  // data producers signal termination of data
  }
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  return 0;
}
