// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// MPIStream for C++: needs MPI alone. What connects it with networks of weir is in weir/mpi/nodes.hpp.
#pragma once

#include <MPIStream.h>

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace weir::mpi {

/// What MPI, or MPIStream, has refused.
class error : public std::runtime_error {
 public:
  explicit error(int code) : std::runtime_error(words(code)), code_(code) {}
  /// An error class of MPI or of MPIStream.h.
  int code() const noexcept { return code_; }

 private:
  static std::string words(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "MPI error " + std::to_string(code);
    return std::string(text, static_cast<std::size_t>(length));
  }
  int code_;
};

/// @throws error
inline void check(int code) {
  if (code != MPI_SUCCESS) throw error(code);
}

enum class role { neither = 0, producer = 1, consumer = 2, both = 3 };

/// Ranks that stream to others. What is said of threads in MPIStream.h holds. Constructing and closing are collective.
class channel {
 public:
  /// @throws error on all ranks if nobody produces, or nobody consumes
  explicit channel(role own, MPI_Comm comm = MPI_COMM_WORLD) {
    const int bits = static_cast<int>(own);
    check(MPIStream_CreateChannel(bits & 1, bits >> 1, comm, &handle_));
  }
  ~channel() {
    if (handle_ != nullptr) MPIStream_FreeChannel(&handle_);
  }
  channel(channel&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  channel& operator=(channel&&) = delete;

  /// Goes on to the end of all streams, and frees them; the destructor does the same, but can't tell what has gone wrong. @throws error
  void close() { check(MPIStream_FreeChannel(&handle_)); }

  int producers() const {
    int count = 0;
    check(MPIStream_Channel_size(handle_, &count, nullptr));
    return count;
  }
  int consumers() const {
    int count = 0;
    check(MPIStream_Channel_size(handle_, nullptr, &count));
    return count;
  }
  MPIStream_Channel* handle() noexcept { return &handle_; }

 private:
  MPIStream_Channel handle_ = nullptr;
};

enum class selection {
  fixed = MPISTREAM_STATIC,
  round_robin = MPISTREAM_ROUND_ROBIN,
  least_loaded = MPISTREAM_LEAST_LOADED
};

/// Elements of one type, which are copied byte by byte between ranks of the same kind of machine. Lives as long as its channel, at most, and stays where it is.
template <class T>
class stream {
  static_assert(std::is_trivially_copyable_v<T>,
                "weir::mpi::stream: elements are copied byte by byte between processes");

 public:
  /// Collective over the channel, in the same order on all its ranks. @throws error
  explicit stream(channel& on, selection rule = selection::fixed) {
    MPI_Datatype element = MPI_DATATYPE_NULL;
    MPI_Datatype place = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &element));
    check(MPI_Type_contiguous(static_cast<int>(sizeof(stream*)), MPI_BYTE, &place));
    check(MPI_Type_commit(&element));
    check(MPI_Type_commit(&place));
    MPIStream_Operation operation{&stream::take, MPI_OP_NULL};
    // Functions of MPI have no memory of their own: the local result is whose it is.
    attaching() = this;
    const int code = MPIStream_Attach(element, place, element, &operation, &handle_, on.handle());
    MPI_Type_free(&element);
    MPI_Type_free(&place);
    check(code);
    if (rule != selection::fixed)
      check(MPIStream_Set_selection(handle_, static_cast<MPIStream_Selection>(rule), nullptr));
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// As MPIStream_Send. @throws error
  void send(const T& element) { check(MPIStream_Send(&element, &handle_)); }
  void flush() { check(MPIStream_Flush(&handle_)); }
  void terminate() { check(MPIStream_Terminate(&handle_)); }

  /// Calls `use(const T&)` with each element, until all producers have terminated. What it throws comes out of here, when that is so. @throws error
  template <class F>
  void operate(F&& use) {
    const taking now(*this, use);
    check(MPIStream_Operate(&handle_));
    now.rethrow();
  }
  /// With those that have come. @return false: there will be no more @throws error
  template <class F>
  bool operate_some(F&& use) {
    const taking now(*this, use);
    check(MPIStream_Ioperate(&handle_));
    int is_over = 0;
    check(MPIStream_Test(&handle_, &is_over));
    now.rethrow();
    return is_over == 0;
  }

  MPIStream* handle() noexcept { return &handle_; }

 private:
  // The function in use, as long as this lives.
  class taking {
   public:
    template <class F>
    taking(stream& of, F& use) : of_(of) {
      of_.use_ = [&use](const T& element) { use(element); };
    }
    ~taking() { of_.use_ = nullptr; }
    taking(const taking&) = delete;
    taking& operator=(const taking&) = delete;
    void rethrow() const {
      if (const std::exception_ptr problem = std::exchange(of_.problem_, nullptr)) std::rethrow_exception(problem);
    }

   private:
    stream& of_;
  };

  static stream*& attaching() {
    static stream* now = nullptr;
    return now;
  }

  // No exception may go through C, or MPI.
  static void take(void* in, void* inout, int* len, MPI_Datatype*) {
    stream*& self = *static_cast<stream**>(inout);
    if (*len == 0) {
      self = attaching();
      return;
    }
    if (self->problem_ != nullptr) return;
    try {
      if (!self->use_) throw error(MPISTREAM_ERR_CALL);
      self->use_(*static_cast<const T*>(in));
    } catch (...) {
      self->problem_ = std::current_exception();
    }
  }

  MPIStream handle_ = nullptr;
  std::function<void(const T&)> use_;
  std::exception_ptr problem_;
};

}  // namespace weir::mpi
