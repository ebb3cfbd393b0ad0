// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/weir.hpp>

#include "engine.hpp"

#include <algorithm>
#include <optional>

namespace extsort {
namespace {

// A source of the numbers of slots, or of tasks.
auto numbers(std::size_t count) {
  return weir::source([next = std::size_t{0}, count]() mutable -> std::optional<std::size_t> {
           return next == count ? std::nullopt : std::optional(next++);
         })
      .named("numbers");
}

class by_network final : public engine {
 public:
  explicit by_network(const engine_options& options) : options_(options) {}

  // Slots circulate: they are free on the way to `read`, and full on the way to `sort`.
  void stream(std::size_t workers, std::size_t slots, bool waits, const std::function<bool(std::size_t slot)>& begin,
              const std::function<void(std::size_t worker, std::size_t slot)>& work) override {
    const auto read = [&begin, is_at_end = false](std::size_t slot, weir::outlet<std::size_t>& full) mutable {
      is_at_end = is_at_end || !begin(slot);
      if (!is_at_end) full.send(slot);
    };
    struct worker {
      const std::function<void(std::size_t worker, std::size_t slot)>* work;
      void process(std::size_t slot, weir::outlet<std::size_t>& empty, weir::context& at) {
        (*work)(at.index(), slot);
        empty.send(slot);
      }
    };
    auto reading = weir::node(read).named("read");
    auto sorting = weir::farm(worker{&work}, std::min(workers, options_.workers)).on_demand().named("sort");
    if (waits) {
      run(numbers(slots) | weir::feedback(std::move(reading).blocking() | std::move(sorting).blocking()));
    } else {
      run(numbers(slots) | weir::feedback(std::move(reading) | std::move(sorting)));
    }
  }

  void each(std::size_t tasks, std::size_t workers,
            const std::function<void(std::size_t worker, std::size_t task)>& work) override {
    struct worker {
      const std::function<void(std::size_t worker, std::size_t task)>* work;
      void process(std::size_t task, weir::context& at) { (*work)(at.index(), task); }
    };
    run(numbers(tasks) | weir::farm(worker{&work}, std::min(workers, options_.workers)).on_demand().named("merge"));
  }

  std::size_t slots(std::size_t workers, bool waits) const noexcept override {
    return std::min(workers, options_.workers) + (waits ? 1 : 0);
  }
  std::size_t workers() const noexcept override { return options_.workers; }

 private:
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
