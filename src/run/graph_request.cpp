// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/graph_request.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace weir {

void answer_graph_request(const graph& g) {
  const char* file = std::getenv("WEIR_GRAPH");
  if (file == nullptr || *file == '\0') return;
  static std::atomic<unsigned long> runs{0};
  const char* which = std::getenv("WEIR_GRAPH_RUN");
  const unsigned long wanted = which == nullptr ? 1 : std::strtoul(which, nullptr, 10);
  if (runs.fetch_add(1) + 1 != wanted) return;
  const std::string json = to_json(g) + "\n";
  std::FILE* out = std::fopen(file, "w");
  const bool written = out != nullptr && std::fwrite(json.data(), 1, json.size(), out) == json.size();
  const bool closed = out != nullptr && std::fclose(out) == 0;
  std::_Exit(written && closed ? 0 : 1);
}

}  // namespace weir
