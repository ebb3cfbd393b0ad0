// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/group_traffic.hpp"

#include "common/display_text.hpp"
#include "support/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace {

// Whether this process is in the background, where the system stops a process that reads the
// terminal.
bool in_background() noexcept { return ::isatty(STDIN_FILENO) != 0 && ::tcgetpgrp(STDIN_FILENO) != ::getpgrp(); }

}  // namespace

group_traffic::group_traffic(const std::vector<weir::group_configuration>& groups, line_prefix prefix, std::string logs,
                             std::function<bool()> silenced)
    : groups_(groups),
      logs_(std::move(logs)),
      prefix_(prefix),
      silenced_(std::move(silenced)),
      output_(STDOUT_FILENO, "standard output", failure_),
      error_(STDERR_FILENO, "standard error", failure_),
      said_(STDERR_FILENO, "standard error", nobody_to_tell_) {}

void group_traffic::say(const std::string& line) {
  said_.add(weir::support::complaint("weir run", line));
  said_.write();
}

void group_traffic::drop() {
  output_.drop();
  error_.drop();
}

void group_traffic::take_what_fits() {
  output_.take_what_fits();
  error_.take_what_fits();
}

std::string group_traffic::prefix_of(const weir::group_configuration& group, int stream) const {
  const bool on_terminal = ::isatty(stream) != 0;
  if (prefix_ == line_prefix::never || (prefix_ == line_prefix::on_terminal && !on_terminal)) return {};
  std::size_t widest = 0;
  for (const auto& each : groups_) widest = std::max(widest, each.name.size());
  const auto number = static_cast<std::size_t>(&group - groups_.data());
  const std::string code = "3" + std::to_string(1 + number % 6);
  return painted("[" + group.name + "]" + std::string(widest - group.name.size() + 1, ' '), code.c_str(),
                 style_of_the_environment(on_terminal));
}

group_output& group_traffic::output_of(const weir::group_configuration& group, bool is_error) {
  standard_stream& to = is_error ? error_ : output_;
  auto log = std::make_unique<group_log>(logs_, group.name + (is_error ? ".err" : ".out"), failure_);
  outputs_.push_back(std::make_unique<group_output>(to, prefix_of(group, to.number()), std::move(log), silenced_));
  return *outputs_.back();
}

const read_pipe& group_traffic::add(std::unique_ptr<read_pipe> from) {
  pipes_.push_back(std::move(from));
  return *pipes_.back();
}

void group_traffic::add(std::unique_ptr<input_pipe> to, const read_pipe* prints) {
  if (prints == nullptr) to->follow();
  inputs_.push_back({std::move(to), prints});
}

void group_traffic::wait(int news) {
  std::vector<pollfd> watched{{news, POLLIN, 0}};
  std::vector<read_pipe*> open;
  for (const auto& each : pipes_) {
    if (!each->open() || each->held_up()) continue;
    watched.push_back({each->number(), POLLIN, 0});
    open.push_back(each.get());
  }
  const std::size_t first_input = watched.size();
  std::vector<input_pipe*> writing;
  for (auto& [to, prints] : inputs_) {
    if (!to->open()) continue;
    if (!to->full() && !to->follows() && prints->begun()) to->follow();
    if (!to->full() && !to->follows()) continue;
    if (to->full()) {
      watched.push_back({to->number(), POLLOUT, 0});
    } else if (in_background()) {
      continue;
    } else {
      watched.push_back({STDIN_FILENO, POLLIN, 0});
    }
    writing.push_back(to.get());
  }
  for (const standard_stream* each : {&output_, &error_, &said_}) {
    if (each->waiting()) watched.push_back({each->number(), POLLOUT, 0});
  }
  ::poll(watched.data(), watched.size(), 100);
  for (std::size_t i = 0; i != open.size(); ++i) {
    if (watched[i + 1].revents != 0) open[i]->pass_on();
  }
  for (std::size_t i = 0; i != writing.size(); ++i) {
    if (watched[first_input + i].revents == 0) continue;
    if (writing[i]->full()) {
      writing[i]->write();
    } else {
      writing[i]->read();
      if (const std::string& why = writing[i]->problem(); !why.empty() && !failure_.happened())
        failure_.what = "can't read standard input: " + why;
    }
  }
  output_.write();
  error_.write();
  said_.write();
}

void group_traffic::read_last_words() {
  using clock = std::chrono::steady_clock;
  const clock::time_point until = clock::now() + last_words;
  while (clock::now() < until && std::ranges::any_of(pipes_, [](const auto& each) { return each->open(); })) wait();
}

void group_traffic::end() {
  // The processes have ended, and no more is left than their pipes hold. Reading it must not wait
  // for a slow reader of our output.
  output_.take_all();
  error_.take_all();
  read_last_words();
  for (const auto& each : pipes_) {
    if (each->open()) each->end();
  }
  for (const auto& each : outputs_) each->end_log();
}
