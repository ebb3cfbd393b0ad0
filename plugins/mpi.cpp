// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Calls an MPI library for libweir, which loads this plugin: see mpi_functions. Built once for each
// installed MPI.
#include "cluster/wire/mpi_functions.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>

namespace {

using weir::cluster::mpi_handle;
using weir::cluster::mpi_start;

MPI_Comm all = MPI_COMM_NULL;
bool initialized_here = false;
void (*tell_before_end)() = nullptr;

template <class T>
mpi_handle wrapped(T handle) {
  mpi_handle made{};
  if constexpr (std::is_pointer_v<T>) {
    made.pointer = handle;
  } else {
    made.number = handle;
  }
  return made;
}
template <class T>
T unwrapped(mpi_handle handle) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<T>(handle.pointer);
  } else {
    return handle.number;
  }
}

// Called by MPI_Finalize, which deletes the attributes of this communicator before it does anything
// else (MPI 3.1, §8.7.1).
int before_finalize(MPI_Comm, int, void*, void*) {
  if (tell_before_end != nullptr) tell_before_end();
  return MPI_SUCCESS;
}

int start(mpi_start* out, void (*before_end)()) {
  int flag = 0;
  int level = MPI_THREAD_SINGLE;
  if (const int error = MPI_Initialized(&flag)) return error;
  out->was_initialized = flag != 0;
  if (out->was_initialized) {
    if (const int error = MPI_Query_thread(&level)) return error;
  } else {
    if (const int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level)) return error;
    initialized_here = true;
  }
  out->is_serialized = level >= MPI_THREAD_SERIALIZED;
  if (!out->is_serialized) return MPI_SUCCESS;
  if (const int error = MPI_Comm_dup(MPI_COMM_WORLD, &all)) return error;
  if (const int error = MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN)) return error;
  if (const int error = MPI_Comm_rank(all, &out->rank)) return error;
  if (const int error = MPI_Comm_size(all, &out->ranks)) return error;
  int* most = nullptr;
  if (const int error = MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag)) return error;
  out->tag_most = flag != 0 ? *most : 32767;
  std::random_device random;
  for (std::uint64_t& part : out->job) part = (std::uint64_t{random()} << 32) | random();
  if (const int error = MPI_Bcast(out->job, sizeof out->job, MPI_BYTE, 0, all)) return error;
  tell_before_end = before_end;
  int key = MPI_KEYVAL_INVALID;
  if (const int error = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, before_finalize, &key, nullptr)) return error;
  return MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

bool is_over() {
  int flag = 0;
  return MPI_Finalized(&flag) != MPI_SUCCESS || flag != 0;
}

int finish() {
  if (!initialized_here || is_over()) return MPI_SUCCESS;
  tell_before_end = nullptr;
  return MPI_Finalize();
}

int send(const void* bytes, std::size_t count, int to, int tag, mpi_handle* request) {
  if (count > INT_MAX) return MPI_ERR_COUNT;
  MPI_Request made = MPI_REQUEST_NULL;
  const int error = MPI_Isend(bytes, static_cast<int>(count), MPI_BYTE, to, tag, all, &made);
  *request = wrapped(made);
  return error;
}

int probe(int from, int tag, bool* found, mpi_handle* message, std::size_t* count) {
  int flag = 0;
  MPI_Message matched = MPI_MESSAGE_NULL;
  MPI_Status status;
  if (const int error = MPI_Improbe(from, tag, all, &flag, &matched, &status)) return error;
  *found = flag != 0;
  if (!*found) return MPI_SUCCESS;
  *message = wrapped(matched);
  int bytes = 0;
  const int error = MPI_Get_count(&status, MPI_BYTE, &bytes);
  *count = static_cast<std::size_t>(bytes);
  return error;
}

int receive(mpi_handle message, void* bytes, std::size_t count, mpi_handle* request) {
  if (count > INT_MAX) return MPI_ERR_COUNT;
  MPI_Message matched = unwrapped<MPI_Message>(message);
  MPI_Request made = MPI_REQUEST_NULL;
  const int error = MPI_Imrecv(bytes, static_cast<int>(count), MPI_BYTE, &matched, &made);
  *request = wrapped(made);
  return error;
}

int test(mpi_handle* request, bool* done) {
  MPI_Request made = unwrapped<MPI_Request>(*request);
  int flag = 0;
  const int error = MPI_Test(&made, &flag, MPI_STATUS_IGNORE);
  *request = wrapped(made);
  *done = flag != 0;
  return error;
}

void copy_text(const char* from, int length, char* text, std::size_t room) {
  const std::size_t some = std::min(static_cast<std::size_t>(std::max(length, 0)), room - 1);
  std::memcpy(text, from, some);
  text[some] = '\0';
}

void text_of(int error, char* text, std::size_t room) {
  std::array<char, MPI_MAX_ERROR_STRING> words{};
  int length = 0;
  if (MPI_Error_string(error, words.data(), &length) != MPI_SUCCESS) length = 0;
  copy_text(words.data(), length, text, room);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const weir::cluster::mpi_functions weir_mpi_functions;
extern "C" const weir::cluster::mpi_functions weir_mpi_functions{
    .version = weir::cluster::mpi_functions_version,
    .start = start,
    .finish = finish,
    .is_over = is_over,
    .send = send,
    .probe = probe,
    .receive = receive,
    .test = test,
    .text_of = text_of,
};
