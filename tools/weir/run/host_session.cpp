// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shell gets a script. The script makes the folder and then takes orders from its standard
// input, one line each:
//
//   get FILE SIZE MODE     SIZE bytes follow, which become this file, relative to the folder for files
//   sum FILE DIGITS        the SHA-256 of the file must be DIGITS
//   program WHO FOLDER PROGRAM, leading WHO FOLDER PROGRAM, port WHO PORT HEX
//                          checks of what a group needs; a variable in front of them may set PATH
//   say WORDS…
//
// The script answers in lines that begin with a secret token, because text that a login prints
// there must not be taken for answers:
//
//   folder PATH            the folder has been made
//   problem TEXT           a check failed; the script goes on
//   broken FILE            the file could not be written; the shell ends
//   done                   all orders have been carried out
#include "run/host_session.hpp"

#include <weir/cluster/coordinator.hpp>

#include "common/process.hpp"
#include "run/child_process.hpp"
#include "run/remote_start.hpp"
#include "run/start_checks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t piece = std::size_t{64} * 1024;
// Longest time that the shells may take to clean up after the run.
constexpr auto ends_within = 5s;
constexpr auto ends_after_output_within = 500ms;
// Bytes for which a slow machine computes the checksum in a millisecond.
constexpr std::uintmax_t summed_in_a_millisecond = 50'000;
constexpr std::size_t complaints_kept = std::size_t{4} * 1024;

// Each group's process stores its id in a file of the run's folder. Processes started by it have
// the token in their environment, or are in the same session. At the end, processes that are left
// get SIGTERM, and SIGKILL after 0.8 s. The shell takes the end of its orders for the death of the
// launcher.
constexpr const char* script = R"sh({
umask 077
say() { printf '%s\n' "@TOKEN@ $*"; }
folder=
# Processes in a session of a group, or started by one: number, name in brackets, state, parent, group, session.
left() {
  sessions=" $(cat "$folder"/sessions/* 2>/dev/null | tr '\n' ' ') "
  grep -slF "RUN_OF_WEIR=@TOKEN@" /proc/[0-9]*/environ | cut -d/ -f3
  for each in /proc/[0-9]*/stat; do
    read -r stat <"$each" || continue
    set -- ${stat##*) }
    case $sessions in
      *" $4 "*) [ "$1" = Z ] || echo "${stat%% *}" ;;
    esac
  done 2>/dev/null
}
signal_left() {
  some=1
  for each in "$folder"/ids/*; do
    [ -f "$each" ] && read -r id <"$each" && kill "-$1" "$id" && some=0
  done 2>/dev/null
  for id in $(left); do
    kill "-$1" "$id" && some=0
  done 2>/dev/null
  return $some
}
end() {
  trap '' HUP INT TERM PIPE
  trap - EXIT
  [ -n "$folder" ] || return
  if signal_left TERM; then
    for moment in 1 2 3 4 5 6 7 8; do
      sleep 0.1
      signal_left 0 || break
    done
    signal_left KILL
  fi
  rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }
  folder=
}
trap end EXIT
trap 'end; exit 1' HUP INT PIPE TERM
folder=$(mktemp -d "${TMPDIR:-/tmp}/weir-run-XXXXXX") && mkdir "$folder/ids" "$folder/sessions" "$folder/files" || exit 1
get() {
  to=$folder/files/$1
  mkdir -p "${to%/*}" && head -c "$2" >"$to" && chmod "$3" "$to" || { say broken "$1"; exit 1; }
}
sum() {
  found=$(sha256sum <"$folder/files/$1")
  [ "${found%% *}" = "$2" ] || say problem "$1 has not arrived as it is here; start again"
}
can_start() {
  case $1 in
    */*) [ -f "$1" ] && [ -x "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}
inside() { cd "$1" 2>/dev/null || { say problem "$2 there is no folder $1; --deploy makes one"; exit 1; }; }
program() { (inside "$2" "$1" && { can_start "$3" || say problem "$1 there is no program $3 that can be started in $2; --deploy copies it"; }); }
leading() { (inside "$2" "$1" && { can_start "$3" || say problem "$1 there is no program $3, which its pre_command begins with"; }); }
hexadecimal() {
  IFS=.
  set -- $1
  printf '%02X%02X%02X%02X' "$4" "$3" "$2" "$1"
}
port() {
  set -- "$1" "$2" "$3" $SSH_CONNECTION
  own=none
  case ${6-} in
    '' | *:*) ;;
    *) own=$(hexadecimal "$6") ;;
  esac
  for table in /proc/net/tcp /proc/net/tcp6; do
    [ -r $table ] || continue
    while read -r number local remote state rest; do
      case $state,$local in
        0A,00000000:$3 | 0A,"$own:$3" | 0A,00000000000000000000000000000000:$3)
          say problem "$1 somebody listens at port $2 already; free that port, or give the group another endpoint"
          return ;;
      esac
    done <$table
  done
}
say folder "$folder"
while IFS= read -r order; do eval "$order"; done
exit 0
}
)sh";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

void without_waiting(int descriptor) { fcntl(descriptor, F_SETFL, O_NONBLOCK); }

}  // namespace

host_session::host_session(const host_request& request, const sigset_t& mask)
    : request_(request),
      host_(request.host),
      token_("weir-" + weir::new_cluster_secret().substr(0, 16)),
      input_(-1),
      output_(-1),
      error_(-1),
      waiting_(replaced(script, "@TOKEN@", token_)),
      progress_(clock::now()) {
  const auto ours = [](descriptor& end, int number) {
    end = descriptor(number);
    without_waiting(number);
  };
  const pipe_ends input;
  const descriptor input_end(input.to_read);
  ours(input_, input.to_write);
  const pipe_ends output;
  const descriptor output_end(output.to_write);
  ours(output_, output.to_read);
  const pipe_ends error;
  const descriptor error_end(error.to_write);
  ours(error_, error.to_read);
  // When this process dies, the input of the shell ends. SIGTERM is for a local shell that is busy
  // at that moment.
  id_ = start_child({.words = request.shell,
                     .environment = own_environment(),
                     .streams = {*input_end, *output_end, *error_end},
                     .mask = &mask,
                     .last_signal = SIGTERM,
                     .without_terminal = true});
}

host_session::~host_session() {
  close();
  if (has_ended()) return;
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

host_sessions::~host_sessions() {
  for (const auto& each : all) each->close();
  const clock::time_point until = clock::now() + ends_within;
  const auto has_ended = [](const auto& each) { return each->has_ended(); };
  while (!std::ranges::all_of(all, has_ended) && clock::now() < until) std::this_thread::sleep_for(2ms);
}

std::vector<std::string> host_session::problems() const {
  std::vector<std::string> all = wrong_;
  if (why_.empty()) return all;
  std::string names;
  for (const auto* group : request_.groups) names += (names.empty() ? "" : ", ") + group->name;
  all.push_back(fmt::format("host {} (group{} {}): {}", host_, request_.groups.size() == 1 ? "" : "s", names, why_));
  return all;
}

std::string host_session::id_file(const weir::group_configuration& group) const {
  const auto at = std::ranges::find(request_.groups, &group);
  return base_ + "/ids/" + std::to_string(at - request_.groups.begin());
}

std::string host_session::session_file(const weir::group_configuration& group) const {
  const auto at = std::ranges::find(request_.groups, &group);
  return base_ + "/sessions/" + std::to_string(at - request_.groups.begin());
}

void host_session::watch(std::vector<pollfd>& all) const {
  if (input_ && (!waiting_.empty() || file_ != nullptr || !steps_.empty())) all.push_back({*input_, POLLOUT, 0});
  if (output_) all.push_back({*output_, POLLIN, 0});
  if (error_) all.push_back({*error_, POLLIN, 0});
}

void host_session::go_on() {
  std::array<char, piece> part;
  const auto take = [&](descriptor& from, auto&& use) {
    while (from) {
      const ssize_t got = ::read(*from, part.data(), part.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        from.close();
        return;
      }
      progress_ = clock::now();
      use(std::string_view(part.data(), static_cast<std::size_t>(got)));
    }
  };
  take(error_, [this](std::string_view text) {
    complaints_ += text;
    if (complaints_.size() > complaints_kept) complaints_.erase(0, complaints_.size() - complaints_kept);
  });
  take(output_, [this](std::string_view text) { hear(text); });
  write();
  if (!output_ && (unwritable_.empty() || !error_) && !settled()) give_up(reason());
}

void host_session::hear(std::string_view text) {
  heard_ += text;
  std::size_t begin = 0;
  for (std::size_t end; (end = heard_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::size_t at = heard_.find(token_ + " ", begin);
    if (at < end) hear_line(heard_.substr(at + token_.size() + 1, end - at - token_.size() - 1));
  }
  heard_.erase(0, begin);
}

void host_session::hear_line(const std::string& line) {
  const std::string what = line.substr(0, line.find(' '));
  const std::string rest = line.size() == what.size() ? "" : line.substr(what.size() + 1);
  if (what == "folder" && base_.empty()) {
    base_ = rest;
    folder_ = request_.files == nullptr ? request_.folder : base_ + "/files";
    plan_steps();
  } else if (what == "problem") {
    wrong_.push_back(fmt::format("host {}: {}", host_, rest));
  } else if (what == "broken") {
    unwritable_ = rest;  // the reason comes on standard error before standard error ends
  } else if (what == "done") {
    ready_ = true;
  }
}

void host_session::plan_steps() {
  if (request_.files != nullptr) {
    for (const deployed_file& each : request_.files->files)
      steps_.push_back({fmt::format("get {} {} {:o}", quoted_for_shell(each.to), each.size, each.mode), &each});
  }
  for (const auto* group : request_.groups) {
    const std::string who = quoted_for_shell("group " + group->name + ":");
    const auto path = group->environment.find("PATH");
    const auto check = [&](const char* what, const std::string& word) {
      const std::string order =
          fmt::format("{} {} {} {}", what, who, quoted_for_shell(folder_), quoted_for_shell(word));
      steps_.push_back({path == group->environment.end() || path->second.find('\n') != std::string::npos
                            ? order
                            : fmt::format("(PATH={}; {})", quoted_for_shell(path->second), order)});
    };
    // If there is a pre_command, the program may be somewhere else, such as in a container.
    if (group->pre_command.empty()) {
      check("program", request_.program);
    } else if (const std::string word = leading_program(group->pre_command); !word.empty()) {
      check("leading", word);
    }
    if (group->port != 0) steps_.push_back({fmt::format("port {} {} {:04X}", who, group->port, group->port)});
  }
  steps_.push_back({"say done"});
}

// Puts the next text to be written into `waiting_`. @return false: there is none
bool host_session::fill() {
  if (!unwritable_.empty()) return false;
  if (file_ != nullptr) {
    waiting_.resize(std::min<std::uintmax_t>(left_, piece));
    const ssize_t got = waiting_.empty() ? 0 : ::read(*from_, waiting_.data(), waiting_.size());
    if (got < 0 || (got == 0 && left_ != 0)) {
      waiting_.clear();
      give_up(fmt::format("the copy of {} broke off: {}", file_->from,
                          got < 0 ? std::strerror(errno) : "it has become shorter"));
      return false;
    }
    waiting_.resize(static_cast<std::size_t>(got));
    sum_->add(waiting_);
    left_ -= static_cast<std::uintmax_t>(got);
    if (left_ != 0) return true;
    waiting_ += fmt::format("sum {} {}\n", quoted_for_shell(file_->to), weir::detail::hexadecimal(sum_->end()));
    time_for_sums_ += std::chrono::milliseconds(file_->size / summed_in_a_millisecond);
    file_ = nullptr;
    return true;
  }
  if (steps_.empty()) return false;
  step next = std::move(steps_.front());
  steps_.pop_front();
  std::ranges::replace(next.order, '\n', ' ');
  waiting_ = next.order + "\n";
  if (next.file == nullptr) return true;
  from_ = descriptor(::open(next.file->from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!from_) {
    give_up("can't read " + next.file->from + ": " + std::strerror(errno));
    return false;
  }
  file_ = next.file;
  left_ = file_->size;
  sum_ = std::make_unique<weir::detail::sha256>();
  return true;
}

void host_session::write() {
  while (input_ && (!waiting_.empty() || fill())) {
    const ssize_t wrote = ::write(*input_, waiting_.data(), waiting_.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) return;
    if (wrote < 0) {
      input_.close();  // the output of the shell tells why
      return;
    }
    progress_ = clock::now();
    waiting_.erase(0, static_cast<std::size_t>(wrote));
  }
}

// Returns why the shell has ended.
std::string host_session::reason() {
  const clock::time_point until = clock::now() + ends_after_output_within;
  while (!has_ended() && clock::now() < until) std::this_thread::sleep_for(2ms);
  const std::string said = complaints_.empty() ? end_ : last_line(complaints_);
  if (!unwritable_.empty()) return fmt::format("{} can't be written there: {}", unwritable_, said);
  if (file_ != nullptr) return fmt::format("the copy of {} broke off: {}", file_->from, said);
  return base_.empty() ? "can't get a shell there: " + said : "the shell there has ended: " + said;
}

void host_session::give_up(const std::string& why) {
  if (why_.empty()) why_ = why.empty() ? "is of no use" : why;
  close();
}

bool host_session::has_ended() {
  int status = 0;
  if (!ended_ && waitpid(id_, &status, WNOHANG) == id_) {
    ended_ = true;
    const process_end end = end_of(status);
    end_ = end.signal != 0 ? "was ended by signal " + std::to_string(end.signal)
                           : "ended with exit code " + std::to_string(end.code);
  }
  return ended_;
}
