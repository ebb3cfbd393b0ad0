// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of weir networks that are connected to streams of an MPI program: with these a network
// consumes the elements of a running simulation, or produces elements for it.
#pragma once

#include <weir/mpi/stream.hpp>
#include <weir/weir.hpp>

#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace weir::mpi {
namespace detail {

// Serialises calls of MPIStream's functions, which only one thread may call at a time, while
// networks run on many threads. A thread holds it during each call, and waits for nothing then.
inline std::mutex& turn() {
  static std::mutex only;
  return only;
}

class pause {
 public:
  void take() {
    if (++idle_ < 100) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  void reset() noexcept { idle_ = 0; }

 private:
  int idle_ = 0;
};

template <class T>
class stream_source {
 public:
  explicit stream_source(stream<T>& from) : from_(&from) {}

  void run(outlet<T>& out, context& where) {
    std::vector<T> come;
    pause until_more;
    for (bool goes_on = true; goes_on && !where.drain_requested();) {
      {
        const std::lock_guard lock(turn());
        goes_on = from_->operate_some([&](const T& element) { come.push_back(element); });
      }
      if (come.empty()) {
        until_more.take();
      } else {
        until_more.reset();
      }
      for (T& each : come) out.send(std::move(each));
      come.clear();
    }
  }

 private:
  stream<T>* from_;
};

template <class T>
class stream_sink {
 public:
  explicit stream_sink(stream<T>& to) : to_(&to) {}

  void process(T item) {
    begin([&] { return MPIStream_Isend(&item, to_->handle()); });
  }
  void finish() {
    begin([&] { return MPIStream_Iterminate(to_->handle()); });
  }

 private:
  // Begins an operation and tests until it is complete: MPIStream makes progress only in calls.
  template <class F>
  void begin(F act) {
    const auto step = [this](auto what) {
      const std::lock_guard lock(turn());
      check(what());
      int done = 0;
      check(MPIStream_Test(to_->handle(), &done));
      return done != 0;
    };
    bool done = step(act);
    for (pause until_done; !done; done = step([] { return MPI_SUCCESS; })) until_done.take();
  }

  stream<T>* to_;
};

}  // namespace detail

/// A node that emits the elements of `from`, on a rank that consumes, until all its producers have
/// terminated. `from` must outlive the run, and can be run once. A network that is drained or
/// cancelled leaves the remaining elements to the stream's channel. While the network runs, only
/// networks may use MPIStream in this process, and MPI must have been initialised with
/// MPI_THREAD_SERIALIZED at least.
template <class T>
auto source(stream<T>& from) {
  return weir::source(detail::stream_source<T>(from)).blocking();
}

/// A node that streams each item to the consumers of `to`, and terminates this rank's part after
/// the last item. The rules of `source` hold for it, too.
template <class T>
auto sink(stream<T>& to) {
  return weir::node(detail::stream_sink<T>(to)).blocking();
}

}  // namespace weir::mpi
