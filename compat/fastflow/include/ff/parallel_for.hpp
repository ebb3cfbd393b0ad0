// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_PARALLEL_FOR_HPP
#define WEIR_FF_PARALLEL_FOR_HPP

// Parallel loops over [first, last). They run on this thread and on idle workers of weir's pool,
// and start no threads. So they may be nested, and several threads may use one object.
//
// `nw` workers share a loop. Worker i runs on one thread at a time, and its number is the `thid` of
// bodies; there may be more workers than cores. With a grain of 0 each worker has one part of the
// range. With a grain of g, workers take the next |g| indices when they are free, except in the
// functions whose names end with `_static`: those deal out such chunks in turn. Bodies may wait for
// each other, at a barrier for instance: if a loop with more workers than the pool has makes no
// progress for some milliseconds, its other workers get threads.

#include <ff/buffernode.hpp>
#include <ff/detail/pieces.hpp>
#include <ff/farm.hpp>
#include <ff/mapping_utils.hpp>
#include <ff/node.hpp>
#include <ff/spin-lock.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef FF_AUTO
#define FF_AUTO -1
#endif

namespace ff {
namespace detail {

struct loop_of_macro;

/// The indices first, first + step, … before `last`, and who runs them.
struct loop_range {
  long first;
  long last;
  long step;
  long grain;
  bool is_static;
  std::size_t workers;
  loop_watch* watch = nullptr;  ///< null: its workers don't wait for each other

  std::size_t count() const {
    if (step > 0 && last > first) return static_cast<std::size_t>((last - first - 1) / step + 1);
    if (step < 0 && first > last) return static_cast<std::size_t>((first - last - 1) / -step + 1);
    return 0;
  }
  /// The index with this number; for the number `count()`, the end.
  long at(std::size_t number) const {
    const long index = first + static_cast<long>(number) * step;
    return step > 0 ? std::min(index, last) : std::max(index, last);
  }
};

/// Calls `f(begin, end, worker)` with numbers of indices until all have had their turn.
template <class F>
void run_loop(const loop_range& all, F&& f) {
  const std::size_t count = all.count();
  if (count == 0) return;
  const std::size_t workers = std::max<std::size_t>(std::min(all.workers, count), 1);
  const std::size_t chunk = static_cast<std::size_t>(all.grain < 0 ? -all.grain : all.grain);
  if (chunk == 0) {
    run_pieces(workers, all.watch,
               [&](std::size_t worker) { f(count * worker / workers, count * (worker + 1) / workers, worker); });
  } else if (all.is_static) {
    run_pieces(workers, all.watch, [&](std::size_t worker) {
      for (std::size_t begin = worker * chunk; begin < count; begin += workers * chunk)
        f(begin, std::min(begin + chunk, count), worker);
    });
  } else {
    std::atomic<std::size_t> next{0};
    run_pieces(workers, all.watch, [&](std::size_t worker) {
      for (;;) {
        const std::size_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
        if (begin >= count) return;
        f(begin, std::min(begin + chunk, count), worker);
      }
    });
  }
}

template <class F>
void for_each_index(const loop_range& all, F&& f) {
  run_loop(all, [&](std::size_t begin, std::size_t end, std::size_t worker) {
    for (std::size_t i = begin; i != end; ++i) f(all.at(i), static_cast<int>(worker));
  });
}

/// `call(index, worker, value)` adds to the value of its worker. `into` gets all of them.
template <class T, class Call, class Final>
void reduce_loop(const loop_range& all, T& into, const T& identity, Call&& call, Final&& final) {
  struct alignas(CACHE_LINE_SIZE) own_value {
    T value;
  };
  std::vector<own_value> values(std::max<std::size_t>(all.workers, 1), own_value{identity});
  call(all, values);
  for (own_value& each : values) final(into, each.value);
}

}  // namespace detail

/// Parallel loops with a number of workers.
class ParallelFor {
 public:
  explicit ParallelFor(const long maxnw = FF_AUTO, bool /*spinwait*/ = false, bool /*spinbarrier*/ = false)
      : most_(static_cast<std::size_t>(maxnw > 0 ? maxnw : std::max<long>(ff_realNumCores(), 1))),
        watch_(detail::make_loop_watch()) {}

  template <typename Function>
  void parallel_for(long first, long last, const Function& f, const long nw = FF_AUTO) {
    parallel_for(first, last, 1L, 0L, f, nw);
  }
  template <typename Function>
  void parallel_for(long first, long last, long step, const Function& f, const long nw = FF_AUTO) {
    parallel_for(first, last, step, 0L, f, nw);
  }
  template <typename Function>
  void parallel_for(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
    detail::for_each_index(range(first, last, step, grain, false, nw), [&](long i, int) { f(i); });
  }
  /// `f(index, thid)`
  template <typename Function>
  void parallel_for_thid(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
    detail::for_each_index(range(first, last, step, grain, false, nw), [&](long i, int thid) { f(i, thid); });
  }
  /// `f(start, stop, thid)` for parts of the range
  template <typename Function>
  void parallel_for_idx(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
    const detail::loop_range all = range(first, last, step, grain, false, nw);
    detail::run_loop(all, [&](std::size_t begin, std::size_t end, std::size_t worker) {
      f(all.at(begin), all.at(end), static_cast<int>(worker));
    });
  }
  template <typename Function>
  void parallel_for_static(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
    detail::for_each_index(range(first, last, step, grain, true, nw), [&](long i, int) { f(i); });
  }

  /// Called by programs to tune FastFlow's own threads; there are none here.
  void disableScheduler(bool = true) {}
  void threadPause() {}
  void resetskipwarmup() {}
  int getNumWorkers() const { return static_cast<int>(most_); }

 protected:
  friend struct detail::loop_of_macro;

  detail::loop_range range(long first, long last, long step, long grain, bool is_static, long nw) const {
    const std::size_t workers = nw > 0 ? std::min(static_cast<std::size_t>(nw), most_) : most_;
    static std::atomic<bool> said{false};
    if (nw > 0 && static_cast<std::size_t>(nw) > most_ && !said.exchange(true, std::memory_order_relaxed)) {
      error("The number of workers is greater than the maximum allowed (%ld > %zu); it is taken down to that\n", nw,
            most_);
    }
    return {first, last, step, grain, is_static, workers, watch_.get()};
  }

 private:
  std::size_t most_;
  std::shared_ptr<detail::loop_watch> watch_;
};

/// Parallel loops that also reduce. `body` adds to a value of its worker, which begins as
/// `identity`; `final(var, value)` then adds each of these to `var`, which keeps what it was
/// before.
template <typename T>
class ParallelForReduce : public ParallelFor {
 public:
  using ParallelFor::ParallelFor;

  template <typename Function, typename Final>
  void parallel_reduce(T& var, const T& identity, long first, long last, const Function& body, const Final& final,
                       const long nw = FF_AUTO) {
    parallel_reduce(var, identity, first, last, 1L, 0L, body, final, nw);
  }
  template <typename Function, typename Final>
  void parallel_reduce(T& var, const T& identity, long first, long last, long step, const Function& body,
                       const Final& final, const long nw = FF_AUTO) {
    parallel_reduce(var, identity, first, last, step, 0L, body, final, nw);
  }
  template <typename Function, typename Final>
  void parallel_reduce(T& var, const T& identity, long first, long last, long step, long grain, const Function& body,
                       const Final& final, const long nw = FF_AUTO) {
    reduce(range(first, last, step, grain, false, nw), var, identity, final,
           [&](long i, T& value, int) { body(i, value); });
  }
  /// `body(index, value, thid)`
  template <typename Function, typename Final>
  void parallel_reduce_thid(T& var, const T& identity, long first, long last, long step, long grain,
                            const Function& body, const Final& final, const long nw = FF_AUTO) {
    reduce(range(first, last, step, grain, false, nw), var, identity, final,
           [&](long i, T& value, int thid) { body(i, value, thid); });
  }
  /// `body(start, stop, value, thid)` for parts of the range
  template <typename Function, typename Final>
  void parallel_reduce_idx(T& var, const T& identity, long first, long last, long step, long grain,
                           const Function& body, const Final& final, const long nw = FF_AUTO) {
    detail::reduce_loop(
        range(first, last, step, grain, false, nw), var, identity,
        [&](const detail::loop_range& all, auto& values) {
          detail::run_loop(all, [&](std::size_t begin, std::size_t end, std::size_t worker) {
            body(all.at(begin), all.at(end), values[worker].value, static_cast<int>(worker));
          });
        },
        final);
  }
  template <typename Function, typename Final>
  void parallel_reduce_static(T& var, const T& identity, long first, long last, long step, long grain,
                              const Function& body, const Final& final, const long nw = FF_AUTO) {
    reduce(range(first, last, step, grain, true, nw), var, identity, final,
           [&](long i, T& value, int) { body(i, value); });
  }

 private:
  template <typename Body, typename Final>
  static void reduce(const detail::loop_range& all, T& var, const T& identity, const Final& final, Body&& body) {
    detail::reduce_loop(
        all, var, identity,
        [&](const detail::loop_range& range, auto& values) {
          detail::for_each_index(
              range, [&](long i, int thid) { body(i, values[static_cast<std::size_t>(thid)].value, thid); });
        },
        final);
  }
};

/// A parallel loop whose workers hand pieces to one that reduces them, meanwhile.
template <typename T>
class ParallelForPipeReduce : public ParallelFor {
 public:
  using ParallelFor::ParallelFor;

  /// `f(start, stop, thid)`, or `f(start, stop, thid, to)`, in which `to` takes nothing.
  template <typename Function>
  void parallel_for_idx(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
    if constexpr (std::is_invocable_v<const Function&, long, long, int, ff_buffernode&>) {
      ff_buffernode nowhere;
      ParallelFor::parallel_for_idx(
          first, last, step, grain, [&](long start, long stop, int thid) { f(start, stop, thid, nowhere); }, nw);
    } else {
      ParallelFor::parallel_for_idx(first, last, step, grain, f, nw);
    }
  }

  /// `map(start, stop, thid, to)` calls `to.put(piece)`; `reduce(piece)` is called for one at a
  /// time.
  template <typename Map, typename Reduce>
  void parallel_reduce_idx(long first, long last, long step, long grain, const Map& map, const Reduce& reduce,
                           const long nw = FF_AUTO) {
    class reducer final : public ff_buffernode {
     public:
      explicit reducer(const Reduce& reduce) : reduce_(reduce) {}
      bool put(void* piece) override {
        const std::lock_guard lock(mutex_);
        reduce_(static_cast<T>(piece));
        return true;
      }
      bool ff_send_out(void* piece, int = -1, unsigned long = 0, unsigned long = 0) override { return put(piece); }

     private:
      const Reduce& reduce_;
      std::mutex mutex_;
    } to(reduce);
    const detail::loop_range all = range(first, last, step, grain, false, nw);
    detail::run_loop(all, [&](std::size_t begin, std::size_t end, std::size_t worker) {
      map(all.at(begin), all.at(end), static_cast<int>(worker), static_cast<ff_buffernode&>(to));
    });
  }
};

// ---- one loop each ----

template <typename Function>
void parallel_for(long first, long last, const Function& f, const long nw = FF_AUTO) {
  ParallelFor(nw).parallel_for(first, last, f, nw);
}
template <typename Function>
void parallel_for(long first, long last, long step, const Function& f, const long nw = FF_AUTO) {
  ParallelFor(nw).parallel_for(first, last, step, f, nw);
}
template <typename Function>
void parallel_for(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
  ParallelFor(nw).parallel_for(first, last, step, grain, f, nw);
}
template <typename T, typename Function, typename Final>
void parallel_reduce(T& var, const T& identity, long first, long last, const Function& body, const Final& final,
                     const long nw = FF_AUTO) {
  ParallelForReduce<T>(nw).parallel_reduce(var, identity, first, last, body, final, nw);
}
template <typename T, typename Function, typename Final>
void parallel_reduce(T& var, const T& identity, long first, long last, long step, const Function& body,
                     const Final& final, const long nw = FF_AUTO) {
  ParallelForReduce<T>(nw).parallel_reduce(var, identity, first, last, step, body, final, nw);
}
template <typename T, typename Function, typename Final>
void parallel_reduce(T& var, const T& identity, long first, long last, long step, long grain, const Function& body,
                     const Final& final, const long nw = FF_AUTO) {
  ParallelForReduce<T>(nw).parallel_reduce(var, identity, first, last, step, grain, body, final, nw);
}

template <typename Function>
void parallel_for_thid(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
  ParallelFor(nw).parallel_for_thid(first, last, step, grain, f, nw);
}
template <typename Function>
void parallel_for_idx(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
  ParallelFor(nw).parallel_for_idx(first, last, step, grain, f, nw);
}
template <typename Function>
void parallel_for_static(long first, long last, long step, long grain, const Function& f, const long nw = FF_AUTO) {
  ParallelFor(nw).parallel_for_static(first, last, step, grain, f, nw);
}

namespace detail {

// The macros below make it, and `->*` runs it with the body that follows.
struct loop_of_macro {
  ParallelFor& by;
  long first, last, step, grain, nw;
  template <class Body>
  void operator->*(Body&& body) {
    for_each_index(by.range(first, last, step, grain, grain < 0, nw), body);
  }
};

}  // namespace detail
}  // namespace ff

// The macros of older programs. Between the two of a loop stands its body.
// Workers take chunks when they are free if a grain is positive, and in turn if it is negative.
#define PARFOR_DYNAMIC(grain) ((grain) < 0 ? -(grain) : (grain))
#define PARFOR_STATIC(grain) ((grain) > 0 ? -(grain) : (grain))

#define FF_PARFOR_INIT(name, mnw) ::ff::ParallelFor* name = new ::ff::ParallelFor(mnw)
#define FF_PARFOR_DECL(name) ::ff::ParallelFor* name = nullptr
#define FF_PARFOR_ASSIGN(name, mnw) name = new ::ff::ParallelFor(mnw)
#define FF_PARFOR_DONE(name) delete name
#define FF_PARFOR_START(name, idx, begin, end, step, chunk, nw)      \
  ::ff::detail::loop_of_macro{*name, begin, end, step, chunk, nw}->* \
      [&]([[maybe_unused]] const long idx, [[maybe_unused]] const int _ff_thread_id) {
#define FF_PARFOR_STOP(name) \
  }                          \
  ;
#define FF_PARFOR_BEGIN(name, idx, begin, end, step, chunk, nw)               \
  {                                                                           \
    ::ff::ParallelFor name##_loops(nw);                                       \
    ::ff::detail::loop_of_macro{name##_loops, begin, end, step, chunk, nw}->* \
        [&]([[maybe_unused]] const long idx, [[maybe_unused]] const int _ff_thread_id) {
#define FF_PARFOR_END(name) \
  }                         \
  ;                         \
  }

#define FF_PARFORREDUCE_INIT(name, type, mnw) \
  ::ff::ParallelForReduce<type>* name = new ::ff::ParallelForReduce<type>(mnw)
#define FF_PARFORREDUCE_DECL(name, type) ::ff::ParallelForReduce<type>* name = nullptr
#define FF_PARFORREDUCE_ASSIGN(name, type, mnw) name = new ::ff::ParallelForReduce<type>(mnw)
#define FF_PARFORREDUCE_DONE(name) delete name
#define FF_PARFORREDUCE_START(name, var, identity, idx, begin, end, step, chunk, nw)                              \
  {                                                                                                               \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") using name##_type =             \
        ::ff::detail::bare<decltype(var)>;                                                                        \
    name##_type& name##_into = var;                                                                               \
    const name##_type name##_identity = identity;                                                                 \
    const long name##_first = begin, name##_last = end, name##_step = step, name##_grain = chunk, name##_nw = nw; \
    auto* const name##_by = name;                                                                                 \
    const auto name##_body = [&]([[maybe_unused]] const long idx, name##_type& var,                               \
                                 [[maybe_unused]] const int _ff_thread_id) {
#define FF_PARFORREDUCE_F_STOP(name, var, F)                                                                          \
  }                                                                                                                   \
  ;                                                                                                                   \
  name##_by->parallel_reduce_thid(name##_into, name##_identity, name##_first, name##_last, name##_step, name##_grain, \
                                  name##_body, F, name##_nw);                                                         \
  _Pragma("GCC diagnostic pop")                                                                                       \
  }
#define FF_PARFORREDUCE_STOP(name, var, op) \
  FF_PARFORREDUCE_F_STOP(name, var, ([](name##_type& a, const name##_type& b) { a = a op b; }))
#define FF_PARFORREDUCE_BEGIN(name, var, identity, idx, begin, end, step, chunk, nw) \
  {                                                                                  \
    ::ff::ParallelForReduce<::ff::detail::bare<decltype(var)>> name##_loops(nw);     \
    auto* const name = &name##_loops;                                                \
    FF_PARFORREDUCE_START(name, var, identity, idx, begin, end, step, chunk, nw)
#define FF_PARFORREDUCE_END(name, var, op) \
  FF_PARFORREDUCE_STOP(name, var, op)      \
  }
#define FF_PARFORREDUCE_F_END(name, var, F) \
  FF_PARFORREDUCE_F_STOP(name, var, F)      \
  }

#endif
