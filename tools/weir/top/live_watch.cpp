// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/live_watch.hpp"

#include "common/display_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace {

using namespace std::chrono_literals;

constexpr auto time_to_answer = 5s;
constexpr auto time_for_last_words = 1s;
// Time between the first sample and the one that gives the first rates.
constexpr std::chrono::milliseconds first_interval = 250ms;
// A longer silence of the program is shown.
constexpr auto silence = 3s;

}  // namespace

void live_watch::attach(std::unique_ptr<live_connection> to) {
  connection_ = std::move(to);
  connection_->ask();
  std::optional<live_sample> first = connection_->wait_for_sample(time_to_answer);
  if (!first) throw std::runtime_error("the program ended before it answered");
  take(*std::move(first));
}

void live_watch::begin(std::unique_ptr<live_connection> to) {
  connection_ = std::move(to);
  before_.reset();
  latest_.reset();
  ended_ = false;
  asked_at_.reset();
  ask();
  next_look_ = clock::now() + first_interval;
}

bool live_watch::receive() {
  std::optional<live_sample> came = connection_->receive();
  const bool is_new = came.has_value();
  if (came) take(*std::move(came));
  ended_ = connection_->has_ended();
  return is_new || ended_;
}

bool live_watch::look() {
  if (clock::now() < next_look_) return false;
  ask();
  next_look_ = clock::now() + interval_;
  return true;
}

// Asks for a sample, unless an answer is still outstanding.
void live_watch::ask() {
  if (!connection_ || asked_at_) return;
  asked_at_ = clock::now();
  connection_->ask();
}

void live_watch::take(live_sample sample) {
  asked_at_.reset();
  const bool first = !latest_;
  before_ = std::move(latest_);
  latest_ = std::move(sample);
  if (first) next_look_ = clock::now() + std::min(first_interval, interval_);
}

void live_watch::hear_last_words() {
  if (!connection_) return;
  try {
    while (!connection_->has_ended()) {
      std::optional<live_sample> came = connection_->wait_for_sample(time_for_last_words);
      if (!came) break;
      latest_ = std::move(came);
    }
  } catch (const std::exception&) {
    return;
  }
}

std::string live_watch::unanswered() const {
  if (!asked_at_ || clock::now() - *asked_at_ <= silence) return {};
  const double seconds = std::chrono::duration<double>(clock::now() - *asked_at_).count();
  return "the program has not answered for " + short_time(seconds);
}

top_content live_watch::content() const {
  top_content made;
  if (!latest_) return made;
  made.program = latest_->program;
  made.pid = latest_->pid;
  made.cores = latest_->cores;
  made.state = ended_ ? "ended" : silence_of(*latest_);
  made.runs = views_of(*latest_, before_ ? &*before_ : nullptr);
  if (before_ && latest_->at > before_->at) {
    made.cores_used = static_cast<double>((latest_->cpu - before_->cpu).count()) /
                      static_cast<double>((latest_->at - before_->at).count());
  } else if (!made.runs.empty()) {
    made.cores_used = made.runs.front().cores;
  }
  return made;
}

top_content live_watch::last_content() const {
  top_content made;
  if (!latest_) return made;
  made = {.program = latest_->program, .pid = latest_->pid, .state = "ended", .cores = latest_->cores};
  made.runs = views_of(*latest_, nullptr);
  if (!made.runs.empty()) made.cores_used = made.runs.front().cores;
  return made;
}
