// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The text format of OpenMetrics 1.0.0 (github.com/OpenObservability/OpenMetrics,
// specification/OpenMetrics.md):
//
//   family = "# TYPE" name type, "# UNIT" name unit, "# HELP" name text, samples with that name; of a counter
//            with _total
//   sample = name { label="value", … } number
//   label values escape \, " and line feeds
//   the unit ends the name; "# EOF" ends the text
#include "top/top_formats.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace {

std::string escaped(std::string_view value) {
  std::string made;
  for (const char c : value) {
    if (c == '\\' || c == '"') made += '\\';
    if (c == '\n') {
      made += "\\n";
    } else {
      made += c;
    }
  }
  return made;
}

std::string label(std::string_view name, std::string_view value) {
  return fmt::format("{}=\"{}\"", name, escaped(value));
}

std::string seconds(std::chrono::nanoseconds time) {
  return fmt::format("{}.{:09}", time.count() / 1'000'000'000, time.count() % 1'000'000'000);
}

class writer {
 public:
  writer(const live_sample& sample, const std::vector<run_view>& views) : sample_(sample), views_(views) {
    process_ = label("program", sample.program) + ',' + label("pid", std::to_string(sample.pid));
    for (const live_run& run : sample.runs) {
      runs_.push_back(process_ + ',' + label("run", std::to_string(run.number)));
      std::vector<std::string>& channels = channels_.emplace_back();
      // Several channels between the same two nodes are numbered.
      std::map<std::pair<std::string, std::string>, std::size_t> parallel;
      std::unordered_map<std::string, std::string> group_of;
      for (std::size_t n = 0; n != run.groups.size(); ++n) group_of.emplace(run.report.nodes[n].path, run.groups[n]);
      for (const weir::channel_report& channel : run.report.channels) {
        const std::size_t number = parallel[{channel.from, channel.to}]++;
        channels.push_back(runs_.back() + ',' + label("from", channel.from) + ',' + label("to", channel.to) + ',' +
                           label("channel", std::to_string(number)));
        if (group_of[channel.from] == group_of[channel.to]) continue;
        channels.back() += ',' + label("from_group", group_of[channel.from]);
        channels.back() += ',' + label("to_group", group_of[channel.to]);
      }
    }
  }

  void process(const char* name, const char* type, const char* unit, const char* help, const std::string& value) {
    begin(name, type, unit, help);
    put(process_, value);
  }

  void runs(const char* name, const char* type, const char* unit, const char* help,
            const std::function<std::string(const weir::report&)>& value) {
    begin(name, type, unit, help);
    for (std::size_t i = 0; i != runs_.size(); ++i) put(runs_[i], value(sample_.runs[i].report));
  }

  void nodes(const char* name, const char* type, const char* unit, const char* help,
             const std::function<std::string(const weir::node_report&, const node_view&)>& value) {
    begin(name, type, unit, help);
    for (std::size_t i = 0; i != runs_.size(); ++i) {
      const live_run& run = sample_.runs[i];
      for (std::size_t n = 0; n != run.report.nodes.size(); ++n) {
        const weir::node_report& node = run.report.nodes[n];
        std::string labels = runs_[i] + ',' + label("node", node.path) + ',' + label("kind", node.kind);
        if (!run.groups.empty()) labels += ',' + label("group", run.groups[n]);
        put(labels, value(node, views_[i].nodes[n]));
      }
    }
  }

  void channels(const char* name, const char* type, const char* unit, const char* help,
                const std::function<std::string(const weir::channel_report&)>& value) {
    begin(name, type, unit, help);
    for (std::size_t i = 0; i != runs_.size(); ++i) {
      const auto& reports = sample_.runs[i].report.channels;
      for (std::size_t c = 0; c != reports.size(); ++c) put(channels_[i][c], value(reports[c]));
    }
  }

  std::string take() { return std::move(text_) + "# EOF\n"; }

 private:
  void begin(const char* name, std::string_view type, std::string_view unit, const char* help) {
    name_ = name;
    if (type == "counter") name_ += "_total";
    text_ += fmt::format("# TYPE {} {}\n", name, type);
    if (!unit.empty()) text_ += fmt::format("# UNIT {} {}\n", name, unit);
    text_ += fmt::format("# HELP {} {}\n", name, help);
  }
  void put(const std::string& labels, const std::string& value) {
    text_ += fmt::format("{}{{{}}} {}\n", name_, labels, value);
  }

  const live_sample& sample_;
  const std::vector<run_view>& views_;
  std::string process_;
  std::vector<std::string> runs_;                   // labels of each run
  std::vector<std::vector<std::string>> channels_;  // labels of the channels of each run
  std::string name_;
  std::string text_;
};

constexpr const char* counter = "counter";
constexpr const char* gauge = "gauge";

}  // namespace

std::string to_open_metrics(const live_sample& sample, const std::vector<run_view>& views) {
  const auto number = [](auto value) { return std::to_string(value); };
  using node = weir::node_report;
  using view = node_view;
  using channel = weir::channel_report;
  using run = weir::report;
  writer to(sample, views);
  to.process("weir_process_cpu_seconds", counter, "seconds", "Processor time of the whole process.",
             seconds(sample.cpu));
  to.process("weir_cores", gauge, "", "Cores that the process may use.", number(sample.cores));
  to.runs("weir_run_wall_seconds", counter, "seconds", "Time since the run began.",
          [](const run& r) { return seconds(r.wall); });
  to.runs("weir_run_workers", gauge, "", "Worker threads of the run's pool; 0 where each node has a thread.",
          [&](const run& r) { return number(r.workers); });
  to.runs("weir_run_ended", gauge, "", "1 if the run has ended.",
          [&](const run& r) { return number(r.ended ? 1 : 0); });
  to.nodes("weir_node_items", counter, "items", "Items taken in; for a source, made.",
           [&](const node& n, const view&) { return number(n.items); });
  to.nodes("weir_node_sent_items", counter, "items", "Items sent on; a broadcast counts each copy.",
           [&](const node& n, const view&) { return number(n.sent); });
  to.nodes("weir_node_steps", counter, "steps", "How often an executor ran the node.",
           [&](const node& n, const view&) { return number(n.steps); });
  to.nodes("weir_node_busy_seconds", counter, "seconds", "Time in which the node ran.",
           [](const node& n, const view&) { return seconds(n.busy); });
  to.nodes("weir_node_ready_seconds", counter, "seconds", "Time in which it was ready and no worker was free.",
           [](const node& n, const view&) { return seconds(n.ready); });
  to.nodes("weir_node_waiting_input_seconds", counter, "seconds", "Time in which it had nothing to take.",
           [](const node& n, const view&) { return seconds(n.waiting_input); });
  to.nodes("weir_node_waiting_room_seconds", counter, "seconds", "Time in which its consumers had no room.",
           [](const node& n, const view&) { return seconds(n.waiting_room); });
  to.nodes("weir_node_bottleneck", gauge, "", "1 if the node is what limits the run.",
           [&](const node&, const view& v) { return number(v.bottleneck ? 1 : 0); });
  to.channels("weir_channel_items", counter, "items", "Items sent into the channel.",
              [&](const channel& c) { return number(c.items); });
  to.channels("weir_channel_waiting_items", gauge, "items", "Items in the channel.",
              [&](const channel& c) { return number(c.waiting); });
  to.channels("weir_channel_room_items", gauge, "items", "For how many items there is room; 0: without a limit.",
              [&](const channel& c) { return number(c.room); });
  return to.take();
}
