// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/graph/dot.hpp"

#include "graph/dot_text.hpp"
#include "graph/figures.hpp"
#include "graph/frames.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace weir::detail {
namespace {

constexpr std::size_t longest_type_drawn = 40;
constexpr std::size_t longest_line = 64;  // in the text below the picture
constexpr double worth_telling = 0.3;     // shorter waits are not shown: share of the run

constexpr colour idle_node{255, 255, 255}, busy_node{240, 96, 80}, empty_channel{140, 150, 160},
    full_channel{215, 35, 20};

std::string shortened(std::string type) {
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  for (std::size_t at = type.find(anonymous); at != type.npos; at = type.find(anonymous)) {
    type.erase(at, anonymous.size());
  }
  return type.size() <= longest_type_drawn ? type : type.substr(0, longest_type_drawn) + "…";
}

std::string title(const std::string& path) { return html(path.starts_with('/') ? path.substr(1) : path); }

// Returns the title in lines about as long as the names in the box, so that arrows from above pass
// beside the title.
std::string title_of_box(const std::string& path) {
  constexpr std::size_t longest = 14;
  std::string lines, line;
  for (std::size_t begin = 1, end = 0; begin < path.size(); begin = end) {
    end = std::min(path.find('/', begin), path.size() - 1) + 1;
    const std::string part = path.substr(begin, end - begin);
    if (!line.empty() && line.size() + part.size() > longest) lines = below(lines, html(std::exchange(line, "")));
    line += part;
  }
  return below(lines, html(line));
}

// Returns the title of a node in a box, without the path of the box.
std::string title_in(const std::string& box, const std::string& path) {
  if (box.empty() || !path.starts_with(box)) return title(path);
  return html(path.substr(box.rfind('/') + 1));
}

// Smallest and largest value of a share among the nodes of a figure that have one.
struct range {
  double least = 1, most = 0;
  bool known = false;

  range(const figure& f, std::optional<double> drawing::node::*share) {
    for (const drawing::node* node : f.nodes) {
      if (!(node->*share)) continue;
      const double part = std::clamp(*(node->*share), 0.0, 1.0);
      least = std::min(least, part), most = std::max(most, part), known = true;
    }
  }
  std::string text() const {
    return (percent(least) == percent(most) ? "" : percent(least) + "–") + percent(most) + " %";
  }
};

std::string to_text(const figure& f, const std::string& box) {
  const drawing::node& first = *f.nodes.front();
  std::string label = title_in(box, f.id), tip = f.id + "\nkind: " + first.kind, look;
  if (f.nodes.size() > 1) label += " ×" + std::to_string(f.nodes.size()), look += ", peripheries=2";
  if (first.kind != "node" && !first.path.starts_with("/" + first.kind)) label = below(label, small(html(first.kind)));
  if (f.nodes.size() == 1 && !first.note.empty()) tip += '\n' + first.note;
  if (const range busy(f, &drawing::node::busy); busy.known) {
    label = below(label, "<FONT POINT-SIZE=\"10\">busy " + busy.text() + "</FONT>");
    look += ", fillcolor=\"" + mixed(idle_node, busy_node, busy.most) + '"';
  }
  if (std::any_of(f.nodes.begin(), f.nodes.end(), [](const drawing::node* each) { return each->bottleneck; })) {
    label = below(label, "<FONT POINT-SIZE=\"10\"><B>bottleneck</B></FONT>");
    look += ", penwidth=3, color=\"#8c1007\"";
  } else {
    for (const auto& [name, share] :
         {std::pair("no input ", &drawing::node::waiting_input), std::pair("no room ", &drawing::node::waiting_room)}) {
      const range waits(f, share);
      if (waits.most >= worth_telling) label = below(label, small(name + waits.text()));
    }
  }
  return in_quotes(f.id) + " [label=<" + label + ">" + look + ", tooltip=" + in_quotes(tip) + "];\n";
}

// Returns the item type and the distribution of a flow.
std::string kind_of(const flow& f) {
  const drawing::channel& c = *f.front();
  std::string label = small(html(shortened(c.type)));
  if (!c.policy.empty()) label = below(label, small("<B>" + html(c.policy) + "</B>"));
  if (c.unbounded && c.loop.empty()) label = below(label, small("unbounded"));
  return label;
}

std::string bracketed(const std::string& label) { return label.empty() ? "\"\"" : "<" + label + ">"; }

// Returns a label with a margin to the arrow beside it, for thick arrows.
std::string spaced(const std::string& label) {
  return "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"3\"><TR><TD>" + label + "</TD></TR></TABLE>>";
}

class picture {
 public:
  explicit picture(const drawing& d) : d_(d), figures_(d), frames_(figures_), sides_(d.downwards ? down : right) {
    for (const bundle& b : figures_.bundles) {
      if (!b.goes_back()) continue;
      for (const std::size_t end : b.ends()) ++loops_at_[end];
    }
    for (std::size_t i = 0; i != figures_.all.size(); ++i) figures_in_[frames_.around({i})].push_back(i);
    for (std::size_t i = 0; i != figures_.bundles.size(); ++i) {
      const bundle& b = figures_.bundles[i];
      joints_in_[b.goes_back() ? frames_.outside_loop(i) : frames_.around(b.ends())].push_back(i);
    }
  }

  // The fonts are wide, so that the text also fits its boxes when other fonts are shown.
  std::string text() const {
    std::string out = "digraph weir {\n  graph [rankdir=" + std::string(d_.downwards ? "TB" : "LR") +
                      ", nodesep=0.2, ranksep=0.35, " + (has_groups() ? "newrank=true, " : "") + font(11) +
                      "];\n"
                      "  node [shape=box, style=\"rounded,filled\", fillcolor=white, color=\"#4a5560\", height=0.35, "
                      "margin=\"0.12,0.05\", " +
                      font(12) +
                      "];\n"
                      "  edge [color=\"#4a5560\", arrowsize=0.7, " +
                      font(9) + "];\n";
    write_inside(out, no_frame);
    for (std::size_t i = 0; i != figures_.bundles.size(); ++i) {
      const bundle& b = figures_.bundles[i];
      if (!has_label_on_its_way(b)) {
        write_arrow(out, id(*b.from.begin()), id(b.to.begin()->first), b.all, "", label_of(b));
      } else if (b.goes_back()) {
        write_loop(out, i);
      } else {
        write_joined(out, i);
      }
    }
    if (const std::string rows = rows_below(); !rows.empty()) {
      out +=
          "  label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\">" + rows + "</TABLE>>;\n";
    }
    return out + "}\n";
  }

 private:
  // Points of the compass at which arrows enter a node, leave it, and turn to go back.
  struct sides {
    const char *in, *out, *turn;
  };
  static constexpr sides right{":w", ":e", ":s"}, down{":n", ":s", ":e"};
  static constexpr const char* unseen = "shape=point, width=0.01, style=invis, label=\"\"";

  static std::string font(int size) {
    return "fontname=\"DejaVu Sans,Verdana,Helvetica,Arial,sans-serif\", fontsize=" + std::to_string(size);
  }
  // Returns whether there are groups. Without `newrank` Graphviz would rank each group by itself,
  // and arrows between groups would lead backwards.
  bool has_groups() const {
    return std::any_of(frames_.all().begin(), frames_.all().end(),
                       [](const frame& each) { return each.of == frame::kind::group; });
  }
  std::string id(std::size_t f) const { return in_quotes(figures_.all[f].id); }
  static std::string joint(std::size_t number) { return "\"joint " + std::to_string(number) + '"'; }
  static std::string begin_of_way_back(std::size_t number) { return "\"back from " + std::to_string(number) + '"'; }
  static std::string end_of_way_back(std::size_t number) { return "\"back to " + std::to_string(number) + '"'; }

  // Returns the number of items that passed, and the number per second.
  std::string rates_of(const flow& f) const {
    double items = 0;
    bool known = false;
    for (const drawing::channel* c : f) {
      if (c->items) items += static_cast<double>(*c->items), known = true;
    }
    if (!known) return "";
    return below(small(short_number(items)), d_.seconds > 0 ? small(short_number(items / d_.seconds) + "/s") : "");
  }
  // Graphviz leads no arrow across a label that is a node on the way of its own arrow. Other arrows
  // that turn may cross a label beside an arrow.
  bool has_label_on_its_way(const bundle& b) const {
    const auto turns = [&](std::size_t figure) { return loops_at_.contains(figure); };
    const std::set<std::size_t> ends = b.ends();
    if (b.goes_back()) return ends.size() > 1 || loops_at_.at(*ends.begin()) > 1;
    return b.has_joint() || (std::any_of(ends.begin(), ends.end(), turns) && !label_of(b).empty());
  }
  std::string label_of(const bundle& b) const { return below(b.says_kind ? kind_of(b.all) : "", rates_of(b.all)); }

  std::string look_of(const flow& f) const {
    double sum = 0, most = 0;
    std::size_t counted = 0;
    for (const drawing::channel* c : f) {
      if (!c->fill) continue;
      const double fill = std::clamp(*c->fill, 0.0, 1.0);
      sum += fill, most = std::max(most, fill), ++counted;
    }
    std::string tip;
    if (f.size() == 1) {
      const drawing::channel& c = *f.front();
      tip =
          d_.nodes[c.from].path + " -> " + d_.nodes[c.to].path + '\n' + c.type + (c.note.empty() ? "" : '\n' + c.note);
    } else {
      tip = std::to_string(f.size()) + " channels of " + f.front()->type;
    }
    if (!f.front()->loop.empty()) tip += "\nback in the loop " + f.front()->loop;
    std::string text;
    if (counted != 0) {
      const double mean = sum / static_cast<double>(counted);
      tip += "\nfill " + percent(mean) + " %" + (counted > 1 ? " on average, at most " + percent(most) + " %" : "");
      text = "color=\"" + mixed(empty_channel, full_channel, mean) +
             "\", penwidth=" + std::to_string(1 + std::lround(3 * mean)) + ", ";
    }
    if (f.front()->unbounded) text += "style=dashed, ";
    return text + "tooltip=" + in_quotes(tip);
  }

  void write_arrow(std::string& out, const std::string& from, const std::string& to, const flow& f,
                   const std::string& look, const std::string& label = "") const {
    out += "  " + from + " -> " + to + " [" + look_of(f) + look + (label.empty() ? "" : ", label=" + spaced(label)) +
           "];\n";
  }

  // The flows of a bundle, grouped by their source or destination. If there are several groups,
  // each has its rates on its arrow.
  struct arm {
    std::size_t figure;
    std::string name;
    flow all;
  };
  std::vector<arm> arms_in(std::size_t number) const {
    std::map<std::size_t, flow> by_figure;
    for (const drawing::channel* c : figures_.bundles[number].all) by_figure[figures_.of_node[c->from]].push_back(c);
    std::vector<arm> result;
    for (const auto& [from, f] : by_figure) {
      result.push_back({from, "\"from " + std::to_string(from) + ' ' + joint(number).substr(1), f});
    }
    return result;
  }
  std::vector<arm> arms_out(std::size_t number) const {
    std::map<std::pair<std::size_t, std::uint32_t>, flow> by_port;
    for (const drawing::channel* c : figures_.bundles[number].all) {
      by_port[{figures_.of_node[c->to], c->to_port}].push_back(c);
    }
    std::vector<arm> result;
    for (const auto& [to, f] : by_port) {
      result.push_back(
          {to.first,
           "\"to " + std::to_string(to.first) + ' ' + std::to_string(to.second) + ' ' + joint(number).substr(1), f});
    }
    return result;
  }
  void write_rates(std::string& out, const std::vector<arm>& arms) const {
    if (arms.size() == 1) return;
    for (const arm& each : arms) {
      if (const std::string rates = rates_of(each.all); !rates.empty()) write_label(out, each.name, rates);
    }
  }
  static void write_label(std::string& out, const std::string& name, const std::string& label) {
    out += "  " + name + " [shape=plain, style=\"\", label=" + bracketed(label) + "];\n";
  }

  void write_arms_in(std::string& out, std::size_t number, const std::string& to) const {
    const std::vector<arm> arms = arms_in(number);
    for (const arm& each : arms) {
      const bool has_rates = arms.size() > 1 && !rates_of(each.all).empty();
      const std::string from = id(each.figure) + (arms.size() > 1 ? sides_.out : "");
      write_arrow(out, from, has_rates ? each.name + sides_.in : to, each.all, ", arrowhead=none");
      if (has_rates) write_arrow(out, each.name + sides_.out, to, each.all, ", arrowhead=none");
    }
  }
  void write_arms_out(std::string& out, std::size_t number, const std::string& from) const {
    const std::vector<arm> arms = arms_out(number);
    for (const arm& each : arms) {
      const bool has_rates = arms.size() > 1 && !rates_of(each.all).empty();
      const std::string to = id(each.figure) + (arms.size() > 1 ? sides_.in : "");
      if (has_rates) write_arrow(out, from, each.name + sides_.in, each.all, ", arrowhead=none");
      write_arrow(out, has_rates ? each.name + sides_.out : from, to, each.all, "");
    }
  }

  void write_joined(std::string& out, std::size_t number) const {
    write_arms_in(out, number, joint(number) + sides_.in);
    write_arms_out(out, number, joint(number) + sides_.out);
  }

  // Returns whether an arrow that goes back turns at a point of its own, behind the last figures or
  // before the first ones.
  static bool turns_behind(const bundle& b) { return b.from.size() > 1 || b.ends().size() == 1; }
  static bool turns_before(const bundle& b) { return b.to.size() > 1 || b.ends().size() == 1; }

  // Graphviz ranks the nodes by the direction of arrows. For this reason the way back also leads
  // forward, and its arrowheads are at the other end.
  void write_loop(std::string& out, std::size_t number) const {
    const bundle& b = figures_.bundles[number];
    const std::size_t first = b.to.begin()->first, last = *b.from.begin();
    const std::string turn = frames_.is_chain(number) ? sides_.turn : "";
    std::string begin = id(last) + turn, end = id(first) + turn, head = ", dir=back";
    if (turns_before(b)) {
      end = end_of_way_back(number);
      write_arms_out(out, number, end);
      end += sides_.turn, head = ", dir=none";
    }
    if (turns_behind(b)) {
      begin = begin_of_way_back(number);
      write_arms_in(out, number, begin);
      begin += sides_.turn;
    }
    write_arrow(out, end, joint(number) + sides_.in, b.all, head);
    write_arrow(out, joint(number) + sides_.out, begin, b.all, ", dir=none");
  }

  void write_inside(std::string& out, std::size_t outer) const {
    const auto of = [&](const auto& lists) {
      const auto found = lists.find(outer);
      return found == lists.end() ? std::vector<std::size_t>{} : found->second;
    };
    // In a downwards drawing the arrows would cross the title of a box. So the box has no title,
    // and its nodes have their full names.
    const bool in_box = !d_.downwards && outer != no_frame && frames_.all()[outer].of == frame::kind::box;
    for (const std::size_t f : of(figures_in_)) {
      out += "  " + to_text(figures_.all[f], in_box ? frames_.all()[outer].name : "");
    }
    std::map<std::size_t, std::size_t> frames_by_first;
    for (std::size_t i = 0; i != frames_.all().size(); ++i) {
      if (frames_.all()[i].outer == outer) frames_by_first.emplace(*frames_.all()[i].inside.begin(), i);
    }
    for (const auto& [first, i] : frames_by_first) write_frame(out, i);
    for (const std::size_t i : of(joints_in_)) {
      const bundle& b = figures_.bundles[i];
      if (!has_label_on_its_way(b)) continue;
      write_label(out, joint(i), label_of(b));
      write_rates(out, arms_in(i));
      write_rates(out, arms_out(i));
      if (!b.goes_back()) continue;
      if (turns_behind(b)) out += "  " + begin_of_way_back(i) + " [" + unseen + "];\n";
      if (turns_before(b)) out += "  " + end_of_way_back(i) + " [" + unseen + "];\n";
    }
  }

  void write_frame(std::string& out, std::size_t number) const {
    const frame& f = frames_.all()[number];
    out += "  subgraph cluster_" + std::to_string(number) + " { ";
    switch (f.of) {
      case frame::kind::group:
        out += "label=<group <B>" + html(f.name) + "</B>>; labeljust=l; style=\"rounded,dashed\"; color=\"#4a5560\";\n";
        break;
      case frame::kind::box:
        out += "label=" + bracketed(d_.downwards ? "" : title_of_box(f.name)) +
               "; labeljust=c; style=\"rounded,filled\"; color=\"#c5ccd3\"; fillcolor=\"#f1f4f7\";\n";
        break;
      case frame::kind::loop: out += "label=\"\"; style=invis;\n";
    }
    write_inside(out, number);
    out += "  }\n";
  }

  std::string rows_below() const {
    std::string rows;
    const auto row = [&](const std::string& label) {
      if (!label.empty()) rows += "<TR><TD COLSPAN=\"6\">" + label + "</TD></TR>";
    };
    const auto scale = [&](const std::string& what, const colour& from, const colour& to, const std::string& text) {
      rows += "<TR><TD ALIGN=\"RIGHT\">" + what + "</TD>";
      for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        rows += "<TD BGCOLOR=\"" + mixed(from, to, share) + "\"><FONT COLOR=\"" + text + "\">" + percent(share) +
                " %</FONT></TD>";
      }
      rows += "</TR>";
    };
    const auto some = [](const auto& of, auto what) { return std::any_of(of.begin(), of.end(), what); };
    const bool busy = some(d_.nodes, [](const auto& n) { return n.busy.has_value(); });
    const bool fill = some(d_.channels, [](const auto& c) { return c.fill.has_value(); });
    const bool items = some(d_.channels, [](const auto& c) { return c.items.has_value(); });
    if (const std::string lines = html_lines(d_.verdict, longest_line); !lines.empty()) row("<B>" + lines + "</B>");
    row(html_lines(d_.caption, longest_line));
    if (busy) scale("node: busy, of the run", idle_node, busy_node, "black");
    if (fill) scale("channel: full, on average", empty_channel, full_channel, "white");
    if (items)
      row(d_.seconds > 0 ? "at channels: items that passed, and items per second" : "at channels: items that passed");
    return rows;
  }

  const drawing& d_;
  figures figures_;
  frames frames_;
  sides sides_;
  std::map<std::size_t, std::size_t> loops_at_;                             // loops that begin or end there, by figure
  std::map<std::size_t, std::vector<std::size_t>> figures_in_, joints_in_;  // by frame; `no_frame`: outside all frames
};

}  // namespace

std::string to_dot(const drawing& d) { return picture(d).text(); }

std::string to_dot(const graph& g) { return to_dot(drawing_of_json(to_json(g, -1))); }

}  // namespace weir::detail
