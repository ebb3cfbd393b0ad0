// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/patterns/parallel_for.hpp"
#include "weir/patterns/random_engine.hpp"
#include "weir/run/fork_join.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// Options of `evolve` and `evolution`.
struct evolve_options {
  /// Seed of all random engines.
  std::uint64_t seed = 0;
  std::size_t max_generations = std::numeric_limits<std::size_t>::max();
  /// How the selected individuals are distributed. The stop token is also checked before each
  /// generation.
  parallel_options parallel = {};
};

namespace detail {

// Calls `f` with the arguments, and with a random engine as the last argument if `f` takes one.
template <class F, class... Arguments>
concept callable_with_random = std::invocable<F&, Arguments...> || std::invocable<F&, Arguments..., random_engine&>;

template <class F, class... Arguments>
decltype(auto) call_with_random(F& f, random_engine random, Arguments&&... arguments) {
  if constexpr (std::invocable<F&, Arguments..., random_engine&>) {
    return std::invoke(f, std::forward<Arguments>(arguments)..., random);
  } else {
    return std::invoke(f, std::forward<Arguments>(arguments)...);
  }
}

[[noreturn]] inline void refuse_selection(std::size_t index, std::size_t size) {
  throw std::out_of_range("weir: evolve: individual " + std::to_string(index) + " was selected of a population of " +
                          std::to_string(size) + "; select indices below its size");
}

// Returns the selected individuals, or copies of the individuals with the selected indices.
template <class Individual>
std::vector<Individual> selected_of(const std::vector<Individual>&, std::vector<Individual> selected) {
  return selected;
}
template <class Individual>
  requires(!std::same_as<Individual, std::size_t>)
std::vector<Individual> selected_of(const std::vector<Individual>& population,
                                    const std::vector<std::size_t>& indices) {
  std::vector<Individual> selected;
  selected.reserve(indices.size());
  for (const std::size_t i : indices) {
    if (i >= population.size()) refuse_selection(i, population.size());
    selected.push_back(population[i]);
  }
  return selected;
}

}  // namespace detail

/// Evolves a population, a `std::vector<Individual>`, in place, generation by generation. Returns
/// the number of generations.
///
///     terminate(const population&, generation) -> bool   called before each generation; the first has number 0
///     select(const population&) -> population            the individuals to evolve, or a std::vector<std::size_t> of
///                                                        their indices
///     evolve(Individual&)                                called in parallel, once for a copy of each selected one
///     filter(population&, population& evolved)           makes the next population from this one and the evolved ones
///
/// `select`, `evolve` and `filter` may take a `random_engine&` as an additional, last parameter.
/// Each call gets its own engine, which depends on the seed, the generation, and for `evolve` the
/// number of the individual among the selected. Therefore the result does not depend on the number
/// of workers. `evolve` is called at the same time for different individuals, in no order, on this
/// thread and on idle workers of the pool. The other functions are called on this thread, and may
/// use parallel loops themselves. If `Individual` is std::size_t, the result of `select` is a
/// population. May be used within a node's `process`; for a node, see `evolution`. Cost: in each
/// generation as parallel_for over the selected, and some nanoseconds for each random engine.
/// @throws the first exception of one of the four functions; std::out_of_range if there is no
/// individual with a selected index; `stopped` as parallel_for. The population is then as the last
/// `filter` left it
///
/// Source: FastFlow's poolEvolution; M. Aldinucci et al., Pool Evolution: A Parallel Pattern for
/// Evolutionary and Symbolic Computing, 2016.
template <class Individual, class Select, class Evolve, class Filter, class Terminate>
std::size_t evolve(std::vector<Individual>& population, Select&& select, Evolve&& evolve, Filter&& filter,
                   Terminate&& terminate, const evolve_options& options = {}) {
  using individuals = std::vector<Individual>;
  static_assert(detail::callable_with_random<Select, const individuals&>,
                "weir: select takes a const std::vector<Individual>&, and perhaps a weir::random_engine&");
  static_assert(detail::callable_with_random<Evolve, Individual&>,
                "weir: evolve takes an Individual&, and perhaps a weir::random_engine&");
  static_assert(detail::callable_with_random<Filter, individuals&, individuals&>,
                "weir: filter takes two std::vector<Individual>&, and perhaps a weir::random_engine&");
  static_assert(std::predicate<Terminate&, const individuals&, std::size_t>,
                "weir: terminate takes a const std::vector<Individual>& and the generation, and returns a bool");
  enum part : std::uint64_t { selecting, evolving, filtering };

  std::size_t generation = 0;
  for (; generation != options.max_generations && !std::invoke(terminate, std::as_const(population), generation);
       ++generation) {
    fork_join(1, [](std::size_t, std::size_t) {});  // throws if the run around this call ends
    const auto random = [&](part of, std::size_t i) { return random_engine(options.seed, generation, of, i); };
    individuals selected = detail::selected_of<Individual>(
        population, detail::call_with_random(select, random(selecting, 0), std::as_const(population)));
    parallel_for(
        std::size_t{0}, selected.size(),
        [&](std::size_t i) { detail::call_with_random(evolve, random(evolving, i), selected[i]); }, options.parallel);
    detail::call_with_random(filter, random(filtering, 0), population, selected);
  }
  return generation;
}

/// A node that applies `evolve` to each population that it receives, and sends the evolved
/// population. Every population starts with the same seed, so the result does not depend on the
/// copy of the node that gets it.
///
///     weir::from(islands) | weir::farm(weir::evolution<genome>(select, mutate, replace, enough)) | weir::collect(best)
template <class Individual, class Select, class Evolve, class Filter, class Terminate>
block<std::vector<Individual>, std::vector<Individual>> evolution(Select select, Evolve evolve, Filter filter,
                                                                  Terminate terminate, evolve_options options = {}) {
  return node([=](std::vector<Individual> population) mutable {
           weir::evolve(population, select, evolve, filter, terminate, options);
           return population;
         })
      .named("evolution");
}

}  // namespace weir
