// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/top_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace {

constexpr const char* bold = "1";
constexpr const char* dim = "2";
constexpr const char* limiting = "1;31";

constexpr std::size_t path_least = 16;
constexpr std::size_t gap = 2;
constexpr std::size_t mark_width = 2;

struct column {
  const char* above;  // the upper line of the heading
  const char* title;
  std::size_t width;
  std::function<std::string(const node_view&)> cell;
  std::size_t spans = 1;  // number of columns below the upper line

  bool is_of_queue() const {
    const std::string_view what = title;
    return what == "queue" || what == "fill" || what == "/ room";
  }
};

std::string queue_share(const node_view& node) {
  if (!node.before) return "";
  return node.before->room == 0 ? "" : percent(node.before->fill());
}

std::string queue_count(const node_view& node) {
  if (!node.before) return "";
  const std::string waiting = short_number(static_cast<double>(node.before->waiting));
  return node.before->room == 0 ? waiting : waiting + " / " + short_number(static_cast<double>(node.before->room));
}

// The columns that fit beside the paths.
class columns {
 public:
  columns(const std::vector<run_view>& runs, std::size_t width, const text_style& style) : style_(style) {
    constexpr std::size_t group_most = 12;
    std::size_t longest = path_least;
    std::size_t group = 0;
    bool has_farms = false;
    for (const run_view& run : runs) {
      for (const node_view& node : run.nodes) {
        longest = std::max(longest, cells(node.path, style));
        has_farms = has_farms || node.nodes > 1;
        group = std::max(group, std::min(group_most, cells(node.group, style)));
      }
    }
    const auto share_of = [](double node_view::*part) {
      return [part](const node_view& node) { return percent(node.*part); };
    };
    const auto queue_bar = [style](std::size_t cells) {
      return [style, cells](const node_view& node) {
        return !node.before || node.before->room == 0 ? std::string() : bar(node.before->fill(), cells, style);
      };
    };
    const column range{"of each", "busy", 9, [](const node_view& node) {
                         if (node.nodes == 1) return std::string();
                         return fmt::format("{:.0f}-{:.0f} %", 100 * node.busy_least, 100 * node.busy_most);
                       }};
    all_ = {{"items", "per s", 7, [](const node_view& node) { return short_number(node.items_per_second); }},
            {"", "busy", 5, share_of(&node_view::busy)},
            {"waits for", "input", 5, share_of(&node_view::waiting_input), 2},
            {"", "room", 5, share_of(&node_view::waiting_room)},
            {"", "queue", 10, queue_bar(10)},
            {"", "fill", 5, queue_share}};
    const auto left = [&] { return width - std::min(width, mark_width + longest + used()); };
    const auto add = [&](std::size_t before, column what) {
      if (left() >= what.width + gap) all_.insert(all_.begin() + static_cast<long>(before), std::move(what));
    };
    if (group != 0) {
      add(0, {"", "group", std::max<std::size_t>(group, 5), [](const node_view& node) { return node.group; }});
    }
    const std::size_t first = all_.front().title == std::string_view("group") ? 1 : 0;
    if (has_farms) add(first + 2, range);
    add(all_.size(), {"waiting", "/ room", 15, queue_count});
    add(first, {"", "items", 9, [](const node_view& node) { return short_number(static_cast<double>(node.items)); }});
    add(first + 2, {"busy for", "an item", 8, [](const node_view& node) {
                      return node.seconds_per_item > 0 ? short_time(node.seconds_per_item) : std::string("-");
                    }});
    const auto find = [&](std::string_view title) {
      return std::find_if(all_.begin(), all_.end(), [&](const column& each) { return each.title == title; });
    };
    add(static_cast<std::size_t>(find("input") - all_.begin()), {"", "ready", 5, share_of(&node_view::ready)});
    constexpr std::size_t wide_bar = 30;
    if (left() >= wide_bar + gap) {
      add(static_cast<std::size_t>(find("busy") - all_.begin()) + 1,
          {"", "", 20, [style](const node_view& node) { return bar(node.busy, 20, style); }});
    }
    if (const auto queue = find("queue"); left() >= wide_bar - queue->width) {
      queue->width = wide_bar;
      queue->cell = queue_bar(wide_bar);
    }
    path_width_ = std::max(path_least, std::min(longest, width - std::min(width, mark_width + used())));
  }

  std::vector<std::string> heading() const {
    std::string above(mark_width + path_width_ + used(), ' ');
    std::string line = "  " + fitted("node", path_width_, side::left, style_);
    for (std::size_t i = 0; i != all_.size(); ++i) {
      line += "  " + fitted(all_[i].title, all_[i].width, side::right, style_);
      std::size_t end = line.size();
      for (std::size_t next = i + 1; next != i + all_[i].spans; ++next) end += gap + all_[next].width;
      const std::string_view text = all_[i].above;
      above.replace(end - text.size(), text.size(), text);
    }
    return {above, line};
  }

  std::string row(const node_view& node) const {
    std::string line = node.bottleneck ? (style_.utf8 ? "▶ " : "> ") : "  ";
    line += fitted(node.path, path_width_, side::left, style_);
    for (const column& each : all_) {
      const bool is_said = !node.is_input || each.is_of_queue();
      line += "  " + fitted(is_said ? each.cell(node) : std::string(), each.width, side::right, style_);
    }
    return node.bottleneck ? painted(line, limiting, style_) : line;
  }

 private:
  std::size_t used() const {
    return std::accumulate(all_.begin(), all_.end(), std::size_t{0},
                           [](std::size_t sum, const column& each) { return sum + gap + each.width; });
  }

  text_style style_;
  std::vector<column> all_;
  std::size_t path_width_ = path_least;
};

std::string seconds_of(std::chrono::nanoseconds time) {
  return short_time(std::chrono::duration<double>(time).count());
}

std::string through(const run_view& run) {
  return fmt::format("{:>7} in  {:>7} out", short_number(static_cast<double>(run.in)),
                     short_number(static_cast<double>(run.out)));
}

std::string title(const top_content& content, std::size_t width, const text_style& style) {
  std::string right;
  if (content.runs.size() == 1) {
    const run_view& run = content.runs.front();
    right = fmt::format("{:>8}  {}", seconds_of(run.wall), through(run));
  } else if (!content.runs.empty()) {
    right = fmt::format("{} runs under way", content.runs.size());
  }
  right += fmt::format("  {:>5.2f} of {} {}", content.cores_used, content.cores, content.cores == 1 ? "core" : "cores");
  const std::size_t left = width - std::min(width, cells(right, style) + gap);
  const std::string rest = fmt::format(" ({}){}{}", content.pid, content.state.empty() ? "" : ", ", content.state);
  const std::string name = clipped(content.program, left - std::min(left, rest.size()), style);
  const std::string shown = clipped(name + rest, left, style);
  return painted(shown, bold, style) + std::string(left - cells(shown, style) + gap, ' ') + right;
}

// Returns the rows of a run in at most `most` lines, but at least two.
std::vector<std::string> rows_of(const run_view& run, const columns& shape, std::size_t most, const text_style& style) {
  std::vector<std::size_t> chosen(run.nodes.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() > std::max<std::size_t>(most, 2)) {
    const auto rank = [&](std::size_t i) { return std::pair(!run.nodes[i].bottleneck, -run.nodes[i].busy_so_far); };
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    chosen.resize(std::max<std::size_t>(most, 2) - 1);
    std::sort(chosen.begin(), chosen.end());
  }
  std::vector<std::string> lines;
  lines.reserve(chosen.size() + 1);
  for (const std::size_t i : chosen) lines.push_back(shape.row(run.nodes[i]));
  if (const std::size_t rest = run.nodes.size() - chosen.size(); rest != 0) {
    lines.push_back(painted(fmt::format("  {} more, less busy", rest), dim, style));
  }
  return lines;
}

// Adds a row for each input of the nodes that have several, below its node.
run_view with_inputs(const run_view& whole) {
  run_view made = whole;
  made.nodes.clear();
  for (const node_view& node : whole.nodes) {
    made.nodes.push_back(node);
    if (node.inputs.size() < 2) continue;
    for (const input_view& input : node.inputs) {
      node_view& row = made.nodes.emplace_back();
      row.path = "  from " + folded(input.from);
      row.before = input.queue;
      row.is_input = true;
    }
  }
  return made;
}

std::vector<run_view> each_of(const std::vector<run_view>& all, run_view (*changed)(const run_view&)) {
  std::vector<run_view> made;
  std::ranges::transform(all, std::back_inserter(made), changed);
  return made;
}

std::size_t rows_in(const std::vector<run_view>& runs) {
  return std::accumulate(runs.begin(), runs.end(), std::size_t{0},
                         [](std::size_t sum, const run_view& run) { return sum + run.nodes.size(); });
}

// The part of the runs that is shown in a number of lines.
struct selection {
  std::vector<run_view> runs;  // folded, if necessary
  std::size_t sentence = 0;    // lines for the sentence of each run
  std::size_t room = 0;        // lines for the rows of all runs
  std::size_t left_out = 0;    // number of runs that are left out

  selection(const std::vector<run_view>& all, std::size_t width, std::optional<std::size_t> height)
      : runs(each_of(all, with_inputs)) {
    constexpr std::size_t long_sentence = 300;
    constexpr std::size_t short_sentence = 200;
    constexpr std::size_t rows_least = 2;
    sentence = ((runs.size() == 1 ? long_sentence : short_sentence) + width - 1) / width;
    room = rows_in(runs);
    if (!height) return;
    const std::size_t around = sentence + 1;  // and a title, or a blank line
    while (runs.size() > 1 && runs.size() * (around + rows_least) + (left_out == 0 ? 0 : 1) > *height) {
      runs.pop_back();
      ++left_out;
    }
    room = *height - std::min(*height, runs.size() * around + (left_out == 0 ? 0 : 1));
    if (rows_in(runs) <= room) return;
    std::vector<run_view> in_short = all;
    in_short.resize(runs.size());
    in_short = each_of(in_short, folded);
    runs = each_of(in_short, with_inputs);
    if (rows_in(runs) > room) runs = std::move(in_short);
  }
};

void add_runs(std::vector<std::string>& lines, const selection& chosen, std::size_t width, const text_style& style) {
  const columns shape(chosen.runs, width, style);
  for (const std::string& each : shape.heading()) lines.push_back(painted(each, dim, style));
  const bool one = chosen.runs.size() == 1 && chosen.left_out == 0;
  std::size_t room = chosen.room;
  std::size_t rows_left = rows_in(chosen.runs);
  std::size_t runs_left = chosen.runs.size();
  for (const run_view& run : chosen.runs) {
    if (!one) {
      lines.push_back(
          painted(fmt::format("run {}  {:>8}  {}", run.number, seconds_of(run.wall), through(run)), bold, style));
    }
    // Room that one run does not need is left for the other runs.
    const std::size_t most = rows_left <= room ? run.nodes.size() : room / runs_left;
    const std::vector<std::string> rows = rows_of(run, shape, most, style);
    lines.insert(lines.end(), rows.begin(), rows.end());
    room -= std::min(room, rows.size());
    rows_left -= run.nodes.size();
    --runs_left;
    if (one) lines.emplace_back();
    const std::string said = (run.ended ? "ended; " : "") + run.bottleneck;
    std::vector<std::string> sentence = wrapped(said, width);
    if (sentence.size() > chosen.sentence) sentence[chosen.sentence - 1] += ' ' + sentence[chosen.sentence];
    if (!one || sentence.size() > chosen.sentence) sentence.resize(chosen.sentence);
    for (const std::string& each : sentence) lines.push_back(painted(clipped(each, width, style), bold, style));
  }
  if (chosen.left_out != 0) {
    lines.push_back(painted(fmt::format("and {} more runs", chosen.left_out), dim, style));
  }
}

}  // namespace

std::vector<std::string> top_lines(const top_content& content, std::size_t width, std::size_t height,
                                   const text_style& style) {
  if (width < narrowest || (height != any_height && height < lowest)) {
    return {clipped(fmt::format("at least {} columns and {} lines", narrowest, lowest), width, style)};
  }
  constexpr std::size_t head = 4;  // title, blank line, two lines of heading
  constexpr std::size_t high_enough_for_output = 20;
  std::vector<std::string> foot;
  if (content.page.empty() && (height == any_height || height >= high_enough_for_output)) {
    for (const std::string& each : content.output) foot.push_back(painted(clipped(each, width, style), dim, style));
    if (!foot.empty()) foot.insert(foot.begin(), "");
  }
  const std::size_t keys = content.keys.empty() ? 0 : 1;
  std::vector<std::string> lines{title(content, width, style), ""};
  if (!content.page.empty()) {
    for (const std::string& each : content.page) lines.push_back(clipped(each, width, style));
  } else if (content.runs.empty()) {
    lines.emplace_back(content.state.empty() ? "no run under way" : content.state);
  } else {
    const auto free = height == any_height ? std::nullopt : std::optional(height - head - foot.size() - keys);
    add_runs(lines, selection(content.runs, width, free), width, style);
  }
  lines.insert(lines.end(), foot.begin(), foot.end());
  if (height == any_height) return lines;
  lines.resize(keys == 0 ? std::min(lines.size(), height) : height - 1);
  if (keys != 0) lines.push_back(painted(clipped(content.keys, width, style), dim, style));
  return lines;
}
