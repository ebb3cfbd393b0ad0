// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A coordinator of the groups a, b and c, whose connections send the messages in the input. Each
// line of the input begins with the letter of the group, and goes on with
//
//   {…   a message, sent as it is
//   !    the process has ended (whoever started it tells the coordinator of that); text may follow
//   .    a goodbye
//   =    a frame that is no message, of the type that the next byte says; the rest is its payload
//
// A connection is made when its group first sends. In the end all groups say goodbye, and the
// coordinator ends.
#include "weir/cluster/coordinator.hpp"

#include "lines.hpp"
#include "must.hpp"
#include "peer.hpp"

#include <map>
#include <optional>
#include <string>

namespace {

using weir::cluster::frame_type;
using weir_fuzz::lines_of;
using weir_fuzz::must;
using weir_test::peer;
using weir_test::secret;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weir::cluster_configuration configuration;
  for (const char* name : {"a", "b", "c"}) configuration.groups.emplace_back().name = name;
  weir::coordinator coordinator(configuration, secret, true);
  std::map<char, std::optional<peer>> groups;
  for (const std::string& line : lines_of(data, size)) {
    if (line.size() < 2 || line.front() < 'a' || line.front() > 'c') continue;
    const std::string name(1, line.front());
    const std::string rest = line.substr(1);
    if (rest.front() == '!') {
      coordinator.process_ended(name, rest.substr(1));
      continue;
    }
    auto at = groups.find(name.front());
    if (at == groups.end()) {
      const weir::cluster::introduction self{name, weir::cluster::purpose::control};
      at = groups.emplace(name.front(), peer::connect(coordinator.port(), self)).first;
    }
    if (!at->second) continue;
    peer& group = *at->second;
    switch (rest.front()) {
      case '.': group.leave(); break;
      case '=':
        if (rest.size() < 2) break;
        group.send(static_cast<frame_type>(static_cast<unsigned char>(rest[1])), 1, 0, 1, rest.substr(2));
        break;
      default: group.say(rest); break;
    }
  }
  for (auto& [name, group] : groups) {
    if (group) group->leave();
  }
  if (const auto failure = coordinator.failure()) {
    must(failure->group.size() == 1 && failure->group >= "a" && failure->group <= "c", "a failure names a group");
    must(!failure->text.empty() || !failure->path.empty(), "and says what it is");
  }
  if (const std::string result_group = coordinator.result_group(); !result_group.empty()) {
    must(result_group == "a" || result_group == "b" || result_group == "c", "the result group is a group");
  }
  return 0;
}
