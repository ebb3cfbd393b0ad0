// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <type_traits>

namespace weir_test {

/// Disturbs the order in which threads run: most often does nothing, else spins shortly, yields, or
/// sleeps shortly. Not thread-safe. The decisions follow from the seed; their effect on the threads
/// depends on the machine.
class disturbance {
 public:
  explicit disturbance(unsigned seed) : random_(seed) {}

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }

  void pause() {
    const unsigned kind = below(1000);
    if (kind < 880) return;
    if (kind < 950) {
      for (unsigned left = below(400); left != 0; --left) weir::detail::pause_thread();
    } else if (kind < 997) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(1 + below(200)));
    }
  }

 private:
  std::mt19937 random_;
};

/// Number in an environment variable; `otherwise` if the variable is not set.
inline unsigned from_environment(const char* name, unsigned otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(value, nullptr, 10));
}

/// Runs `round(seed)` with one seed after the other, until a round fails, or returns false if it
/// returns something. `WEIR_STRESS_ROUNDS` replaces the number of rounds `usual`;
/// `WEIR_STRESS_SEED` is the first seed. Each seed is printed before its round, so that the seed of
/// a round that hangs is known.
template <class Round>
void stress(unsigned usual, Round&& round) {
  const unsigned first = from_environment("WEIR_STRESS_SEED", 1);
  const unsigned rounds = from_environment("WEIR_STRESS_ROUNDS", usual);
  for (unsigned seed = first; seed != first + rounds; ++seed) {
    std::cout << "WEIR_STRESS_SEED=" << seed << std::endl;
    SCOPED_TRACE("WEIR_STRESS_SEED=" + std::to_string(seed));
    bool goes_on = true;
    if constexpr (std::is_void_v<decltype(round(seed))>) {
      round(seed);
    } else {
      goes_on = round(seed);
    }
    if (!goes_on || testing::Test::HasFailure()) return;
  }
}

}  // namespace weir_test
