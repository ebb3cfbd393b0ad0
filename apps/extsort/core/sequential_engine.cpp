// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <utility>

namespace extsort {
namespace {

class sequential final : public engine {
 public:
  explicit sequential(std::stop_token stop) : stop_(std::move(stop)) {}

  void stream(std::size_t, std::size_t, bool, const std::function<bool(std::size_t slot)>& begin,
              const std::function<void(std::size_t worker, std::size_t slot)>& work) override {
    while (begin(0)) {
      if (stop_.stop_requested()) throw interrupted();
      work(0, 0);
    }
  }
  void each(std::size_t tasks, std::size_t,
            const std::function<void(std::size_t worker, std::size_t task)>& work) override {
    for (std::size_t i = 0; i != tasks; ++i) {
      if (stop_.stop_requested()) throw interrupted();
      work(0, i);
    }
  }
  std::size_t slots(std::size_t, bool) const noexcept override { return 1; }
  std::size_t workers() const noexcept override { return 1; }

 private:
  std::stop_token stop_;
};

}  // namespace

std::unique_ptr<engine> sequential_engine(std::stop_token stop) {
  return std::make_unique<sequential>(std::move(stop));
}

}  // namespace extsort
