// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A trace file, in the JSON Object Format of the Trace Event Format (Google, "Trace Event Format",
// the text that chrome://tracing links to). Times are microseconds since the start of the run.
//
//   file     = { "displayTimeUnit": "ns", "otherData": { "dropped": N }, "traceEvents": [ event, … ] }
//   event    = names of processes and threads (ph M) | slice (ph X) | the end of the dropped slices (ph i)
//   track    = pid 1, tid n: thread n of the pool, from 1 | pid 2, tid n: node n of the graph, from 1
//              in a trace of a cluster, for its n-th group: pid 2 n - 1 and 2 n
//   slice    = pid 1, name <path of the node>, with its activity there in brackets if it is not running
//            | pid 2, name running | blocked | waits for input | waits for room | waits for the outside | ready
//   args     = items, steps: in the slice | cause: the node or reason it waits for, why its core was given to others
//
// The slices of a track don't overlap.
#include "run/trace.hpp"

#include "weir/detail/passes/fuse.hpp"

#include "graph/give_notice.hpp"
#include "graph/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace weir::detail {
namespace {

using time = trace_slice::time;

// Waits shorter than this are left out.
constexpr time shortest_wait = 1000;
constexpr std::size_t named_most = 3;

// Removes the closing quote, so that text can be added.
std::string_view unclosed(const std::string& name) noexcept {
  return std::string_view(name).substr(0, name.size() - 1);
}

std::string_view why(core_loss core) noexcept {
  switch (core) {
    case core_loss::none: break;
    case core_loss::declared: return "is blocking(), and gave its core away";
    case core_loss::room: return "gave its core away when it waited for room";
    case core_loss::join: return "gave its core away when it waited for the rest of a join";
    case core_loss::asleep: return "its thread stood still inside user code, and its core was given to others";
    case core_loss::computed: return "did not come back from user code for long, and its core was given to others";
  }
  return {};
}

bool blocked(const trace_slice& slice) noexcept {
  return slice.core == core_loss::declared || slice.core == core_loss::join || slice.core == core_loss::asleep;
}

// The part of the cluster that a trace belongs to.
struct whose {
  std::string group = {};
  std::uint64_t first_pid = 1;
  std::function<time(time)> at = {};  // nanoseconds since the beginning
};

// Writes one trace.
class writer {
 public:
  writer(trace_text& file, const graph& g, const std::vector<std::unique_ptr<channel>>& channels, time started,
         whose its)
      : file_(file),
        graph_(g),
        started_(started),
        its_(std::move(its)),
        threads_track_(R"({"pid":)" + std::to_string(its_.first_pid) + R"(,"tid":)"),
        nodes_track_(R"({"pid":)" + std::to_string(its_.first_pid + 1) + R"(,"tid":)"),
        last_(g.nodes().size()) {
    for (channel_id id = 0; id != channels.size(); ++id) consumers_[channels[id].get()] = g.channels()[id].to;
    for (const node_description& node : g.nodes()) names_.push_back(quoted_json(node.path));
    for (const auto& chain : chains_of(g)) {
      std::string all = g.nodes()[chain.front()].path;
      for (std::size_t i = 1; i < chain.size(); ++i) {
        all += " + " + g.nodes()[chain[i]].path;
        is_led_.insert(chain[i]);
      }
      names_[chain.front()] = quoted_json(all);
    }
    for (node_id id = 0; id != g.nodes().size(); ++id) {
      std::set<node_id> from;
      for (const auto& port : g.nodes()[id].in) {
        for (const channel_id c : port.channels) from.insert(g.channels()[c].from);
      }
      producers_.push_back(quoted_json(list_of(from)));
    }
  }

  // Every event except the first begins with a comma; in a group's part the first one does, too.
  void head(std::uint64_t dropped, time dropped_until) {
    name_process(its_.first_pid, "threads", its_.group.empty() ? "" : ",\n");
    name_process(its_.first_pid + 1, "nodes", ",\n");
    for (node_id id = 0; id != names_.size(); ++id) {
      if (!is_led_.contains(id)) name_track(nodes_track_, id + 1, names_[id]);
    }
    if (dropped == 0) return;
    file_ << ",\n" << nodes_track_ << R"(1,"ph":"i","s":"p","ts":)";
    file_.put_microseconds(its_.at(dropped_until));
    file_ << R"(,"name":")" << std::to_string(dropped) << R"( older slices were dropped; give the trace more bytes"})";
  }

  void slices_of(const trace_chunk& chunk) {
    for (const trace_slice& slice : chunk.slices) {
      gap(chunk.node, slice);
      put(chunk.node, slice);
      last_[chunk.node] = slice;
    }
  }

  void tail() {
    for (const std::uint64_t thread : threads_) {
      name_track(threads_track_, thread, quoted_json("thread " + std::to_string(thread)));
    }
  }

 private:
  std::string list_of(const std::set<node_id>& nodes) const {
    std::string list;
    std::size_t named = 0;
    for (const node_id id : nodes) {
      if (named == named_most) return list + " or " + std::to_string(nodes.size() - named) + " more";
      list += (named++ == 0 ? "" : ", ") + graph_.nodes()[id].path;
    }
    return list;
  }

  void name_process(std::uint64_t pid, const char* what, const char* before) {
    const std::string name = its_.group.empty() ? what : its_.group + ": " + what;
    file_ << before << R"({"pid":)" << std::to_string(pid) << R"(,"ph":"M","name":"process_name","args":{"name":)"
          << quoted_json(name) << "}}";
  }

  void name_track(std::string_view track, std::uint64_t id, const std::string& name) {
    file_ << ",\n"
          << track << std::to_string(id) << R"(,"ph":"M","name":"thread_name","args":{"name":)" << name << "}},\n";
    file_ << track << std::to_string(id) << R"(,"ph":"M","name":"thread_sort_index","args":{"sort_index":)"
          << std::to_string(id) << "}}";
  }

  void begin_slice(std::string_view track, std::uint64_t id, time from, time to) {
    file_ << ",\n" << track << std::to_string(id) << R"(,"ph":"X","ts":)";
    const time begin = its_.at(from);
    file_.put_microseconds(begin);
    file_ << R"(,"dur":)";
    file_.put_microseconds(std::max<time>(its_.at(to) - begin, 0));
  }

  // Writes the time before a slice: the node waited, and then it was ready. Nothing else is known
  // about the time before its first slice.
  void gap(node_id id, const trace_slice& next) {
    const trace_slice& last = last_[id];
    const time from = last.end != 0 ? last.end : std::clamp(next.ready, started_, next.begin);
    const time ready = last.how == progress::more ? from : std::clamp(next.ready, from, next.begin);
    if (ready - from >= shortest_wait) {
      begin_slice(nodes_track_, id + 1, from, ready);
      put_wait(id, last);
      file_ << '}';
    }
    if (next.begin - ready >= shortest_wait) {
      begin_slice(nodes_track_, id + 1, ready, next.begin);
      file_ << R"(,"name":"ready"})";
    }
  }

  // Writes the name and the cause.
  void put_wait(node_id id, const trace_slice& last) {
    if (last.how == progress::waiting_input) {
      file_ << R"(,"name":"waits for input","args":{"cause":)" << producers_[id] << '}';
    } else if (last.toward == nullptr) {
      file_ << (last.in_place ? R"(,"name":"waits for room")" : R"(,"name":"waits for the outside")");
    } else {
      const std::string& name = names_[consumers_.at(last.toward)];
      file_ << R"(,"name":"waits for room","args":{"cause":)" << unclosed(name)
            << (last.one_of_many ? R"( or others"})" : R"("})");
    }
  }

  void put(node_id id, const trace_slice& slice) {
    threads_.insert(slice.thread + 1U);
    begin_slice(nodes_track_, id + 1, slice.begin, slice.end);
    if (slice.in_place) {
      put_wait(id, slice);
    } else {
      file_ << (blocked(slice) ? R"(,"name":"blocked")" : R"(,"name":"running")");
      put_work(slice);
    }
    file_ << '}';
    begin_slice(threads_track_, slice.thread + 1U, slice.begin, slice.end);
    file_ << R"(,"name":)" << unclosed(names_[id])
          << (slice.in_place   ? " (waits for room)"
              : blocked(slice) ? " (blocked)"
                               : "")
          << '"';
    if (!slice.in_place) put_work(slice);
    file_ << '}';
  }

  void put_work(const trace_slice& slice) {
    file_ << R"(,"args":{"items":)" << std::to_string(slice.items) << R"(,"steps":)" << std::to_string(slice.steps);
    if (slice.core != core_loss::none) file_ << R"(,"cause":")" << why(slice.core) << '"';
    file_ << '}';
  }

  trace_text& file_;
  const graph& graph_;
  const time started_;
  const whose its_;
  const std::string threads_track_;
  const std::string nodes_track_;
  std::map<const channel*, node_id> consumers_;
  std::vector<std::string> names_;      // quoted; the first node of a chain has the names of all
  std::set<node_id> is_led_;            // nodes behind the first of a chain, which records for all
  std::vector<std::string> producers_;  // quoted
  std::vector<trace_slice> last_;       // one per node; its end is 0 before the first slice
  std::set<std::uint64_t> threads_;
};

void write_events(trace_text& file, const graph& g, const std::vector<std::unique_ptr<channel>>& channels, time started,
                  whose its, const trace_memory& memory) {
  writer to(file, g, channels, started, std::move(its));
  to.head(memory.dropped(), memory.dropped_until());
  for (const auto& chunk : memory.chunks()) to.slices_of(*chunk);
  to.tail();
}

}  // namespace

trace::trace(const trace_options& asked, std::size_t nodes, bool is_part) : memory_(asked.bytes, nodes) {
  if (!is_part) file_.emplace(asked.file);
  for (node_id id = 0; id != nodes; ++id) logs_.emplace_back(memory_, id);
}

void trace::write(const graph& g, const std::vector<std::unique_ptr<channel>>& channels,
                  clock::time_point started) noexcept {
  try {
    for (trace_log& log : logs_) log.hand_in();
    const time begin = started.time_since_epoch().count();
    *file_ << R"({"displayTimeUnit":"ns","otherData":{"dropped":)" << std::to_string(memory_.dropped())
           << "},\"traceEvents\":[\n";
    write_events(*file_, g, channels, begin, {.at = [begin](time when) { return when - begin; }}, memory_);
    *file_ << "\n]}\n";
    file_->close();
  } catch (const std::exception& problem) {
    // The file has not been closed, so it is left empty.
    detail::give_notice({"no trace can be made: ", problem.what()});
  }
}

void trace::write_part(const graph& g, const std::vector<std::unique_ptr<channel>>& channels, clock::time_point started,
                       group_run& group) noexcept {
  try {
    for (trace_log& log : logs_) log.hand_in();
    const group_run::trace_part its = group.begin_trace();
    trace_pieces to(its.take);
    write_events(to, g, channels, started.time_since_epoch().count(),
                 {its.group, 2 * static_cast<std::uint64_t>(its.number) + 1, its.at}, memory_);
    to.end();
    group.end_trace(memory_.dropped());
  } catch (const std::exception&) {
    return;  // the part is lost; so is the group, or the memory is used up
  }
}

}  // namespace weir::detail
