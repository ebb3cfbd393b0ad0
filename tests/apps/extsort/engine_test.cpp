// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine.hpp"

#include <weir/weir.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace extsort {
namespace {

enum class engine_kind { seq, openmp, weir, weir_on_threads };

struct variant {
  engine_kind kind;
  std::size_t workers = 1;
  bool waits = false;  // whether chunks come from a disk
};

/// Each test runs with each engine.
class stream : public testing::TestWithParam<variant> {
 protected:
  static constexpr std::size_t chunks = 500;
  using numbers = chunk_stream<std::uint64_t>;

  std::unique_ptr<engine> make(const std::stop_token& stop = {}) const {
    const auto [kind, workers, waits] = GetParam();
    if (kind == engine_kind::seq) return sequential_engine(stop);
    if (kind == engine_kind::openmp) return openmp_engine(workers, stop);
    return weir_engine({.workers = workers, .on_threads = kind == engine_kind::weir_on_threads, .stop = stop});
  }
  // Returns a stream that never ends, and does nothing.
  numbers endless(const engine& by) {
    memory_.resize(by.chunks(by.workers(), GetParam().waits));
    numbers made{
        .workers = by.workers(), .waits = GetParam().waits, .memory = {}, .read = {}, .work = {}, .collect = {}};
    for (std::byte& each : memory_) made.memory.emplace_back(&each, 1);
    made.read = [](std::span<std::byte> free) { return std::optional(of_number(0, free)); };
    made.work = [](std::size_t, const chunk& of) { return of.number; };
    made.collect = [](std::uint64_t) {};
    return made;
  }
  static chunk of_number(std::uint64_t number, std::span<std::byte> memory) {
    chunk made;
    made.number = number;
    made.memory = memory;
    return made;
  }
  std::string failure_of(const std::function<void(numbers&)>& change) {
    const auto by = make();
    numbers of = endless(*by);
    change(of);
    try {
      by->stream(of);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  std::vector<std::byte> memory_;
};

TEST_P(stream, gives_each_chunk_memory_of_its_own_and_collects_all_results) {
  const auto by = make();
  numbers of = endless(*by);
  std::vector<std::atomic<int>> uses(memory_.size()), busy(by->workers());
  std::vector<int> results(chunks + by->workers());
  std::vector<bool> has_finished(by->workers());
  std::uint64_t next = 0;
  std::atomic<int> wrong = 0;
  const auto use_of = [&](std::span<std::byte> some) -> std::atomic<int>& {
    return uses[static_cast<std::size_t>(some.data() - memory_.data())];
  };
  of.read = [&](std::span<std::byte> free) -> std::optional<chunk> {
    if (next == chunks) return std::nullopt;
    if (use_of(free)++ != 0) ++wrong;
    return of_number(next++, free);
  };
  of.work = [&](std::size_t worker, const chunk& some) {
    if (busy[worker]++ != 0) ++wrong;
    --use_of(some.memory);
    --busy[worker];
    return some.number;
  };
  of.finish = [&](std::size_t worker) {
    if (busy[worker]++ != 0) ++wrong;  // no call of `work` follows
    return chunks + worker;
  };
  of.collect = [&](std::uint64_t made) { ++results[made]; };
  by->stream(of);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(results, std::vector<int>(results.size(), 1));
}

TEST_P(stream, collects_results_of_a_worker_in_their_order) {
  const auto by = make();
  chunk_stream<std::pair<std::size_t, std::uint64_t>> of{
      .workers = by->workers(), .waits = GetParam().waits, .memory = {}, .read = {}, .work = {}, .collect = {}};
  of.memory = endless(*by).memory;
  std::uint64_t next = 0;
  std::vector<std::uint64_t> made(by->workers()), collected(by->workers());
  int wrong = 0;
  of.read = [&](std::span<std::byte> free) {
    return next++ == chunks ? std::nullopt : std::optional(of_number(0, free));
  };
  of.work = [&](std::size_t worker, const chunk&) { return std::pair(worker, made[worker]++); };
  of.collect = [&](const std::pair<std::size_t, std::uint64_t>& of_worker) {
    if (collected[of_worker.first]++ != of_worker.second) ++wrong;
  };
  by->stream(of);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(collected, made);
}

constexpr std::array<std::size_t, 4> places{0, 1, 2, 50};

TEST_P(stream, ends_where_reading_fails) {
  for (const std::size_t at : places) {
    std::size_t begun = 0;
    const std::string said = failure_of([&](numbers& of) {
      of.read = [&](std::span<std::byte> free) {
        if (begun++ == at) throw std::runtime_error("reading");
        return std::optional(of_number(0, free));
      };
    });
    EXPECT_EQ(said, "reading") << at;
  }
}

TEST_P(stream, ends_where_working_fails) {
  for (const std::size_t at : places) {
    std::atomic<std::size_t> worked = 0;
    const std::string said = failure_of([&](numbers& of) {
      of.work = [&](std::size_t, const chunk&) -> std::uint64_t {
        if (worked++ == at) throw std::runtime_error("working");
        return 0;
      };
    });
    EXPECT_EQ(said, "working") << at;
  }
}

TEST_P(stream, ends_where_collecting_fails) {
  for (const std::size_t at : places) {
    std::size_t collected = 0;
    const std::string said = failure_of([&](numbers& of) {
      of.collect = [&](std::uint64_t) {
        if (collected++ == at) throw std::runtime_error("collecting");
      };
    });
    EXPECT_EQ(said, "collecting") << at;
  }
}

TEST_P(stream, ends_where_finishing_fails) {
  const std::string said = failure_of([&](numbers& of) {
    of.read = [](std::span<std::byte>) -> std::optional<chunk> { return std::nullopt; };
    of.finish = [](std::size_t) -> std::uint64_t { throw std::runtime_error("finishing"); };
  });
  EXPECT_EQ(said, "finishing");
}

// A caller that interrupts a sort expects exactly this error, not one that wraps it.
TEST_P(stream, throws_what_was_thrown) {
  const auto by = make();
  numbers of = endless(*by);
  of.work = [](std::size_t, const chunk&) -> std::uint64_t { throw interrupted(); };
  EXPECT_THROW(by->stream(of), interrupted);
  EXPECT_THROW(by->each(3, by->workers(), [](std::size_t, std::size_t) { throw interrupted(); }), interrupted);
}

TEST_P(stream, ends_when_it_is_stopped) {
  for (const std::size_t at : places) {
    std::stop_source stop;
    const auto by = make(stop.get_token());
    numbers of = endless(*by);
    std::atomic<std::size_t> worked = 0;
    of.work = [&](std::size_t, const chunk&) -> std::uint64_t {
      if (worked++ == at) stop.request_stop();
      return 0;
    };
    EXPECT_THROW(by->stream(of), interrupted);
  }
}

std::vector<variant> variants() {
  std::vector<variant> made{{engine_kind::seq}};
  for (const std::size_t workers : {1, 2, 3, 8}) {
    made.push_back({engine_kind::openmp, workers});
    for (const engine_kind kind : {engine_kind::weir, engine_kind::weir_on_threads}) {
      for (const bool waits : {false, true}) made.push_back({kind, workers, waits});
    }
  }
  return made;
}

std::string name_of(const testing::TestParamInfo<variant>& which) {
  const auto [kind, workers, waits] = which.param;
  if (kind == engine_kind::seq) return "seq";
  const std::string name = (kind == engine_kind::openmp ? "openmp_" : "weir_") + std::to_string(workers);
  return name + (waits ? "_from_disk" : "_from_memory") + (kind == engine_kind::weir_on_threads ? "_on_threads" : "");
}

INSTANTIATE_TEST_SUITE_P(with, stream, testing::ValuesIn(variants()), name_of);

}  // namespace
}  // namespace extsort
