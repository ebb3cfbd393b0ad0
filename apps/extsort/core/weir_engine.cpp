// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include "engine.hpp"

#include <algorithm>
#include <ranges>

namespace extsort {
namespace {

class by_network final : public engine {
 public:
  explicit by_network(const engine_options& options) : options_(options) {}

  void each(std::size_t tasks, std::size_t workers,
            const std::function<void(std::size_t worker, std::size_t task)>& work) override {
    struct worker {
      const std::function<void(std::size_t worker, std::size_t task)>* work;
      void process(std::size_t task, weir::context& at) { (*work)(at.index(), task); }
    };
    run(weir::from(std::views::iota(std::size_t{0}, tasks)).named("tasks") |
        weir::farm(worker{&work}, std::min(workers, options_.workers)).on_demand().named("merge"));
  }

  std::size_t chunks(std::size_t workers, bool waits) const noexcept override {
    return std::min(workers, options_.workers) + (waits ? 1 : 0);
  }
  std::size_t workers() const noexcept override { return options_.workers; }

 private:
  void run_stream(const chunk_stream<std::any>& of) override {
    using memory = std::span<std::byte>;
    const auto read = [&of, is_at_end = false](memory free, weir::outlet<chunk>& full) mutable {
      if (is_at_end) return;
      std::optional<chunk> next = of.read(free);
      is_at_end = !next;
      if (next) full.send(*next);
    };
    struct worker {
      const chunk_stream<std::any>* of;
      void process(const chunk& full, weir::outlet<std::any>& made, weir::outlet<memory>& free, weir::context& at) {
        made.send(of->work(at.index(), full));
        free.send(full.memory);
      }
      void finish(weir::outlet<std::any>& made, weir::outlet<memory>&, weir::context& at) {
        if (of->finish) made.send(of->finish(at.index()));
      }
    };
    auto reading = weir::node(read).named("read");
    auto sorting = weir::farm(worker{&of}, std::min(of.workers, options_.workers)).on_demand().named("sort");
    if (of.waits) {
      reading = reading.blocking();
      sorting = sorting.blocking();
    }
    run(weir::from(of.memory).named("memory") | weir::feedback(reading | sorting) |
        weir::sink([&of](std::any made) { of.collect(std::move(made)); }).named("collect"));
  }

  void run(weir::network&& net) {
    try {
      const weir::report done =
          weir::run(std::move(net), {.executor = options_.on_threads ? weir::executor::threads : weir::executor::pool,
                                     .workers = options_.workers,
                                     .pin = options_.pinned ? weir::pinning::on : weir::pinning::off,
                                     .stop = options_.stop,
                                     .alone = true});
      if (options_.told) options_.told(done);
    } catch (const weir::node_error& error) {
      error.rethrow_nested();  // callers do not know of nodes
    }
    if (options_.stop.stop_requested()) throw interrupted();
  }

  engine_options options_;
};

}  // namespace

std::unique_ptr<engine> weir_engine(const engine_options& options) { return std::make_unique<by_network>(options); }

}  // namespace extsort
