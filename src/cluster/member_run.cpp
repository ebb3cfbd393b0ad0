// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member_run.hpp"

#include "weir/graph/error.hpp"
#include "weir/passes/fingerprint.hpp"

#include "cluster/membership.hpp"
#include "cluster/merge_reports.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

// The group of the last sink.
std::string home_of(const graph& whole) {
  const auto& nodes = whole.nodes();
  const auto last =
      std::find_if(nodes.rbegin(), nodes.rend(), [](const node_description& node) { return node.out.empty(); });
  return (last == nodes.rend() ? nodes.back() : *last).traits.group;
}

}  // namespace

member_run::member_run(membership& of, std::uint32_t n, const graph& whole, run_control& controls)
    : number(n), control(controls), of_(of), whole_(whole), home_(home_of(whole)), channels_(whole.channels().size()) {
  for (const cut_channel& cut : cut_channels(whole)) {
    if (cut.from != of.name() && cut.to != of.name()) continue;
    const std::string& other = cut.from == of.name() ? cut.to : cut.from;
    channels_[cut.channel] =
        std::make_shared<remote_channel>(remote_channel::place{number, cut.channel, of.frame_items()}, of.peer(other));
  }
  of_.enter(*this);
}

member_run::~member_run() { of_.leave(); }

void member_run::join() {
  of_.say({{"say", "ready"}, {"run", number}, {"fingerprint", fingerprint(whole_)}, {"home", home_}});
  of_.wait_until([this] { return begun; });
}

void member_run::failed(const std::string& path, const std::string& text) noexcept {
  of_.say({{"say", "failed"}, {"path", path}, {"text", text}});
}
void member_run::cancelled() noexcept { of_.say({{"say", "cancel"}}); }
void member_run::drained() noexcept { of_.say({{"say", "drain"}}); }

report member_run::end(report own) {
  own.at_home = of_.name() == home_;
  of_.say({{"say", "done"}, {"run", number}, {"report", json::parse(to_json(own, -1))}});
  try {
    of_.wait_until([this] { return over; });
    return reports ? merge_reports(whole_, *reports) : own;
  } catch (const node_error&) {
    control.fail_from_outside(std::current_exception());
    return own;
  }
}

void member_run::hear(const frame_reader::frame& what, frame_reader& from) {
  switch (what.header.type) {
    case frame_type::items: return channel(what.header.channel).deliver_items(what.header.count, from.keep_payload());
    case frame_type::close: return channel(what.header.channel).deliver_close();
    case frame_type::abandon: return channel(what.header.channel).deliver_abandon();
    case frame_type::completed: {
      byte_source bytes(what.payload);
      while (bytes.left() != 0) {
        std::uint64_t id = 0;
        std::uint64_t completed = 0;
        bytes.read(id);
        bytes.read(completed);
        channel(id).give_credit(completed);
      }
      return;
    }
    default: throw protocol_error("a group sent what only a coordinator says");
  }
}

}  // namespace weir::cluster
