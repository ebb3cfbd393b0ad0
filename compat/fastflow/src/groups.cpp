// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include "weir/cluster/coordinator.hpp"
#include "weir/item/bytes.hpp"

#include "task.hpp"

#include <ff/detail/process_group.hpp>
#include <ff/detail/serialized_task.hpp>
#include <ff/node.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace ff {
namespace detail {
namespace {

// The arguments of the process. DFF_Init sets them, before there are other threads.
struct arguments_of_process {
  std::string group;
  std::string configuration;  // to be written
  bool prints_group = false;
};
arguments_of_process given;

// The value of `--name=value`, or of `--name value`. Moves `at` to the last argument that belongs
// to it.
// @return whether the argument is that
bool takes(char** arguments, int& at, std::string_view name, std::string& value) {
  std::string_view argument = arguments[at];
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  if (argument.empty() && arguments[at + 1] != nullptr) {
    value = arguments[++at];
    return true;
  }
  if (!argument.starts_with('=')) return false;
  value = argument.substr(1);
  return true;
}

std::map<std::string, std::vector<std::string>> nodes_by_group(const weir::graph& of) {
  std::map<std::string, std::vector<std::string>> nodes;
  for (const weir::node_description& each : of.nodes()) nodes[each.traits.group].push_back(each.path);
  return nodes;
}

// A text in JSON.
std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') all += '\\';
    all += each;
  }
  return all + '"';
}

}  // namespace

int init_group(int& count, char** arguments, bool is_distributed) {
  given = {};
  std::string file;
  std::string group;
  int kept = 0;
  for (int i = 0; i != count; ++i) {
    const std::string_view each = arguments[i];
    if (i != 0 && (takes(arguments, i, "--DFF_Config", file) || takes(arguments, i, "--DFF_GName", group) ||
                   takes(arguments, i, "--DFF_dryrun", given.configuration)))
      continue;
    if (i != 0 && each == "--DFF_PrintGroup") {
      given.prints_group = true;
      continue;
    }
    if (i != 0 && each.starts_with("--DFF_")) {
      error(
          "DFF_Init: unknown option %s; there are --DFF_Config=FILE, --DFF_GName=NAME, --DFF_dryrun=FILE and "
          "--DFF_PrintGroup\n",
          arguments[i]);
      return -1;
    }
    arguments[kept++] = arguments[i];
  }
  arguments[kept] = nullptr;
  count = kept;
  if (!is_distributed) return 0;
  if (file.empty() != group.empty()) {
    error("DFF_Init: --DFF_Config=FILE and --DFF_GName=NAME are only of use together\n");
    return -1;
  }
  if (!file.empty()) {
    ::setenv(weir::group_environment::cluster, file.c_str(), 1);
    ::setenv(weir::group_environment::group, group.c_str(), 1);
  }
  given.group = weir::group_environment::name();
  return 0;
}

std::string name_of_group() { return given.group; }

bool only_writes_configurations() noexcept { return !given.configuration.empty(); }

void write_configuration(const weir::graph& of) {
  constexpr int first_port = 8000;
  std::string text = "{\"groups\": [";
  int port = first_port;
  for (const auto& [group, nodes] : nodes_by_group(of)) {
    if (group.empty())
      throw std::runtime_error(nodes.front() + " is in no group; put it into one with createGroup and <<");
    text += port == first_port ? "\n" : ",\n";
    text += "  {\"name\": " + quoted(group) + ", \"endpoint\": \"localhost:" + std::to_string(port++) +
            "\",\n   \"nodes\": [";
    for (std::size_t i = 0; i != nodes.size(); ++i) text += (i == 0 ? "" : ", ") + quoted(nodes[i].substr(1));
    text += "]}";
  }
  text += "\n]}\n";
  std::FILE* const to = std::fopen(given.configuration.c_str(), "w");
  const bool is_written = to != nullptr && std::fputs(text.c_str(), to) >= 0;
  if (to == nullptr || std::fclose(to) != 0 || !is_written)
    throw std::runtime_error("can't write the configuration " + given.configuration);
}

void print_group(const weir::graph& of) {
  if (!given.prints_group) return;
  for (const auto& [group, nodes] : nodes_by_group(of)) {
    if (group != given.group && !given.group.empty()) continue;
    cout << "group " << group << ":";
    for (const std::string& each : nodes) cout << ' ' << each.substr(1);
    cout << std::endl;
  }
}

// ---- standard output ----

constinit thread_local bool has_begun_line = false;
constinit thread_local bool has_left = false;  // the thread: what it writes now is written at once

namespace {

// Writes lines, of all threads.
class line_writer {
 public:
  bool write(std::string_view text) {
    const std::lock_guard lock(mutex_);
    std::streambuf& to = *std::cout.rdbuf();
    while (!text.empty()) {
      if (at_line_start_ && !given.group.empty()) put(to, "[" + given.group + "] ");
      const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
      if (!put(to, line)) return false;
      at_line_start_ = line.back() == '\n';
      text.remove_prefix(line.size());
    }
    return true;
  }

 private:
  static bool put(std::streambuf& to, std::string_view text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return to.sputn(text.data(), size) == size;
  }

  std::mutex mutex_;
  bool at_line_start_ = true;
};
constinit line_writer lines;

// The line that this thread has begun.
struct begun_line {
  std::string text;

  bool add(std::string_view more) {
    if (has_left) return lines.write(more);
    text += more;
    const std::size_t whole = text.rfind('\n') + 1;  // 0: none
    const bool is_written = lines.write(std::string_view(text).substr(0, whole));
    text.erase(0, whole);
    has_begun_line = !text.empty();
    return is_written;
  }
  bool write() {
    if (has_left) return true;
    const bool is_written = lines.write(text);
    text.clear();
    has_begun_line = false;
    return is_written;
  }
  ~begun_line() {
    write();
    has_left = true;
  }
};
thread_local begun_line line;

}  // namespace

void write_begun_line() { line.write(); }

std::streamsize prefixed_output::xsputn(const char* text, std::streamsize count) {
  return line.add({text, static_cast<std::size_t>(count)}) ? count : 0;
}

int prefixed_output::overflow(int character) {
  if (character == traits_type::eof()) return 0;
  const char one = static_cast<char>(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

int prefixed_output::sync() { return line.write() && std::cout.rdbuf()->pubsync() == 0 ? 0 : -1; }

namespace {
[[gnu::init_priority(1000)]] prefixed_output output;
}  // namespace

// ---- the first byte of an encoded task ----

bool encode_first(const void* what, weir::byte_sink& out) {
  const bool is_reserved = what != nullptr && !is_pointer(what);
  weir::append(out, static_cast<std::uint8_t>(is_reserved ? eos - number_of(what) + 1 : 0));
  return !is_reserved;
}

void* decode_first(weir::byte_source& in) {
  std::uint8_t first = 0;
  in.read(first);
  if (first == 0) return nullptr;
  if (first - 1U > eos - least_reserved)
    throw weir::codec_error("the first byte of a task has a value without meaning");
  return reinterpret_cast<void*>(eos - (first - 1U));
}

}  // namespace detail

// Before the global objects of programs, which may write.
[[gnu::init_priority(1001)]] std::ostream cout(&detail::output);

// ---- groups in the program ----

namespace {

detail::node_groups& groups_in(std::unique_ptr<detail::node_groups>& of) {
  if (of == nullptr) of = std::make_unique<detail::node_groups>();
  return *of;
}

}  // namespace

GroupInterface ff_node::createGroup(const std::string& name, const std::string& /*host*/) {
  groups_in(groups_).made.push_back(name);
  return GroupInterface(name, this);
}

GroupInterface& GroupInterface::operator<<(ff_node* node) {
  if (base != nullptr && base != node) groups_in(base->groups_).has_chosen_parts = true;
  std::vector<std::string>& in = groups_in(node->groups_).in;
  if (std::find(in.begin(), in.end(), name) == in.end()) in.push_back(name);
  return *this;
}

}  // namespace ff
