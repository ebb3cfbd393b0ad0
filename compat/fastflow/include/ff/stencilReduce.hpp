// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_STENCILREDUCE_HPP
#define WEIR_FF_STENCILREDUCE_HPP

#include <ff/parallel_for.hpp>

#include <cstddef>
#include <functional>
#include <utility>

namespace ff {

/// Two grids of a stencil, one to read and one to write, and the part of them that it computes.
template <typename T>
class stencilTask {
 public:
  typedef T base_type;

  stencilTask() = default;
  stencilTask(T* in, std::size_t xsize, std::size_t xstart, std::size_t xstop, std::size_t xstep) {
    setInTask(in, xsize);
    setX(xstart, xstop, xstep);
  }
  stencilTask(T* in, std::size_t xsize, std::size_t xstart, std::size_t xstop, std::size_t xstep, std::size_t ysize,
              std::size_t ystart, std::size_t ystop, std::size_t ystep) {
    setInTask(in, xsize, ysize);
    setX(xstart, xstop, xstep);
    setY(ystart, ystop, ystep);
  }

  std::size_t X_start() const { return x_.start; }
  std::size_t X_stop() const { return x_.stop; }
  std::size_t X_step() const { return x_.step; }
  std::size_t Y_start() const { return y_.start; }
  std::size_t Y_stop() const { return y_.stop; }
  std::size_t Y_step() const { return y_.step; }
  std::size_t X_size() const { return x_.size; }
  std::size_t Y_size() const { return y_.size; }
  std::size_t Y_osize() const { return y_of_output_; }
  std::size_t size() const { return x_.size * y_.size; }
  std::size_t bytesize() const { return size() * sizeof(T); }

  void setX(std::size_t start, std::size_t stop, std::size_t step) { x_.set(start, stop, step); }
  void setY(std::size_t start, std::size_t stop, std::size_t step) { y_.set(start, stop, step); }
  void setInTask(T* in, std::size_t xsize, std::size_t ysize = 1) {
    if (in != nullptr) in_ = in;
    x_.size = xsize;
    y_.size = ysize;
  }
  void setOutTask(T* out, std::size_t ysize) {
    if (out != nullptr) out_ = out;
    y_of_output_ = ysize;
  }
  T* getInPtr() const { return in_; }
  T* getOutPtr() const { return out_; }
  void swap() { std::swap(in_, out_); }

 private:
  struct range {
    std::size_t size = 0, start = 0, stop = 0, step = 1;
    void set(std::size_t from, std::size_t to, std::size_t by) { start = from, stop = to, step = by == 0 ? 1 : by; }
  };

  T* in_ = nullptr;
  T* out_ = nullptr;
  range x_, y_;
  std::size_t y_of_output_ = 0;
};

/// Computes one grid from another by a function of each cell, in rounds, with a reduction of each.
/// Between two rounds the grids change their places. Cell (i, j) is at `[i * Xsize + j]`.
///
/// One constructor takes the grids: the pattern runs once. With the other it is a node, whose tasks
/// are of type stencilTask.
template <typename T>
class stencil2D : public ff_node {
 public:
  typedef ParallelForReduce<T> parloop_t;
  typedef std::function<T(std::size_t, std::size_t, void*)> init_F_t;
  typedef std::function<void(parloop_t&, T*, const std::size_t, const std::size_t)> init2_F_t;
  typedef std::function<T(long, long, T*, const std::size_t, const std::size_t, T&)> reduce_F_t;
  typedef std::function<void(parloop_t&, T*, T*, const std::size_t, const std::size_t, const std::size_t,
                             const std::size_t, const std::size_t, const std::size_t, T&)>
      reduce2_F_t;
  typedef std::function<void(T*, const std::size_t, const std::size_t, T&)> prepost_F_t;
  typedef std::function<void(T&, T)> reduceOp_F_t;
  typedef std::function<bool(T, const std::size_t)> iterCond_F_t;

  enum { DEFAULT_STENCIL_CHUNKSIZE = 8 };

  stencil2D(T* in, T* out, std::size_t xsize, std::size_t ysize, std::size_t youtsize, int nw, int /*yradius*/ = 1,
            int /*xradius*/ = 1, bool /*ghostcells*/ = false, std::size_t chunk = DEFAULT_STENCIL_CHUNKSIZE)
      : runs_once_(true), workers_(nw), chunk_(static_cast<long>(chunk)), loops_(nw) {
    grids_.setInTask(in, xsize, ysize);
    grids_.setOutTask(out, youtsize);
  }
  explicit stencil2D(int nw, int /*yradius*/ = 1, int /*xradius*/ = 1, bool /*ghostcells*/ = false,
                     std::size_t chunk = DEFAULT_STENCIL_CHUNKSIZE)
      : runs_once_(false), workers_(nw), chunk_(static_cast<long>(chunk)), loops_(nw) {}

  // Fill the grids at first, if the pattern runs once.
  void initInFunc(init_F_t f, void* extra) { fill_in_ = by_cells(std::move(f), extra); }
  void initInFuncAll(init2_F_t f) { fill_in_ = std::move(f); }
  void initOutFunc(init_F_t f, void* extra) { fill_out_ = by_cells(std::move(f), extra); }
  void initOutFuncAll(init2_F_t f) { fill_out_ = std::move(f); }

  /// Called with the grid to read before each round, and with the grid written after it.
  void preFunc(prepost_F_t f) { before_ = std::move(f); }
  void postFunc(prepost_F_t f) { after_ = std::move(f); }

  /// Sets the function for each cell, and the part that is computed.
  void computeFunc(reduce_F_t f, std::size_t xstart = 0, std::size_t xstop = 0, std::size_t xstep = 1,
                   std::size_t ystart = 0, std::size_t ystop = 0, std::size_t ystep = 1) {
    cell_ = std::move(f);
    set_part(xstart, xstop, xstep, ystart, ystop, ystep);
  }
  /// Sets a function that computes a whole round.
  void computeFuncAll(reduce2_F_t f, std::size_t xstart = 0, std::size_t xstop = 0, std::size_t xstep = 1,
                      std::size_t ystart = 0, std::size_t ystop = 0, std::size_t ystep = 1) {
    round_ = std::move(f);
    set_part(xstart, xstop, xstep, ystart, ystop, ystep);
  }
  /// Sets the reduction. There is another round while `again` says so, but not more than `most`.
  void reduceFunc(iterCond_F_t again, std::size_t most, reduceOp_F_t op, T identity) {
    again_ = std::move(again);
    most_ = most;
    op_ = std::move(op);
    identity_ = identity;
  }

  void swap() { grids_.swap(); }
  std::size_t getIter() const { return rounds_; }
  const T& getReduceVar() const { return reduced_; }

  void* svc(void* task) override {
    if (task != nullptr) grids_ = *static_cast<stencilTask<T>*>(task);
    if (runs_once_ && fill_in_) fill_in_(loops_, grids_.getInPtr(), grids_.X_size(), grids_.Y_size());
    if (runs_once_ && fill_out_) fill_out_(loops_, grids_.getOutPtr(), grids_.X_size(), grids_.Y_size());
    reduced_ = identity_;
    rounds_ = 0;
    do {
      if (rounds_ != 0) swap();
      T* const in = grids_.getInPtr();
      T* const out = grids_.getOutPtr();
      if (before_) before_(in, grids_.X_size(), grids_.Y_size(), reduced_);
      compute(in, out);
      if (after_) after_(out, grids_.X_size(), grids_.Y_size(), reduced_);
    } while (++rounds_ < most_ && (!again_ || again_(reduced_, rounds_)));
    return runs_once_ ? nullptr : task;
  }

  int run_and_wait_end() override {
    if (!runs_once_) return ff_node::run_and_wait_end();
    svc(nullptr);
    return 0;
  }

 private:
  init2_F_t by_cells(init_F_t f, void* extra) {
    return [this, f, extra](parloop_t& loops, T* grid, std::size_t xsize, std::size_t ysize) {
      loops.parallel_for(
          0, static_cast<long>(xsize), 1, chunk_,
          [&](const long i) {
            const auto row = static_cast<std::size_t>(i);
            for (std::size_t j = 0; j != ysize; ++j) grid[row * xsize + j] = f(row, j, extra);
          },
          workers_);
    };
  }

  // A stop of 0 is the end of the grid.
  void set_part(std::size_t xstart, std::size_t xstop, std::size_t xstep, std::size_t ystart, std::size_t ystop,
                std::size_t ystep) {
    grids_.setX(xstart, xstop != 0 ? xstop : grids_.X_size(), xstep);
    grids_.setY(ystart, ystop != 0 ? ystop : grids_.Y_size(), ystep);
  }

  void compute(T* in, T* out) {
    const std::size_t xsize = grids_.X_size();
    const std::size_t ysize = grids_.Y_size();
    if (!cell_) {
      round_(loops_, in, out, xsize, grids_.X_start(), grids_.X_stop(), ysize, grids_.Y_start(), grids_.Y_stop(),
             reduced_);
      return;
    }
    loops_.parallel_reduce(
        reduced_, identity_, static_cast<long>(grids_.X_start()), static_cast<long>(grids_.X_stop()),
        static_cast<long>(grids_.X_step()), chunk_,
        [&](const long i, T& value) {
          for (std::size_t j = grids_.Y_start(); j < grids_.Y_stop(); j += grids_.Y_step())
            out[static_cast<std::size_t>(i) * xsize + j] = cell_(i, static_cast<long>(j), in, xsize, ysize, value);
        },
        op_, workers_);
  }

  const bool runs_once_;
  const long workers_;
  const long chunk_;
  parloop_t loops_;
  stencilTask<T> grids_;
  init2_F_t fill_in_, fill_out_;
  prepost_F_t before_, after_;
  reduce_F_t cell_;
  reduce2_F_t round_;
  iterCond_F_t again_;
  reduceOp_F_t op_ = [](T&, T) {};
  T identity_{};
  T reduced_{};
  std::size_t rounds_ = 0;
  std::size_t most_ = 1;
};

}  // namespace ff

#endif
