// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <utility>

namespace extsort {
namespace {

class sequential final : public engine {
 public:
  explicit sequential(std::stop_token stop) : stop_(std::move(stop)) {}

  void each(std::size_t tasks, std::size_t,
            const std::function<void(std::size_t worker, std::size_t task)>& work) override {
    for (std::size_t i = 0; i != tasks; ++i) {
      if (stop_.stop_requested()) throw interrupted();
      work(0, i);
    }
  }
  std::size_t chunks(std::size_t, bool) const noexcept override { return 1; }
  std::size_t workers() const noexcept override { return 1; }

 private:
  void run_stream(const chunk_stream<std::any>& of) override {
    while (const std::optional<chunk> next = of.read(of.memory.front())) {
      if (stop_.stop_requested()) throw interrupted();
      of.collect(of.work(0, *next));
    }
    if (of.finish) of.collect(of.finish(0));
  }

  std::stop_token stop_;
};

}  // namespace

std::unique_ptr<engine> sequential_engine(std::stop_token stop) {
  return std::make_unique<sequential>(std::move(stop));
}

}  // namespace extsort
