// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "web/web_session.hpp"

#include "common/process.hpp"
#include "support/output.hpp"
#include "top/live_programs.hpp"
#include "top/live_watch.hpp"
#include "top/page_address.hpp"
#include "top/top_formats.hpp"
#include "top/watched_program.hpp"
#include "web/page_state.hpp"
#include "web/web_server.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto between_looks_for_it = 50ms;
constexpr std::string_view no_metrics = "# EOF\n";

/// One page about a program, which this process has started or not.
class session {
 public:
  session(std::chrono::milliseconds interval, const page_address& at)
      : signals_(::signalfd(-1, &held_.set(), SFD_CLOEXEC | SFD_NONBLOCK)),
        interval_(interval),
        watch_(interval),
        at_(at),
        server_(at) {}

  void attach(std::unique_ptr<live_connection> to) { watch_.attach(std::move(to)); }

  void start(const std::vector<std::string>& program) {
    program_.emplace(program, held_.before(), terminal_of::program);
  }

  void serve() {
    publish();
    server_.start();
    if (!at_.is_loopback()) {
      weir::support::complain("weir top", fmt::format("warning: the page is not encrypted; others on the network of {} "
                                                      "may read it, and its address, on the way",
                                                      at_.ip));
    }
    weir::support::complain("weir top", "the page is " + server_.url());
    while (!is_over()) wait_and_handle();
    if (!program_ && asked_ != 0) throw interrupted(asked_);
    watch_.hear_last_words();
    state_.last = true;
    publish();
  }

  int exit_code() const { return program_->exit_code(asked_); }

 private:
  bool is_over() const {
    if (program_) return program_->has_ended();
    return asked_ != 0 || watch_.has_ended();
  }

  void wait_and_handle() {
    clock::time_point next = watch_.next_look();
    if (program_ && !watch_.is_attached()) next = std::min(next, clock::now() + between_looks_for_it);
    pollfd sources[] = {{*signals_, POLLIN, 0}, {watch_.polled(), POLLIN, 0}};
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - clock::now());
    ::poll(sources, std::size(sources), static_cast<int>(std::max<std::chrono::milliseconds>(wait, 0ms).count()));
    if (sources[0].revents != 0) handle_signals();
    if (program_ && !watch_.is_attached()) look_for_it();
    if (watch_.is_attached() && sources[1].revents != 0) receive();
    if (watch_.look() && !watch_.unanswered().empty()) publish();
  }

  void handle_signals() {
    signalfd_siginfo came{};
    while (::read(*signals_, &came, sizeof came) == sizeof came) {
      const int number = static_cast<int>(came.ssi_signo);
      if (number == SIGCHLD) {
        if (program_) program_->look_whether_it_ended();
        continue;
      }
      asked_ = number;
      // The terminal has sent its signal to the whole process group.
      if (program_ && came.ssi_code <= 0) program_->pass_on(number);
    }
  }

  void look_for_it() {
    if (auto found = program_->connect()) watch_.begin(std::move(found));
  }

  void receive() {
    try {
      if (!watch_.receive()) return;
    } catch (const std::exception&) {
      if (!program_) throw;
      watch_.detach();  // another program in the same folder
      return;
    }
    if (watch_.has_ended() && program_) watch_.detach();
    publish();
  }

  void publish() {
    ++state_.number;
    state_.interval = interval_;
    state_.notice = state_.last ? std::string() : watch_.unanswered();
    state_.content = state_.last ? watch_.last_content() : watch_.content();
    if (watch_.latest() == nullptr && program_) {
      state_.content.program = std::filesystem::path(program_->name()).filename();
      state_.content.pid = program_->pid();
      state_.content.state = state_.last ? "ended" : "has run no network yet";
    }
    web_server::state now{.number = state_.number, .text = to_json(state_, watch_.latest()), .metrics = [] {
                            return std::string(no_metrics);
                          }};
    if (watch_.latest() != nullptr) {
      now.metrics = [sample = *watch_.latest(), views = state_.content.runs] { return to_open_metrics(sample, views); };
    }
    if (state_.last) {
      server_.finish(std::move(now));
    } else {
      server_.publish(std::move(now));
    }
  }

  const held_signals held_;
  const descriptor signals_;
  const std::chrono::milliseconds interval_;
  live_watch watch_;
  const page_address at_;
  web_server server_;
  std::optional<watched_program> program_;
  page_state state_{};
  int asked_ = 0;  // signal that asked this process to end
};

}  // namespace

int serve_page(const top_options& options) {
  session page(options.pause(), parse_page_address(options.web));
  if (options.program.empty()) {
    page.attach(connect_to(options.who));
    page.serve();
    return 0;
  }
  page.start(options.program);
  page.serve();
  return page.exit_code();
}
