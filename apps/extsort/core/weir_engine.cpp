// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/weir.hpp>

#include "engine.hpp"
#include "free_slots.hpp"

#include <algorithm>
#include <optional>

namespace extsort {
namespace {

class by_network final : public engine {
 public:
  explicit by_network(const engine_options& options) : options_(options) {}

  // read | work, a farm
  void stream(std::size_t slots, bool waits, const std::function<bool(std::size_t slot)>& begin,
              const std::function<void(std::size_t worker, std::size_t slot)>& work) override {
    free_slots free(slots);
    const std::stop_callback closes(options_.stop, [&] { free.close(); });
    const auto read = [&]() -> std::optional<std::size_t> {
      const auto slot = waits ? free.take() : free.take_at_once();
      return slot && begin(*slot) ? slot : std::nullopt;
    };
    struct worker {
      free_slots* free;
      const std::function<void(std::size_t worker, std::size_t slot)>* work;
      void process(std::size_t slot, weir::context& at) {
        try {
          (*work)(at.index(), slot);
        } catch (...) {
          free->close();  // for what is waiting for slots that don't come back
          throw;
        }
        free->give_back(slot);
      }
    };
    auto reading = weir::source(read).named("read");
    auto sorting = weir::farm(worker{&free, &work}, options_.workers).on_demand().named("sort");
    if (waits) {
      run(std::move(reading).blocking() | std::move(sorting).blocking());
    } else {
      // On the threads of the workers. None of them may wait for a slot, and there is always one: on_demand() leaves one item with each worker, until it
      // is done, and reading stops once one more is on its way.
      run(std::move(reading) | std::move(sorting));
    }
  }

  void each(std::size_t tasks, std::size_t workers,
            const std::function<void(std::size_t worker, std::size_t task)>& work) override {
    struct worker {
      const std::function<void(std::size_t worker, std::size_t task)>* work;
      void process(std::size_t task, weir::context& at) { (*work)(at.index(), task); }
    };
    run(weir::source([next = std::size_t{0}, tasks]() mutable -> std::optional<std::size_t> {
          return next == tasks ? std::nullopt : std::optional(next++);
        }).named("tasks") |
        weir::farm(worker{&work}, std::min(workers, options_.workers)).on_demand().named("merge"));
  }

  std::size_t slots() const noexcept override { return options_.workers + 1; }
  std::size_t workers() const noexcept override { return options_.workers; }

 private:
  void run(weir::network&& net) {
    weir::run(std::move(net), {.executor = options_.on_threads ? weir::executor::threads : weir::executor::pool,
                               .workers = options_.workers,
                               .pin = options_.pinned ? weir::pinning::on : weir::pinning::off,
                               .stop = options_.stop,
                               .alone = true});
    if (options_.stop.stop_requested()) throw interrupted();
  }

  engine_options options_;
};

}  // namespace

std::unique_ptr<engine> weir_engine(const engine_options& options) { return std::make_unique<by_network>(options); }

}  // namespace extsort
