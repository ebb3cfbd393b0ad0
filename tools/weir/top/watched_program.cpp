// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/watched_program.hpp"

#include "weir/detail/run/live_view.hpp"

#include "support/output.hpp"
#include "top/live_programs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace {

constexpr std::size_t output_lines = 3;

}  // namespace

private_folder::private_folder() : path_(weir::detail::live_view_folder() + "/top-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::runtime_error("can't make a folder like " + path_ + ": " + std::strerror(errno));
  }
}

private_folder::~private_folder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

watched_program::watched_program(const std::vector<std::string>& program, const sigset_t& mask, terminal_of whose)
    : name_(program.front()) {
  const bool taken = whose == terminal_of::view;
  const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::setenv("WEIR_TOP", folder_->path().c_str(), 1);
  for (const int each : {STDOUT_FILENO, STDERR_FILENO}) {
    if (taken && ::isatty(each) != 0) shown_on_ = shown_on_ < 0 ? each : shown_on_;
  }
  if (shown_on_ >= 0) kept_.emplace();
  const auto kept = [&](int stream) { return taken && ::isatty(stream) != 0 ? kept_->written_to() : -1; };
  try {
    // Two programs can't read the terminal at the same time.
    pid_ = start_program(program,
                         {.input = taken && ::isatty(STDIN_FILENO) != 0 ? *nothing : -1,
                          .output = kept(STDOUT_FILENO),
                          .error = kept(STDERR_FILENO)},
                         mask);
  } catch (const cannot_start& why) {
    throw std::runtime_error(explained(why, name_));
  }
}

void watched_program::look_whether_it_ended() {
  int status = 0;
  if (!end_ && ::waitpid(pid_, &status, WNOHANG) == pid_) end_ = end_of(status);
}

void watched_program::pass_on(int signal) const {
  if (!end_) ::kill(pid_, signal);
}

int watched_program::exit_code(int asked) const {
  if (end_->signal == 0) return end_->code;
  if (end_->signal == asked) throw interrupted(asked);
  weir::support::complain("weir top",
                          fmt::format("{} was ended by signal {} ({})", name_, end_->signal, end_->signal_name()));
  return 128 + end_->signal;
}

std::unique_ptr<live_connection> watched_program::connect() {
  for (const std::string& socket : sockets_in(folder_->path())) {
    if (known_.contains(socket)) continue;
    try {
      auto made = std::make_unique<live_connection>(socket);
      known_.insert(socket);
      return made;
    } catch (const not_reached&) {
      continue;
    }
  }
  return nullptr;
}

std::vector<std::string> watched_program::last_lines() const {
  return kept_ ? kept_->last_lines(output_lines) : std::vector<std::string>();
}

void watched_program::show_output() {
  if (kept_) kept_->pass_on(shown_on_);
}

pollfd watched_program::show_some_output() {
  const bool all = !kept_ || kept_->pass_on(weir::support::unhurried_stream(shown_on_));
  return {all ? -1 : shown_on_, POLLOUT, 0};
}
