// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Parsers of text. The first byte of the input selects the parser, the other bytes are the text.
#include "weir/cluster/configuration.hpp"
#include "weir/graph/error.hpp"
#include "weir/passes/tuning.hpp"

#include "cluster/protocol/json_fields.hpp"
#include "cluster/protocol/read_report.hpp"
#include "cluster/protocol/report_parts.hpp"
#include "cluster/wire/frame.hpp"
#include "must.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace {

using weir_fuzz::must;

void read_configuration(const std::string& text) {
  try {
    const weir::cluster_configuration read = weir::configuration_from_json(text, "fuzz.json");
    must(!read.groups.empty(), "a configuration has groups");
    for (const weir::group_configuration& group : read.groups) {
      must(!group.name.empty() && group.name.size() <= 61, "each has a name that fits");
      must(group.cores.empty() || weir::cores_from_text(group.cores).has_value(), "its cores can be read");
    }
    must(read.heartbeat.count() > 0 && read.dead_after.count() > 0 && read.start_within.count() > 0, "times are");
  } catch (const weir::configuration_error& problem) {
    must(std::string(problem.what()).rfind("fuzz.json:", 0) == 0, "what is wrong is said with its place");
  }
}

void read_cores(const std::string& text) {
  const auto cores = weir::cores_from_text(text);
  if (!cores) return;
  must(!cores->empty(), "a list of cores is not empty");
  for (const std::size_t core : *cores) must(core <= 4095, "each may exist");
}

void read_tuning(const std::string& text) {
  try {
    const weir::tuning read = weir::tuning_from_json(text, "fuzz.json");
    const std::string once = weir::to_json(read);
    must(weir::to_json(weir::tuning_from_json(once, "again")) == once, "a tuning can be written and read");
  } catch (const weir::graph_error&) {
  }
}

void read_report(const std::string& text) {
  weir::report read;
  try {
    read = weir::cluster::report_from_json(text);
  } catch (const weir::cluster::protocol_error&) {
    return;
  }
  const std::string once = weir::to_json(read);
  must(weir::to_json(weir::cluster::report_from_json(once)) == once, "a report can be written and read");
}

void read_part_of_report(const std::string& text) {
  weir::cluster::numbered_report read;
  try {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    read = weir::cluster::part_from_json(weir::cluster::parse_message(bytes));
  } catch (const weir::cluster::protocol_error&) {
    return;
  }
  weir::cluster::numbered_report again;
  for (const weir::cluster::numbered_report& part : weir::cluster::parts_of(read)) {
    weir::cluster::add_part(again, weir::cluster::part_from_json(json_of(part)));
  }
  must(weir::to_json(again.of) == weir::to_json(read.of), "a report in parts can be written and read");
  must(again.nodes == read.nodes && again.channels == read.channels, "its numbers can");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (*data) {
    case 'c': read_configuration(text); break;
    case 'n': read_cores(text); break;
    case 't': read_tuning(text); break;
    case 'r': read_report(text); break;
    case 'p': read_part_of_report(text); break;
    default: return -1;
  }
  return 0;
}
