// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine.hpp"

#include <weir/weir.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

namespace extsort {
namespace {

// Parameters: number of workers, whether items come from a disk, and whether each node has a
// thread.
class weir_stream : public testing::TestWithParam<std::tuple<std::size_t, bool, bool>> {
 protected:
  static constexpr std::size_t items = 500;

  std::unique_ptr<engine> make(std::stop_token stop = {}) const {
    return weir_engine({.workers = std::get<0>(GetParam()), .on_threads = std::get<2>(GetParam()), .stop = stop});
  }
  bool waits() const { return std::get<1>(GetParam()); }
};

TEST_P(weir_stream, gives_each_item_a_slot_that_nothing_is_in) {
  const auto by = make();
  std::vector<std::atomic<std::size_t>> in(by->slots(by->workers(), waits()));  // number of the item + 1; 0: none
  std::vector<std::atomic<int>> busy(by->workers()), done(items);
  std::size_t next = 0;
  std::atomic<int> wrong = 0;
  by->stream(
      by->workers(), by->slots(by->workers(), waits()), waits(),
      [&](std::size_t slot) {
        if (next == items) return false;
        if (in[slot].exchange(++next) != 0) ++wrong;
        return true;
      },
      [&](std::size_t worker, std::size_t slot) {
        if (busy[worker]++ != 0) ++wrong;
        ++done[in[slot].exchange(0) - 1];
        --busy[worker];
      });
  EXPECT_EQ(wrong, 0);
  for (const auto& each : done) EXPECT_EQ(each, 1);
}

std::string failure_of(engine& by, bool waits, std::size_t reading_fails_at, std::size_t working_fails_at) {
  std::size_t begun = 0;
  std::atomic<std::size_t> worked = 0;
  try {
    by.stream(
        by.workers(), by.slots(by.workers(), waits), waits,
        [&](std::size_t) {
          if (begun++ == reading_fails_at) throw std::runtime_error("reading");
          return true;
        },
        [&](std::size_t, std::size_t) {
          if (worked++ == working_fails_at) throw std::runtime_error("working");
        });
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_P(weir_stream, ends_where_reading_fails) {
  for (const std::size_t at : {0, 1, 2, 50}) EXPECT_EQ(failure_of(*make(), waits(), at, items), "reading") << at;
}

TEST_P(weir_stream, ends_where_working_fails) {
  constexpr std::size_t never = 1'000'000;
  for (const std::size_t at : {0, 1, 2, 50}) EXPECT_EQ(failure_of(*make(), waits(), never, at), "working") << at;
}

// A caller that interrupts a sort expects exactly this error, not one that wraps it.
TEST_P(weir_stream, throws_what_was_thrown) {
  const auto fail = [](std::size_t, std::size_t) { throw interrupted(); };
  const auto by = make();
  EXPECT_THROW(by->stream(
                   by->workers(), by->slots(by->workers(), waits()), waits(), [](std::size_t) { return true; }, fail),
               interrupted);
  EXPECT_THROW(by->each(3, by->workers(), fail), interrupted);
}

TEST_P(weir_stream, ends_when_it_is_stopped) {
  for (const std::size_t at : {0, 1, 2, 50}) {
    std::stop_source stop;
    const auto by = make(stop.get_token());
    std::atomic<std::size_t> worked = 0;
    const auto work = [&](std::size_t, std::size_t) {
      if (worked++ == at) stop.request_stop();
    };
    EXPECT_THROW(by->stream(
                     by->workers(), by->slots(by->workers(), waits()), waits(), [](std::size_t) { return true; }, work),
                 interrupted);
  }
}

INSTANTIATE_TEST_SUITE_P(with, weir_stream,
                         testing::Combine(testing::Values(1, 2, 3, 8), testing::Bool(), testing::Bool()),
                         [](const auto& which) {
                           return std::to_string(std::get<0>(which.param)) + "_workers" +
                                  (std::get<1>(which.param) ? "_from_disk" : "_from_memory") +
                                  (std::get<2>(which.param) ? "_on_threads" : "");
                         });

}  // namespace
}  // namespace extsort
