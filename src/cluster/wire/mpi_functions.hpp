// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::cluster {

/// A message or a request in the MPI library's own type: a pointer with Open MPI, a number with
/// MPICH.
union mpi_handle {
  void* pointer;
  int number;
};

struct mpi_start {
  int rank = 0;
  int ranks = 0;
  int tag_most = 0;
  bool was_initialized = false;  ///< by the program
  bool is_serialized = false;    ///< calls may come from any thread, one at a time
  std::uint64_t job[2] = {};     ///< a number that all processes of this job have, and no other process
};

/// The functions that weir uses of an MPI library. Each MPI has its own binary interface, so there
/// is one plugin for each (plugins/mpi.cpp). Programs that were started by MPI load it; libweir
/// itself needs no MPI. One thread at a time. Functions that return an int return MPI's error code,
/// 0 for none.
struct mpi_functions {
  std::uint32_t version;
  /// Initialises MPI, unless the program has, and duplicates the communicator of all processes; all
  /// of them call it. `before_end` is called when the program calls MPI_Finalize, while MPI can
  /// still be used.
  int (*start)(mpi_start* out, void (*before_end)());
  /// Finalises MPI if `start` initialised it. All processes call it.
  int (*finish)();
  bool (*is_over)();
  int (*send)(const void* bytes, std::size_t count, int to, int tag, mpi_handle* request);
  /// Takes the next arrived message from that rank, if there is one.
  int (*probe)(int from, int tag, bool* found, mpi_handle* message, std::size_t* count);
  int (*receive)(mpi_handle message, void* bytes, std::size_t count, mpi_handle* request);
  int (*test)(mpi_handle* request, bool* done);
  void (*text_of)(int error, char* text, std::size_t room);
};

inline constexpr std::uint32_t mpi_functions_version = 1;
inline constexpr const char* mpi_functions_symbol = "weir_mpi_functions";

}  // namespace weir::cluster
