// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/environment.hpp"

#include "weir/graph/error.hpp"
#include "weir/run/live_view.hpp"

#include <unistd.h>

#include <atomic>
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

}  // namespace

void answer_graph_request(const graph& g) {
  const char* const file = variable("WEIR_GRAPH");
  if (file == nullptr) return;
  static std::atomic<unsigned long> runs{0};
  const char* const which = std::getenv("WEIR_GRAPH_RUN");
  const unsigned long wanted = which == nullptr ? 1 : std::strtoul(which, nullptr, 10);
  if (runs.fetch_add(1) + 1 != wanted) return;
  const std::string json = to_json(g) + "\n";
  std::FILE* out = std::fopen(file, "w");
  const bool written = out != nullptr && std::fwrite(json.data(), 1, json.size(), out) == json.size();
  const bool closed = out != nullptr && std::fclose(out) == 0;
  std::_Exit(written && closed ? 0 : 1);
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
