// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/environment.hpp"

#include "weir/graph/error.hpp"
#include "weir/passes/fingerprint.hpp"
#include "weir/run/choose_tuning.hpp"
#include "weir/run/live_view.hpp"

#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace weir {
namespace {

// Null where it is not set, or to nothing.
const char* variable(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

// `run.json.gz` and 2: `run.2.json.gz`.
std::string numbered(const std::string& file, unsigned long number) {
  const std::size_t name = file.find_last_of('/') + 1;  // 0 without a folder
  std::size_t ending = file.size();
  if (file.ends_with(".gz")) ending -= 3;
  const std::size_t dot = file.substr(0, ending).find_last_of('.');
  if (dot != std::string::npos && dot > name) ending = dot;
  return file.substr(0, ending) + '.' + std::to_string(number) + file.substr(ending);
}

std::string text_of_file(const std::string& name) {
  std::FILE* const file = std::fopen(name.c_str(), "rb");
  if (file == nullptr)
    throw graph_error(name, "can't be read for WEIR_TUNING: " + std::system_category().message(errno));
  std::string text;
  char part[4096];
  for (std::size_t got; (got = std::fread(part, 1, sizeof part, file)) != 0;) text.append(part, got);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) throw graph_error(name, "can't be read for WEIR_TUNING");
  return text;
}

bool write_to_file(const char* name, const std::string& text) noexcept {
  std::FILE* const file = std::fopen(name, "w");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

}  // namespace

void answer_graph_request(const graph& g) {
  const char* const file = variable("WEIR_GRAPH");
  if (file == nullptr) return;
  static std::atomic<unsigned long> runs{0};
  const char* const which = std::getenv("WEIR_GRAPH_RUN");
  const unsigned long wanted = which == nullptr ? 1 : std::strtoul(which, nullptr, 10);
  if (runs.fetch_add(1) + 1 != wanted) return;
  const std::string json = to_json(g) + "\n";
  std::_Exit(write_to_file(file, json) ? 0 : 1);
}

trace_options requested_trace(const trace_options& said) {
  const char* const file = variable("WEIR_TRACE");
  if (file == nullptr) return said;
  static std::atomic<unsigned long> runs{0};
  const unsigned long number = runs.fetch_add(1) + 1;
  if (!said.file.empty()) return said;
  trace_options asked = said;
  if (const char* const which = variable("WEIR_TRACE_RUN")) {
    if (number == std::strtoul(which, nullptr, 10)) asked.file = file;
  } else {
    asked.file = number == 1 ? file : numbered(file, number);
  }
  return asked;
}

tuning requested_tuning(const tuning& said, const network& net, bool first) {
  const char* const file = variable("WEIR_TUNING");
  if (file == nullptr || !said.empty()) return said;
  static const tuning written = tuning_from_json(text_of_file(file), file);
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
  const char* const file = variable("WEIR_PROFILE");
  if (file == nullptr) return;
  try {
    tuning chosen = choose_tuning(ran, r, cores);
    chosen.network = fingerprint(net.as_written());
    nlohmann::ordered_json json;
    json["graph"] = parse_ordered_json(to_json(ran));
    json["report"] = parse_ordered_json(to_json(r));
    json["tuning"] = parse_ordered_json(to_json(chosen));
    json["changed_widths"] = difference(ran, {.widths = chosen.widths});
    json["other_changes"] = difference(ran, {.fused = chosen.fused, .capacities = chosen.capacities});
    static_cast<void>(write_to_file(file, text_of(json, 1) + "\n"));
  } catch (const std::exception&) {
    return;  // who asked finds no profile
  }
}

std::string requested_live_view() {
  const char* const said = variable("WEIR_TOP");
  if (said == nullptr) return {};
  std::filesystem::path place = said;
  if (std::string_view(said) == "1") {
    try {
      place = live_view_folder();
    } catch (const std::runtime_error& problem) {
      throw graph_error("WEIR_TOP", problem.what());
    }
  }
  std::error_code none;
  return std::filesystem::is_directory(place, none) ? place / (std::to_string(::getpid()) + ".sock") : place;
}

}  // namespace weir
