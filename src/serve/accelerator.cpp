// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/serve/accelerator.hpp"

#include <exception>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace weir::detail {

// The result of the run. The first thread that waits stores it for all threads.
struct open_network::outcome {
  std::mutex mutex;
  std::optional<report> made;
  std::exception_ptr problem;
};

open_network::open_network(network whole, std::shared_ptr<input_end> in, std::shared_ptr<output_end> out,
                           run_options options)
    : network_(std::move(whole)),
      in_(std::move(in)),
      out_(std::move(out)),
      outcome_(std::make_unique<outcome>()),
      run_(start(network_, std::move(options))) {}

open_network::~open_network() { cancel(); }

void open_network::end() noexcept {
  cancel();
  try {
    static_cast<void>(wait());
  } catch (...) {  // the error is still available from failure()
  }
}

report open_network::wait() {
  const std::lock_guard lock(outcome_->mutex);
  if (!outcome_->made && !outcome_->problem) {
    try {
      outcome_->made = run_->wait();
    } catch (...) {
      outcome_->problem = std::current_exception();
    }
  }
  if (outcome_->problem) std::rethrow_exception(outcome_->problem);
  return *outcome_->made;
}

void open_network::cancel() noexcept {
  run_->cancel();
  if (in_) in_->stop();
  if (out_) out_->stop();
}

void open_network::drain() noexcept {
  if (in_) in_->close();
  run_->drain();
}

void throw_moved_from() {
  throw std::logic_error("weir: this accelerator or server was moved from; use the one that it was moved to");
}

void open_network::throw_why() const {
  if (const std::exception_ptr problem = run_->failure()) std::rethrow_exception(problem);
  throw stopped{};
}

}  // namespace weir::detail
