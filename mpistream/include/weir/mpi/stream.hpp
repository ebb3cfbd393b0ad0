// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The C++ interface of MPIStream; it needs only MPI. weir/mpi/nodes.hpp connects streams with weir
// networks.
#pragma once

#include <MPIStream.h>

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::mpi {

/// An error that MPI or MPIStream has reported.
class error : public std::runtime_error {
 public:
  explicit error(int code) : std::runtime_error(words(code)), code_(code) {}
  /// An error of MPI or of MPIStream.h.
  int code() const noexcept { return code_; }

 private:
  static std::string words(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
      return "MPI error " + std::to_string(code);
    return std::string(text, static_cast<std::size_t>(length));
  }
  int code_;
};

/// @throws error
inline void check(int code) {
  if (code != MPI_SUCCESS) throw error(code);
}

/// The part of a rank on a channel.
enum class role { neither = 0, producer = 1, consumer = 2, both = 3 };

namespace detail {

/// While it lives, `comm` returns its errors instead of calling its error handler.
class returned_errors {
 public:
  explicit returned_errors(MPI_Comm comm) : comm_(comm) {
    check(MPI_Comm_get_errhandler(comm_, &usual_));
    const int code = MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) return;
    MPI_Errhandler_free(&usual_);
    throw error(code);
  }
  ~returned_errors() {
    // Tries again if MPI refuses it: else all later errors would go to another handler.
    if (MPI_Comm_set_errhandler(comm_, usual_) != MPI_SUCCESS)
      MPI_Comm_set_errhandler(comm_, usual_);
    MPI_Errhandler_free(&usual_);
  }
  returned_errors(const returned_errors&) = delete;
  returned_errors& operator=(const returned_errors&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler usual_ = MPI_ERRHANDLER_NULL;
};

/// MPI's type of so many bytes.
class byte_type {
 public:
  /// @throws error
  explicit byte_type(std::size_t bytes) {
    check(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &handle_));
    const int code = MPI_Type_commit(&handle_);
    if (code == MPI_SUCCESS) return;
    MPI_Type_free(&handle_);
    throw error(code);
  }
  ~byte_type() { MPI_Type_free(&handle_); }
  byte_type(const byte_type&) = delete;
  byte_type& operator=(const byte_type&) = delete;

  MPI_Datatype handle() const noexcept { return handle_; }

 private:
  MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

}  // namespace detail

/// A channel between producing and consuming ranks. The thread rules of MPIStream.h hold. The
/// constructor and `close` are collective.
class channel {
 public:
  /// @throws error on all ranks if no rank produces, or none consumes
  explicit channel(role own, MPI_Comm comm = MPI_COMM_WORLD) {
    if (comm == MPI_COMM_NULL) throw error(MPI_ERR_COMM);
    const detail::returned_errors while_made(comm);
    const int bits = static_cast<int>(own);
    check(MPIStream_CreateChannel(bits & 1, bits >> 1, comm, &handle_));
  }
  ~channel() {
    if (handle_ != nullptr) MPIStream_FreeChannel(&handle_);
  }
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  /// Waits for the end of all streams, and frees them. The destructor does the same, but cannot
  /// report errors. Elements that have not been read are lost. @throws error
  void close() {
    check_open();
    check(MPIStream_FreeChannel(&handle_));
  }

  int producers() const {
    int count = 0;
    check_open();
    check(MPIStream_Channel_size(handle_, &count, nullptr));
    return count;
  }
  int consumers() const {
    int count = 0;
    check_open();
    check(MPIStream_Channel_size(handle_, nullptr, &count));
    return count;
  }
  MPIStream_Channel* handle() noexcept { return &handle_; }

 private:
  template <class T>
  friend class stream;

  void check_open() const {
    if (handle_ == nullptr) throw error(MPISTREAM_ERR_CHANNEL);
  }

  MPIStream_Channel handle_ = nullptr;
  // States of the channel's streams: elements may arrive for them until the channel is closed.
  std::vector<std::shared_ptr<void>> kept_;
};

/// Rule that selects the consumer of an element: those of MPIStream_Selection that need no key.
enum class selection {
  fixed = MPISTREAM_STATIC,
  round_robin = MPISTREAM_ROUND_ROBIN,
  least_loaded = MPISTREAM_LEAST_LOADED
};

/// A stream of elements of one type, which are copied byte by byte between ranks of the same kind
/// of machine. Its channel must outlive it.
template <class T>
class stream {
  static_assert(std::is_trivially_copyable_v<T>,
                "weir::mpi::stream: elements are copied byte by byte between processes");

 public:
  /// Collective over the channel, in the same order on all its ranks. @throws error
  explicit stream(channel& on, selection rule = selection::fixed)
      : state_(std::make_shared<state>()) {
    on.check_open();
    on.kept_.push_back(state_);
    const detail::byte_type element(sizeof(T));
    const detail::byte_type place(sizeof(state*));
    MPIStream_Operation operation{&stream::take, MPI_OP_NULL};
    // An MPI function carries no state of its own: the local result is the address of the state.
    attaching() = state_.get();
    check(MPIStream_Attach(element.handle(), place.handle(), element.handle(), &operation, &handle_,
                           on.handle()));
    if (rule != selection::fixed)
      check(MPIStream_Set_selection(handle_, static_cast<MPIStream_Selection>(rule), nullptr));
  }
  ~stream() {
    state_->is_wanted = false;
    state_->waiting.clear();
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// Like MPIStream_Send. @throws error
  void send(const T& element) { check(MPIStream_Send(&element, &handle_)); }
  void flush() { check(MPIStream_Flush(&handle_)); }
  void terminate() { check(MPIStream_Terminate(&handle_)); }

  /// Calls `use(const T&)` with each element, until all producers have terminated; then rethrows
  /// the exception that `use` has thrown, if any. Elements that arrive while this rank waits in
  /// another call, such as one for another stream of the channel, are kept for this call.
  /// @throws error
  template <class F>
  void operate(F&& use) {
    const taking now(*state_, use);
    check(MPIStream_Operate(&handle_));
    now.rethrow();
  }
  /// Calls `use` with the elements that have arrived. @return false: there will be no more
  /// @throws error
  template <class F>
  bool operate_some(F&& use) {
    const taking now(*state_, use);
    check(MPIStream_Ioperate(&handle_));
    int is_over = 0;
    check(MPIStream_Over(handle_, &is_over));
    now.rethrow();
    return is_over == 0;
  }

  MPIStream* handle() noexcept { return &handle_; }

 private:
  struct state {
    std::function<void(const T&)> use;
    std::deque<T> waiting;  // elements that arrived while `use` was empty
    std::exception_ptr problem;
    bool is_wanted = true;

    // An exception must not pass through frames of C or MPI.
    void take(const T& element) noexcept {
      if (!is_wanted || problem != nullptr) return;
      try {
        if (use) {
          use(element);
        } else {
          waiting.push_back(element);
        }
      } catch (...) {
        problem = std::current_exception();
      }
    }
  };

  // Installs a function as `use` for its own lifetime.
  class taking {
   public:
    template <class F>
    taking(state& of, F& use) : of_(of) {
      if (of_.use) throw error(MPISTREAM_ERR_CALL);
      of_.use = [&use](const T& element) { use(element); };
      for (; !of_.waiting.empty(); of_.waiting.pop_front()) of_.take(of_.waiting.front());
    }
    ~taking() { of_.use = nullptr; }
    taking(const taking&) = delete;
    taking& operator=(const taking&) = delete;
    void rethrow() const {
      if (const std::exception_ptr problem = std::exchange(of_.problem, nullptr))
        std::rethrow_exception(problem);
    }

   private:
    state& of_;
  };

  static state*& attaching() {
    static state* now = nullptr;
    return now;
  }

  static void take(void* in, void* inout, int* len, MPI_Datatype*) {
    state*& self = *static_cast<state**>(inout);
    if (*len == 0) {
      self = attaching();
    } else {
      self->take(*static_cast<const T*>(in));
    }
  }

  std::shared_ptr<state> state_;
  MPIStream handle_ = nullptr;
};

}  // namespace weir::mpi
