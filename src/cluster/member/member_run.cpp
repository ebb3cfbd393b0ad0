// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/member_run.hpp"

#include "weir/detail/passes/cut.hpp"
#include "weir/detail/passes/fingerprint.hpp"
#include "weir/graph/error.hpp"

#include "cluster/member/membership.hpp"
#include "cluster/member/merge_reports.hpp"
#include "cluster/member/sampled.hpp"
#include "cluster/protocol/messages.hpp"

#include <algorithm>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <utility>

namespace weir::cluster {

namespace {

// Returns the group of the last sink.
std::string result_group_of(const graph& whole) {
  const auto& nodes = whole.nodes();
  const auto last =
      std::find_if(nodes.rbegin(), nodes.rend(), [](const node_description& node) { return node.out.empty(); });
  return (last == nodes.rend() ? nodes.back() : *last).traits.group;
}

}  // namespace

member_run::member_run(membership& of, std::uint32_t n, const graph& whole, detail::run_control& controls)
    : number(n),
      control(controls),
      of_(of),
      whole_(whole),
      result_group_(result_group_of(whole)),
      places_(whole.channels().size()) {
  const remote_output::settings how{number, of.frame_items(), of.frames_under_way()};
  for (const detail::remote_end& end : detail::remote_ends(whole, of.name())) {
    end_here& made = ends_[end.channels.front()];
    made.other = end.other;
    if (end.sends) {
      made.out = std::make_shared<remote_output>(how, end.channels, of.peer(end.other));
    } else {
      made.in = std::make_shared<remote_input>(number, end.channels, of.peer(end.other));
    }
    for (std::uint32_t i = 0; i != end.channels.size(); ++i) places_[end.channels[i]] = {&made, i};
  }
  of_.enter(*this);
}

member_run::~member_run() { of_.leave(); }

detail::loop_arbiter& member_run::take_part(loop_id id, detail::loop& part) {
  return loops_.try_emplace(id, *this, id, part).first->second;
}

void member_run::loop_reporter::part_is_quiet() noexcept { of_.of_.say(to_coordinator::quiet{{of_.number, id_}}); }
void member_run::loop_reporter::part_has_answered() noexcept {
  of_.of_.say(to_coordinator::answered{{of_.number, id_}});
}

bool member_run::join(const std::string& trace) {
  if (of_.traced() || !trace.empty()) first_comparison_ = of_.compare_clocks();
  to_coordinator::ready message{.run = number,
                                .fingerprint = detail::fingerprint(whole_),
                                .result_group = result_group_,
                                .trace = trace,
                                .loops = {}};
  for (const auto& [id, part] : loops_) message.loops.push_back(id);
  said.store(stage::ready, std::memory_order_release);
  of_.say(std::move(message));
  of_.wait_until([this] { return begun; });
  return traced;
}

detail::group_run::trace_part member_run::begin_trace() {
  std::optional<clock_comparison> now;
  try {
    now = of_.compare_clocks();
  } catch (const node_error&) {  // the cluster has failed; the first comparison must suffice
  }
  if (!first_comparison_) first_comparison_ = std::exchange(now, {});
  clock_.emplace(first_comparison_.value_or(clock_comparison{}), now);
  return {of_.name(), of_.number(),
          [clock = *clock_, begin = began_at](std::int64_t here) { return clock.there(here) - begin; },
          [this](std::string_view events) {
            of_.say(to_coordinator::trace{.run = number, .events = std::string(events)});
          }};
}

void member_run::end_trace(std::uint64_t dropped) {
  of_.say(to_coordinator::traced{
      .run = number,
      .about = {.dropped = dropped, .ahead_ns = clock_->ahead(), .uncertainty_ns = clock_->uncertainty()}});
}

void member_run::let_ask(std::function<detail::group_report()> ask) {
  const std::lock_guard lock(of_.mutex());
  ask_ = std::move(ask);
}
std::optional<numbered_report> member_run::part() const {
  return ask_ ? std::optional(part_of_whole(whole_, ask_())) : std::nullopt;
}

bool member_run::looked(std::chrono::steady_clock::time_point began, const detail::standstill& found) {
  std::optional<standstill_answer> answer;
  {
    const std::lock_guard lock(still_mutex_);
    if (asked_ && began > asked_->at) answer = asked_->answer;
  }
  if (answer) {
    answer->rounds = found.rounds;
    answer->some_can_end = found.some_can_end;
    if (found.nodes) answer->nodes = found.nodes();
    if (answer->nodes.size() > detail::standstill::nodes_most) answer->nodes.resize(detail::standstill::nodes_most);
  }
  bool is_news = false;
  bool end_some = false;
  {
    // Before any message is sent: the replies to it change the same members.
    const std::lock_guard lock(still_mutex_);
    if (answer) asked_.reset();
    is_news = found.rounds != 0 && found.rounds != std::exchange(still_told_, found.rounds);
    end_some = found.rounds != 0 && found.rounds == std::exchange(end_some_after_, 0);
  }
  if (answer) {
    say_standstill(*answer);
  } else if (is_news) {
    of_.say(to_coordinator::still{{.run = number, .rounds = found.rounds}});
  }
  return end_some;
}

void member_run::ask_for_standstill(std::uint64_t question) {
  standstill_answer answer;
  answer.question = question;
  answer.traffic = traffic();
  const std::lock_guard lock(still_mutex_);
  if (said.load(std::memory_order_acquire) != stage::done) {
    asked_ = {std::chrono::steady_clock::now(), std::move(answer)};
    return;
  }
  answer.rounds = standstill_answer::is_done;
  say_standstill(answer);
}

void member_run::say_standstill(const standstill_answer& answer) {
  of_.say(to_coordinator::standstill{.run = number, .answer = answer});
}

// Answers an open question after the last look.
void member_run::answer_at_end() {
  const std::lock_guard lock(still_mutex_);
  if (!asked_) return;
  asked_->answer.rounds = standstill_answer::is_done;
  say_standstill(asked_->answer);
  asked_.reset();
}

std::map<std::string, crossed> member_run::traffic() const {
  std::map<std::string, crossed> made;
  for (const auto& [first, end] : ends_) {
    crossed& with_other = made[end.other];
    if (end.out != nullptr) with_other.out += end.out->so_far();
    if (end.in != nullptr) with_other.in += end.in->so_far();
  }
  return made;
}

void member_run::failed(const std::string& path, const std::string& text, bool undecodable) noexcept {
  of_.say(to_coordinator::failed{.path = path, .text = text, .undecodable = undecodable});
}
void member_run::cancelled() noexcept { of_.say(to_coordinator::cancel{}); }
void member_run::drained() noexcept { of_.say(to_coordinator::drain{}); }

report member_run::end(detail::group_report own) {
  const bool in_result_group = of_.name() == result_group_;
  own.of.in_result_group = in_result_group;
  const report unchanged = own.of;
  numbered_report part = part_of_whole(whole_, std::move(own));
  if (of_.watched()) {
    for (to_coordinator::sampled& each : sampled(0, number, &part)) of_.say(std::move(each));
  }
  if (!in_result_group) {
    for (numbered_report& each : parts_of(part))
      of_.say(to_coordinator::report{.run = number, .part = std::move(each)});
  }
  said.store(stage::done, std::memory_order_release);
  answer_at_end();
  of_.say(to_coordinator::done{{number}});
  try {
    of_.wait_until([this] { return over; });
  } catch (const node_error&) {
    control.fail_from_outside(std::current_exception());
    return unchanged;
  }
  if (!in_result_group) return unchanged;
  std::vector<numbered_report> all{std::move(part)};
  for (auto& [group, its] : reports) all.push_back(std::move(its));
  return merge_reports(whole_, all);
}

void member_run::hear(arrived_frame& what) {
  const frame_header& header = what.header();
  switch (header.type) {
    case frame_type::items: {
      const place& to = place_of(header.channel, false);
      return to.end->in->deliver_items(to.channel, header.count, what.keep());
    }
    case frame_type::close: {
      const place& to = place_of(header.channel, false);
      return to.end->in->deliver_close(to.channel, header.count);
    }
    case frame_type::abandon: {
      const place& to = place_of(header.channel, true);
      return to.end->out->deliver_abandon(to.channel);
    }
    case frame_type::completed: {
      byte_source bytes(what.payload());
      while (bytes.left() != 0) {
        std::uint64_t id = 0;
        std::uint64_t completed = 0;
        bytes.read(id);
        bytes.read(completed);
        const place& to = place_of(id, true);
        to.end->out->give_credit(to.channel, completed);
      }
      return;
    }
    default: throw protocol_error("a group sent what only a coordinator says");
  }
}

const member_run::place& member_run::place_of(std::uint64_t id, bool sends) const {
  if (id < places_.size() && places_[id].end != nullptr && sends == (places_[id].end->out != nullptr)) {
    return places_[id];
  }
  throw protocol_error("it speaks of channel " + std::to_string(id) + ", which does not lead " +
                       (sends ? "from here to there" : "from there to here"));
}

std::string member_run::ends_of(channel_id id) const {
  if (id >= places_.size() || places_[id].end == nullptr) return "";
  const channel_description& about = whole_.channels()[id];
  return "from " + whole_.nodes()[about.from].path + " to " + whole_.nodes()[about.to].path;
}

std::vector<std::string> member_run::stalls(std::chrono::milliseconds time) const {
  std::vector<std::string> lines;
  for (const auto& [first, end] : ends_) {
    if (end.out == nullptr) continue;
    for (const remote_output::stall& each : end.out->stalls(time)) {
      std::ostringstream line;
      line << "group " << of_.name() << ": no progress for " << std::setprecision(3)
           << std::chrono::duration<double>(time).count() << " s " << ends_of(each.channel) << " in group " << end.other
           << ": of " << each.under_way << " items under way none has been completed";
      lines.push_back(line.str());
    }
  }
  return lines;
}

detail::loop& member_run::part_of(loop_id id) {
  const auto found = loops_.find(id);
  if (found == loops_.end()) throw protocol_error("the coordinator asks for a loop that has no part here");
  return found->second.part;
}

}  // namespace weir::cluster
