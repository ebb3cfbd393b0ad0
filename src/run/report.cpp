// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/run/report.hpp"

#include "graph/give_notice.hpp"
#include "graph/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ostream>

namespace weir {

report::report() = default;
report::report(const report&) = default;
report::report(report&&) noexcept = default;
report& report::operator=(const report&) = default;
report& report::operator=(report&&) noexcept = default;
report::~report() = default;

namespace {

constinit std::atomic<bool> unoptimised_code{false};  // not reported yet

std::string share(std::chrono::nanoseconds part, std::chrono::nanoseconds whole) {
  if (whole.count() <= 0) return "-";
  char text[16];
  std::snprintf(text, sizeof text, "%.1f%%",
                100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count()));
  return text;
}

std::string per_item(std::chrono::nanoseconds time, std::uint64_t items) {
  if (items == 0) return "-";
  const double each = static_cast<double>(time.count()) / static_cast<double>(items);
  char text[24];
  if (each < 1e3) {
    std::snprintf(text, sizeof text, "%.1f ns", each);
  } else if (each < 1e6) {
    std::snprintf(text, sizeof text, "%.2f us", each / 1e3);
  } else {
    std::snprintf(text, sizeof text, "%.2f ms", each / 1e6);
  }
  return text;
}

}  // namespace

std::string to_table(const report& r) {
  std::vector<std::vector<std::string>> rows{
      {"node", "items", "sent", "busy", "per item", "ready", "waits for input", "waits for room"}};
  for (const node_report& node : r.nodes) {
    const std::string name = node.runs_with.empty() ? node.path : node.path + " (with " + node.runs_with + ")";
    rows.push_back({name, std::to_string(node.items), std::to_string(node.sent), share(node.busy, r.wall),
                    per_item(node.busy, node.items), share(node.ready, r.wall), share(node.waiting_input, r.wall),
                    share(node.waiting_room, r.wall)});
  }
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i != row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string table;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i != row.size(); ++i) {
      const std::string pad(widths[i] - row[i].size(), ' ');
      if (i != 0) table += "  ";
      table += i == 0 ? row[i] + pad : pad + row[i];
    }
    table += '\n';
  }
  return table;
}

std::ostream& operator<<(std::ostream& out, const report& r) {
  out << to_table(r) << bottleneck(r) << '\n';
  if (unoptimised_code.exchange(false)) {
    out << "some of this program was compiled without optimisation, and may be many times slower; with CMake, say "
           "-DCMAKE_BUILD_TYPE=Release\n";
  }
  return out;
}

bool detail::note_unoptimised() noexcept {
  unoptimised_code.store(true);
  return true;
}

bool detail::note_thread_sanitizer() noexcept {
#ifdef __has_feature
  constexpr bool library_has_it = __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_THREAD__)
  constexpr bool library_has_it = true;
#else
  constexpr bool library_has_it = false;
#endif
  static std::atomic<bool> said{false};
  if (!library_has_it && !said.exchange(true)) {
    give_notice(
        {"this program has the thread sanitizer, but the library has not, so races will be reported that are none; "
         "build weir with -fsanitize=thread, too (docs/how-to/sanitizers.md)"});
  }
  return true;
}

std::string to_json(const report& r, int indent) {
  nlohmann::ordered_json json;
  json["wall_ns"] = r.wall.count();
  json["cpu_ns"] = r.cpu.count();
  json["workers"] = r.workers;
  if (r.quota != 0) json["quota"] = r.quota;
  json["ended"] = r.ended;
  json["bottleneck"] = bottleneck(r);
  json["nodes"] = nlohmann::ordered_json::array();
  const std::vector<std::size_t> limits = bottleneck_nodes(r);
  for (const node_report& node : r.nodes) {
    nlohmann::ordered_json entry{{"path", node.path},
                                 {"kind", node.kind},
                                 {"items", node.items},
                                 {"sent", node.sent},
                                 {"steps", node.steps},
                                 {"busy_ns", node.busy.count()},
                                 {"ready_ns", node.ready.count()},
                                 {"waiting_input_ns", node.waiting_input.count()},
                                 {"waiting_room_ns", node.waiting_room.count()}};
    if (node.in_own_code.count() != 0) {
      entry["in_own_code_ns"] = node.in_own_code.count();
      entry["in_own_code_cpu_ns"] = node.in_own_code_cpu.count();
      entry["thread"] = node.thread;
    }
    if (!node.runs_with.empty()) entry["runs_with"] = node.runs_with;
    const auto number = static_cast<std::size_t>(&node - r.nodes.data());
    if (std::find(limits.begin(), limits.end(), number) != limits.end()) entry["bottleneck"] = true;
    json["nodes"].push_back(std::move(entry));
  }
  json["channels"] = nlohmann::ordered_json::array();
  for (const channel_report& c : r.channels) {
    json["channels"].push_back({{"from", c.from},
                                {"to", c.to},
                                {"items", c.items},
                                {"capacity", c.capacity},
                                {"waiting", c.waiting},
                                {"room", c.room},
                                {"fill", c.fill},
                                {"input", c.input}});
  }
  return detail::text_of(json, indent);
}

}  // namespace weir
