// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/dot.hpp"

#include "graph/json_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace weir {
namespace {

constexpr std::size_t most_members_drawn = 16;
constexpr std::size_t longest_type_drawn = 40;

using colour = std::array<int, 3>;
constexpr colour idle_node{255, 255, 255}, busy_node{240, 96, 80}, empty_channel{140, 150, 160},
    full_channel{215, 35, 20};

std::string mixed(const colour& from, const colour& to, double share) {
  std::string text = "#";
  for (std::size_t i = 0; i != from.size(); ++i) {
    const int part = from[i] + static_cast<int>(std::lround(share * (to[i] - from[i])));
    for (const int digit : {part / 16, part % 16}) text += "0123456789abcdef"[digit];
  }
  return text;
}

std::string percent(double share) { return std::to_string(std::lround(100 * share)); }

// JSON's escapes for quotes, backslashes and newlines are DOT's too.

std::string in_quotes(const std::string& text) {
  std::string result;
  for (const char c : quoted_json(text)) result += c == '&' ? std::string("&amp;") : std::string(1, c);
  return result;
}

// For labels in HTML: control characters appear as their escapes.
std::string html(const std::string& text) {
  static const std::map<char, std::string> entities{{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  const std::string from = quoted_json(text);
  std::string result;
  for (std::size_t i = 1; i + 1 < from.size(); ++i) {
    if (from[i] == '\\' && (from[i + 1] == '"' || from[i + 1] == '\\')) ++i;
    const auto entity = entities.find(from[i]);
    result += entity != entities.end() ? entity->second : std::string(1, from[i]);
  }
  return result;
}

std::string small(const std::string& text) { return "<FONT POINT-SIZE=\"9\" COLOR=\"#4a5560\">" + text + "</FONT>"; }

std::string shortened(const std::string& type) {
  return type.size() <= longest_type_drawn ? type : type.substr(0, longest_type_drawn) + "…";
}

// `/outer[1]/inner[0]` -> `/outer[*]/inner[*]`, the same for all members of a farm.
std::string family_of(const drawing::node& node) {
  if (node.width <= 1) return node.path;
  std::string result;
  for (std::size_t i = 0; i != node.path.size(); ++i) {
    result += node.path[i];
    const std::size_t end = node.path.find_first_not_of("0123456789", i + 1);
    if (node.path[i] != '[' || end == i + 1 || end == std::string::npos || node.path[end] != ']') continue;
    result += '*';
    i = end - 1;
  }
  return result;
}

// The box it is drawn in: that of its outermost farm; empty if none.
std::string box_of(const drawing::node& node) {
  const std::size_t bracket = node.width > 1 ? node.path.find('[') : std::string::npos;
  return bracket == std::string::npos ? "" : node.path.substr(0, bracket);
}

std::string title(const std::string& path) { return html(path.starts_with('/') ? path.substr(1) : path); }

// In a box the name of that says where it is.
std::string title_in(const std::string& box, const std::string& path) {
  if (box.empty() || !path.starts_with(box)) return title(path);
  return html(path.substr(box.rfind('/') + 1));
}

/// What one arrow stands for.
struct flow {
  std::vector<const drawing::channel*> channels;

  std::string attributes(const drawing& d, bool arrowhead) const {
    double sum = 0, most = 0;
    std::size_t counted = 0;
    for (const drawing::channel* c : channels) {
      if (!c->fill) continue;
      const double fill = std::clamp(*c->fill, 0.0, 1.0);
      sum += fill, most = std::max(most, fill), ++counted;
    }
    std::string tip;
    if (channels.size() == 1) {
      const drawing::channel& c = *channels.front();
      tip = d.nodes[c.from].path + " -> " + d.nodes[c.to].path + '\n' + c.type + (c.note.empty() ? "" : '\n' + c.note);
    } else {
      tip = std::to_string(channels.size()) + " channels of " + channels.front()->type;
    }
    std::string text;
    if (counted != 0) {
      const double mean = sum / static_cast<double>(counted);
      tip += "\nfill " + percent(mean) + " %" + (counted > 1 ? " on average, at most " + percent(most) + " %" : "");
      text = "color=\"" + mixed(empty_channel, full_channel, mean) +
             "\", penwidth=" + std::to_string(1 + std::lround(3 * mean)) + ", ";
    }
    if (channels.front()->unbounded) text += "style=dashed, ";
    if (!arrowhead) text += "arrowhead=none, ";
    return text + "tooltip=" + in_quotes(tip);
  }
};

/// One node of the picture: a node, or the members of a farm that is too wide.
struct figure {
  std::string id;
  std::vector<const drawing::node*> nodes;
};

std::string to_text(const figure& f, const std::string& box) {
  const drawing::node& first = *f.nodes.front();
  std::string label = title_in(box, f.id), tip = f.id + "\nkind: " + first.kind;
  if (f.nodes.size() > 1) label += " ×" + std::to_string(f.nodes.size());
  if (first.kind != "node" && !first.path.starts_with("/" + first.kind)) label += "<BR/>" + small(html(first.kind));
  if (f.nodes.size() == 1 && !first.note.empty()) tip += '\n' + first.note;
  double least = 1, most = 0;
  bool counted = false;
  for (const drawing::node* node : f.nodes) {
    if (!node->busy) continue;
    const double busy = std::clamp(*node->busy, 0.0, 1.0);
    least = std::min(least, busy), most = std::max(most, busy), counted = true;
  }
  std::string fill;
  if (counted) {
    const std::string range = percent(least) == percent(most) ? "" : percent(least) + "–";
    label += "<BR/><FONT POINT-SIZE=\"10\">busy " + range + percent(most) + " %</FONT>";
    fill = ", fillcolor=\"" + mixed(idle_node, busy_node, most) + "\"";
  }
  return in_quotes(f.id) + " [label=<" + label + ">" + (f.nodes.size() > 1 ? ", peripheries=2" : "") + fill +
         ", tooltip=" + in_quotes(tip) + "];\n";
}

/// Channels of one kind that join each of `from` with each of `to`.
struct bundle {
  std::string label;
  std::set<std::size_t> from;                          // figures
  std::set<std::pair<std::size_t, std::uint32_t>> to;  // figures and their in-ports
  flow all;
};

class picture {
 public:
  explicit picture(const drawing& d) : d_(d) {
    std::map<std::string, std::size_t> members, seen;
    for (const drawing::node& node : d.nodes) ++members[key(node)];
    for (const drawing::node& node : d.nodes) {
      const bool alone = members[key(node)] <= most_members_drawn;
      const std::string id = alone ? node.path : family_of(node);
      const auto [at, is_new] = seen.emplace(alone ? id : key(node), figures_.size());
      if (is_new) figures_.push_back({id, {}});
      figures_[at->second].nodes.push_back(&node);
      figure_of_.push_back(at->second);
    }
    collect_bundles();
  }

  // The fonts are wide ones, so that the text fits its boxes where others are shown.
  std::string text() const {
    std::string out =
        "digraph weir {\n"
        "  graph [rankdir=LR, nodesep=0.2, ranksep=0.35, fontname=\"DejaVu Sans,Verdana,Helvetica,Arial,sans-serif\", "
        "fontsize=11];\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, color=\"#4a5560\", height=0.35, "
        "margin=\"0.12,0.05\","
        " fontname=\"DejaVu Sans,Verdana,Helvetica,Arial,sans-serif\", fontsize=12];\n"
        "  edge [color=\"#4a5560\", arrowsize=0.7, fontname=\"DejaVu Sans,Verdana,Helvetica,Arial,sans-serif\", "
        "fontsize=9];\n";
    write_nodes(out);
    for (std::size_t i = 0; i != bundles_.size(); ++i) write_bundle(out, i);
    const auto counted = [](const auto& of, auto what) { return std::any_of(of.begin(), of.end(), what); };
    const bool legend = counted(d_.nodes, [](const auto& n) { return n.busy.has_value(); }) ||
                        counted(d_.channels, [](const auto& c) { return c.fill.has_value(); });
    if (legend || !d_.caption.empty()) out += "  label=<" + below(legend) + ">;\n";
    return out + "}\n";
  }

 private:
  static std::string key(const drawing::node& node) { return node.group + '\n' + node.kind + '\n' + family_of(node); }

  void collect_bundles() {
    using port = std::tuple<std::string, std::string, bool, std::uint32_t>;  // type, policy, unbounded, port
    std::map<std::pair<port, std::size_t>, bundle> by_port;                  // and the figure it belongs to
    for (const drawing::channel& c : d_.channels) {
      const std::size_t from = figure_of_[c.from];
      bundle& own = by_port[{{c.type, c.policy, c.unbounded, c.from_port}, from}];
      own.to.emplace(figure_of_[c.to], c.to_port);
      own.all.channels.push_back(&c);
    }
    std::map<std::pair<port, decltype(bundle::to)>, bundle> merged;
    for (auto& [which, own] : by_port) {
      bundle& into = merged[{which.first, own.to}];
      into.from.insert(which.second);
      into.to = own.to;
      into.all.channels.insert(into.all.channels.end(), own.all.channels.begin(), own.all.channels.end());
    }
    for (auto& [which, own] : merged) bundles_.push_back(std::move(own));
    std::sort(bundles_.begin(), bundles_.end(), [](const bundle& a, const bundle& b) {
      return std::tie(*a.from.begin(), *a.to.begin()) < std::tie(*b.from.begin(), *b.to.begin());
    });
    std::set<std::vector<std::string>> said;
    for (bundle& b : bundles_) {
      const drawing::channel& c = *b.all.channels.front();
      std::string label = small(html(shortened(c.type)));
      if (!c.policy.empty()) label += "<BR/>" + small("<B>" + html(c.policy) + "</B>");
      if (c.unbounded) label += "<BR/>" + small("unbounded");
      const bool joint = b.from.size() * b.to.size() > 1;
      if (joint || said.insert({family_of(d_.nodes[c.from]), family_of(d_.nodes[c.to]), label}).second) b.label = label;
    }
  }

  void write_nodes(std::string& out) const {
    std::map<std::string, std::map<std::string, std::vector<const figure*>>> groups;  // group, box
    for (const figure& f : figures_) groups[f.nodes.front()->group][box_of(*f.nodes.front())].push_back(&f);
    std::size_t cluster = 0;
    const auto open = [&](const std::string& name, const std::string& look) {
      out += "  subgraph cluster_" + std::to_string(cluster++) + " { label=<" + name + ">; " + look + "\n";
    };
    for (const auto& [group, boxes] : groups) {
      if (!group.empty()) open("group <B>" + html(group) + "</B>", "style=\"rounded,dashed\"; color=\"#4a5560\";");
      for (const auto& [box, inside] : boxes) {
        const bool framed = !box.empty() && inside.size() > 1;
        if (framed) open(title(box), "style=\"rounded,filled\"; color=\"#c5ccd3\"; fillcolor=\"#f1f4f7\";");
        for (const figure* f : inside) out += "  " + to_text(*f, framed ? box : "");
        if (framed) out += "  }\n";
      }
      if (!group.empty()) out += "  }\n";
    }
  }

  void write_bundle(std::string& out, std::size_t number) const {
    const bundle& b = bundles_[number];
    const auto arrow = [&](const std::string& from, const std::string& to, const flow& f, bool head) -> std::string& {
      return out += "  " + from + " -> " + to + " [" + f.attributes(d_, head);
    };
    const auto id = [&](std::size_t f) { return in_quotes(figures_[f].id); };
    if (b.from.size() * b.to.size() == 1) {
      arrow(id(*b.from.begin()), id(b.to.begin()->first), b.all, true);
      out += b.label.empty() ? "];\n" : ", label=<" + b.label + ">];\n";
      return;
    }
    std::map<std::size_t, flow> in;
    std::map<std::pair<std::size_t, std::uint32_t>, flow> from_joint;
    for (const drawing::channel* c : b.all.channels) {
      in[figure_of_[c->from]].channels.push_back(c);
      from_joint[{figure_of_[c->to], c->to_port}].channels.push_back(c);
    }
    const std::string joint = "\"joint " + std::to_string(number) + '"';
    out += "  " + joint + " [shape=plain, style=\"\", label=<" + b.label + ">];\n";
    for (const auto& [from, f] : in) arrow(id(from), joint + ":w", f, false) += "];\n";
    for (const auto& [to, f] : from_joint) arrow(joint + ":e", id(to.first), f, true) += "];\n";
  }

  std::string below(bool legend) const {
    std::string rows = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\">";
    if (!d_.caption.empty()) rows += "<TR><TD COLSPAN=\"7\">" + html(d_.caption) + "</TD></TR>";
    const auto scale = [&](const std::string& what, const colour& from, const colour& to, const std::string& text) {
      rows += "<TR><TD ALIGN=\"RIGHT\">" + what + "</TD>";
      for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        rows += "<TD BGCOLOR=\"" + mixed(from, to, share) + "\"><FONT COLOR=\"" + text + "\">" + percent(share) +
                " %</FONT></TD>";
      }
      rows += "</TR>";
    };
    if (legend) {
      scale("node: busy, of the run", idle_node, busy_node, "black");
      scale("channel: full, on average", empty_channel, full_channel, "white");
    }
    return rows + "</TABLE>";
  }

  const drawing& d_;
  std::vector<figure> figures_;
  std::vector<std::size_t> figure_of_;  // of each node
  std::vector<bundle> bundles_;
};

}  // namespace

std::string to_dot(const drawing& d) { return picture(d).text(); }

std::string to_dot(const graph& g) { return to_dot(drawing_of_json(to_json(g, -1))); }

}  // namespace weir
