// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/environment.hpp"

#include "weir/detail/passes/fingerprint.hpp"
#include "weir/detail/run/live_view.hpp"
#include "weir/graph/error.hpp"
#include "weir/run/choose_tuning.hpp"

#include "graph/file_text.hpp"
#include "graph/give_notice.hpp"
#include "graph/json_text.hpp"
#include "graph/per_process.hpp"
#include "graph/variables.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

namespace weir::detail {
namespace {

// Inserts the number before the ending: `run.json.gz` and 2 give `run.2.json.gz`.
std::string numbered(const std::string& file, unsigned long number) {
  const std::size_t name = file.find_last_of('/') + 1;  // 0 without a folder
  std::size_t ending = file.size();
  if (file.ends_with(".gz")) ending -= 3;
  const std::size_t dot = file.substr(0, ending).find_last_of('.');
  if (dot != std::string::npos && dot > name) ending = dot;
  return file.substr(0, ending) + '.' + std::to_string(number) + file.substr(ending);
}

// The runs that have begun while WEIR_TRACE was set; the only one to be traced, as WEIR_TRACE_RUN
// says; and the process that has counted them, which may have forked since.
constinit std::atomic<unsigned long> runs_begun{0};
constinit std::atomic<unsigned long> run_awaited{0};
constinit std::atomic<pid_t> counted_by{0};

void say_if_it_did_not_come() {
  const unsigned long begun = runs_begun.load();
  if (begun >= run_awaited.load() || counted_by.load() != ::getpid()) return;
  give_notice({"WEIR_TRACE_RUN=", std::to_string(run_awaited.load()), ": there is no trace, because the program ran ",
               std::to_string(begun), begun == 1 ? " network" : " networks"});
}

// @throws graph_error if the text of the variable is no such number
unsigned long number_of_a_run(const std::string& text) {
  unsigned long number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc{} && end == text.data() + text.size() && number != 0) return number;
  throw graph_error("WEIR_TRACE_RUN", "is '" + text + "'; let it be the number of a run, from 1 on");
}

tuning tuning_from_file(const std::string& name) {
  const std::optional<std::string> text = text_of_file(name);
  if (!text) throw graph_error(name, "can't be read for WEIR_TUNING: " + std::system_category().message(errno));
  return tuning_from_json(*text, name);
}

}  // namespace

void answer_graph_request(const graph& g) {
  const std::string file = variable("WEIR_GRAPH");
  if (file.empty()) return;
  static std::atomic<unsigned long> runs{0};
  const std::string which = variable("WEIR_GRAPH_RUN");
  const unsigned long wanted = which.empty() ? 1 : std::strtoul(which.c_str(), nullptr, 10);
  if (runs.fetch_add(1) + 1 != wanted) return;
  answer_and_end("WEIR_GRAPH", file, to_json(g) + "\n");
}

trace_options requested_trace(const trace_options& said) {
  const std::string file = variable("WEIR_TRACE");
  if (file.empty()) return said;
  const std::string which = variable("WEIR_TRACE_RUN");
  const unsigned long wanted = which.empty() ? 0 : number_of_a_run(which);
  const unsigned long number = runs_begun.fetch_add(1) + 1;
  // In a cluster the coordinator writes the trace.
  if (wanted > number && variable("WEIR_GROUP").empty() && run_awaited.exchange(wanted) == 0) {
    counted_by.store(::getpid());
    std::atexit(&say_if_it_did_not_come);
  }
  if (!said.file.empty()) return said;
  trace_options asked = said;
  if (wanted != 0) {
    if (number == wanted) asked.file = file;
  } else {
    asked.file = number == 1 ? file : numbered(file, number);
  }
  return asked;
}

tuning requested_tuning(const tuning& said, const network& net, bool first) {
  const std::string file = variable("WEIR_TUNING");
  if (file.empty() || !said.empty()) return said;
  static constinit made_once<const tuning> of_file;
  const tuning& written = of_file.get([&] { return std::make_unique<const tuning>(tuning_from_file(file)); });
  if (written.network.empty()) return written;
  const std::string network = fingerprint(net.as_written());
  if (network == written.network) return written;
  if (first) {
    throw graph_error(file, "is the tuning of another network (" + written.network + ", not " + network +
                                "); write it anew with weir tune");
  }
  return said;
}

void answer_profile_request(const network& net, const graph& ran, const report& r, std::size_t cores) noexcept {
  try {
    const std::string file = variable("WEIR_PROFILE");
    if (file.empty()) return;
    tuning chosen = choose_tuning(ran, r, cores);
    chosen.network = fingerprint(net.as_written());
    nlohmann::ordered_json json;
    json["graph"] = parse_ordered_json(to_json(ran));
    json["report"] = parse_ordered_json(to_json(r));
    json["tuning"] = parse_ordered_json(to_json(chosen));
    json["changed_widths"] = difference(ran, {.widths = chosen.widths});
    json["other_changes"] = difference(ran, {.fused = chosen.fused, .capacities = chosen.capacities});
    answer_in_file("WEIR_PROFILE", file, text_of(json, 1) + "\n");
  } catch (const std::exception& problem) {
    detail::give_notice({"no profile can be made for WEIR_PROFILE: ", problem.what()});
  }
}

std::string requested_live_view() {
  const std::string said = variable("WEIR_TOP");
  if (said.empty()) return {};
  std::filesystem::path place = said;
  if (said == "1") {
    try {
      place = live_view_folder();
    } catch (const std::runtime_error& problem) {
      throw graph_error("WEIR_TOP", problem.what());
    }
  }
  std::error_code none;
  return std::filesystem::is_directory(place, none) ? place / (std::to_string(::getpid()) + ".sock") : place;
}

}  // namespace weir::detail
