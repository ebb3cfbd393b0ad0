// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_POOLEVOLUTION_HPP
#define WEIR_FF_POOLEVOLUTION_HPP

#include <ff/parallel_for.hpp>

#include <utility>
#include <vector>

namespace ff {

/// Evolves a population: selects, evolves what was selected in parallel, and filters, until
/// `termination` says so.
template <typename T, typename env_t = char>
class poolEvolution : public ff_node {
 public:
  typedef env_t envT;
  typedef void (*selection_t)(ParallelForReduce<T>& loops, std::vector<T>& population, std::vector<T>& selected,
                              env_t& env);
  typedef const T& (*evolution_t)(T& individual, const env_t& env, const int thid);
  /// `evolved` is the next population.
  typedef void (*filter_t)(ParallelForReduce<T>& loops, std::vector<T>& population, std::vector<T>& evolved,
                           env_t& env);
  typedef bool (*termination_t)(const std::vector<T>& population, env_t& env);

  poolEvolution(std::size_t maxp, std::vector<T>& population, selection_t selection, evolution_t evolution,
                filter_t filter, termination_t termination, const env_t& env = env_t(), bool spinwait = true)
      : poolEvolution(maxp, selection, evolution, filter, termination, env, spinwait) {
    population_ = &population;
  }
  /// A node of a pipeline, which takes populations and sends them on evolved.
  poolEvolution(std::size_t maxp, selection_t selection, evolution_t evolution, filter_t filter,
                termination_t termination, const env_t& env = env_t(), bool spinwait = true)
      : workers_(static_cast<long>(maxp)),
        evolvers_(workers_),
        loops_(workers_, spinwait),
        env_(env),
        selection_(selection),
        evolution_(evolution),
        filter_(filter),
        termination_(termination) {}

  const std::vector<T>& get_result() const { return *population_; }
  env_t& getEnv() { return env_; }
  const env_t& getEnv() const { return env_; }
  void setEnv(const env_t& env) { env_ = env; }
  /// Sets the number of workers that evolve.
  void setParEvolution(std::size_t workers) {
    if (static_cast<long>(workers) <= workers_) {
      evolvers_ = static_cast<long>(workers);
    } else {
      error("setParEvolution, more workers than the constructor was given\n");
    }
  }

  int run(bool skip_init = false) override {
    if (population_ == nullptr) return ff_node::run(skip_init);
    evolve(*population_);
    return 0;
  }
  int run_and_wait_end() override { return run() < 0 ? -1 : wait(); }
  int wait() override { return population_ == nullptr ? ff_node::wait() : 0; }

  void* svc(void* task) override {
    if (task == nullptr) {
      evolve(*population_);
      return nullptr;
    }
    evolve(*static_cast<std::vector<T>*>(task));
    return task;
  }

 protected:
  void evolve(std::vector<T>& population) {
    std::vector<T> some;
    while (!termination_(population, env_)) {
      some.clear();
      selection_(loops_, population, some, env_);
      loops_.parallel_for_thid(
          0, static_cast<long>(some.size()), 1, 0,
          [&](const long i, const int thid) {
            T& each = some[static_cast<std::size_t>(i)];
            each = evolution_(each, env_, thid);
          },
          evolvers_);
      filter_(loops_, population, some, env_);
      population.swap(some);
    }
  }

 private:
  const long workers_;
  long evolvers_;
  std::vector<T>* population_ = nullptr;
  ParallelForReduce<T> loops_;
  env_t env_;
  const selection_t selection_;
  const evolution_t evolution_;
  const filter_t filter_;
  const termination_t termination_;
};

}  // namespace ff

#endif
