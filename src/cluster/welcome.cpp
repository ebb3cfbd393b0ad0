// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/welcome.hpp"

#include "weir/run/run.hpp"

#include "cluster/connection.hpp"
#include "cluster/message.hpp"
#include "cluster/mpi_process.hpp"
#include "graph/file_text.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>

namespace weir::cluster {

using json = nlohmann::json;

namespace {

constexpr std::size_t cores_of_machine_most = 4096;  // as many as a configuration may name
constexpr std::size_t cores_of_all_most = 1'000'000;

link_transport transport_from(const json& of) {
  return static_cast<link_transport>(
      field<std::uint32_t>(of, "transport", static_cast<std::uint64_t>(link_transport::mpi)));
}

// But the cores.
void read_place(const json& message, process_place& made) {
  made.port = field<std::uint16_t>(message, "port");
  made.machine = field<std::string>(message, "machine");
  made.network = field<std::string>(message, "network");
  made.process = field<std::uint64_t>(message, "process");
}

}  // namespace

process_place process_place::of_this_process(std::uint16_t port) {
  std::string boot = text_of_file("/proc/sys/kernel/random/boot_id").value_or("");
  boot.resize(std::min(boot.size(), boot.find('\n')));
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  char network[256] = {};
  if (::readlink("/proc/self/ns/net", network, sizeof network - 1) < 0) network[0] = '\0';
  return {
      port, available_cores(), boot + name, network, static_cast<std::uint64_t>(::getpid()), mpi_process::may_join()};
}

link_transport welcome::between(const std::string& one, const std::string& other) const {
  link_transport said = transport;
  for (const link_configuration& link : links) {
    if ((link.one == one && link.other == other) || (link.one == other && link.other == one)) said = link.transport;
  }
  return said;
}

json json_of(const process_place& place) {
  return {{"port", place.port},       {"cores", place.cores},     {"machine", place.machine},
          {"network", place.network}, {"process", place.process}, {"mpi", place.in_mpi}};
}

process_place place_from_json(const json& message) {
  process_place made;
  read_place(message, made);
  made.cores = std::max<std::size_t>(field<std::size_t>(message, "cores", cores_of_machine_most), 1);
  made.in_mpi = field<bool>(message, "mpi");
  return made;
}

json json_of(const program_build& build) {
  json made{{"program", build.program}, {"machine", build.machine}, {"id", build.id}, {"libraries", json::array()}};
  for (const program_build::library& each : build.libraries) {
    made["libraries"].push_back({{"name", each.name}, {"id", each.id}});
  }
  return made;
}

program_build build_from_json(const json& message) {
  program_build made;
  made.program = field<std::string>(message, "program");
  made.machine = field<std::string>(message, "machine");
  made.id = field<std::string>(message, "id");
  for (const json& each : array_field(message, "libraries")) {
    made.libraries.push_back({field<std::string>(each, "name"), field<std::string>(each, "id")});
  }
  return made;
}

json json_of(const welcome& what) {
  json made{{"cores", what.cores},
            {"watched", what.watched},
            {"traced", what.traced},
            {"plan", what.plan},
            {"checksums", what.checksums},
            {"mpi", what.mpi},
            {"stalled_after", what.stalled_after.count()},
            {"transport", what.transport},
            {"links", json::array()},
            {"groups", json::array()}};
  for (const link_configuration& link : what.links) {
    made["links"].push_back({{"one", link.one}, {"other", link.other}, {"transport", link.transport}});
  }
  for (const introduced_group& group : what.groups) {
    made["groups"].push_back({{"name", group.name},
                              {"address", group.address},
                              {"host", group.host},
                              {"port", group.at.port},
                              {"machine", group.at.machine},
                              {"network", group.at.network},
                              {"process", group.at.process},
                              {"cores", group.share},
                              {"nodes", group.nodes},
                              {"batch_size", group.batch_size},
                              {"frames_under_way", group.frames_under_way},
                              {"channel_items", group.channel_items}});
  }
  return made;
}

welcome welcome_from_json(const json& message) {
  welcome made;
  made.cores = std::max<std::size_t>(field<std::size_t>(message, "cores", cores_of_all_most), 1);
  made.watched = field<bool>(message, "watched");
  made.traced = field<bool>(message, "traced");
  made.plan = field<bool>(message, "plan");
  made.checksums = field<bool>(message, "checksums");
  made.mpi = field<bool>(message, "mpi");
  made.stalled_after = std::chrono::milliseconds(field<std::uint32_t>(message, "stalled_after"));
  made.transport = transport_from(message);
  for (const json& each : array_field(message, "links")) {
    link_configuration& link = made.links.emplace_back();
    link.one = field<std::string>(each, "one");
    link.other = field<std::string>(each, "other");
    link.transport = transport_from(each);
  }
  for (const json& each : array_field(message, "groups")) {
    introduced_group& group = made.groups.emplace_back();
    group.name = field<std::string>(each, "name");
    group.address = field<std::string>(each, "address");
    group.host = field<std::string>(each, "host");
    read_place(each, group.at);
    group.share = field<double>(each, "cores");
    if (!(group.share > 0)) throw protocol_error("a group has no cores");
    for (const json& pattern : array_field(each, "nodes")) {
      if (!pattern.is_string()) throw protocol_error("the name of a node is not a string");
      group.nodes.push_back(pattern);
    }
    group.batch_size = field<std::uint64_t>(each, "batch_size");
    group.frames_under_way = field<std::uint64_t>(each, "frames_under_way");
    group.channel_items = field<std::size_t>(each, "channel_items");
  }
  return made;
}

}  // namespace weir::cluster
