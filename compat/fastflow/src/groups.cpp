// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include "weir/cluster/coordinator.hpp"
#include "weir/item/bytes.hpp"

#include "task.hpp"

#include <ff/detail/process_group.hpp>
#include <ff/detail/serialized_task.hpp>
#include <ff/node.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
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

// An option of FastFlow's.
enum class option { other, without_value, taken };

// Reads `--name=value`, or `--name value`. Moves `at` to the last argument that belongs to it.
option take(char** arguments, int& at, std::string_view name, std::string& value) {
  std::string_view argument = arguments[at];
  if (!argument.starts_with(name)) return option::other;
  argument.remove_prefix(name.size());
  if (argument.empty()) {
    if (arguments[at + 1] == nullptr) return option::without_value;
    value = arguments[++at];
    return option::taken;
  }
  if (!argument.starts_with('=')) return option::other;
  value = argument.substr(1);
  return option::taken;
}

std::map<std::string, std::vector<std::string>> nodes_by_group(const weir::graph& of) {
  std::map<std::string, std::vector<std::string>> nodes;
  for (const weir::node_description& each : of.nodes()) nodes[each.traits.group].push_back(each.path);
  return nodes;
}

// Writes a file as a whole, or not at all. What is no file, such as a pipe, is written as it is.
void write_file(const std::string& name, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code none;
  const bool is_file = !fs::exists(name, none) || fs::is_regular_file(name, none);
  const std::string unfinished = is_file ? name + ".part" : name;
  std::FILE* const to = std::fopen(unfinished.c_str(), "w");
  bool is_written = to != nullptr && std::fputs(text.c_str(), to) >= 0;
  is_written = to != nullptr && std::fclose(to) == 0 && is_written;
  if (is_written && (!is_file || std::rename(unfinished.c_str(), name.c_str()) == 0)) return;
  const int problem = errno;
  if (is_file && to != nullptr) std::remove(unfinished.c_str());
  throw std::runtime_error("can't write the configuration " + name + ": " + std::strerror(problem));
}

}  // namespace

int init_group(int& count, char** arguments, bool is_distributed) {
  given = {};
  std::string file;
  std::string group;
  const std::pair<std::string_view, std::string*> with_value[] = {
      {"--DFF_Config", &file}, {"--DFF_GName", &group}, {"--DFF_dryrun", &given.configuration}};
  std::vector<char*> kept;
  for (int i = 0; i != count; ++i) {
    const std::string_view each = arguments[i];
    option found = option::other;
    for (const auto& [name, value] : with_value) {
      if (i != 0 && found == option::other) found = take(arguments, i, name, *value);
    }
    if (found == option::without_value) {
      error("DFF_Init: the option %s needs a value\n", arguments[i]);
      return -1;
    }
    if (found == option::taken) continue;
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
    kept.push_back(arguments[i]);
  }
  std::copy(kept.begin(), kept.end(), arguments);
  count = static_cast<int>(kept.size());
  arguments[count] = nullptr;
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
  nlohmann::ordered_json groups = nlohmann::ordered_json::array();
  for (const auto& [group, nodes] : nodes_by_group(of)) {
    if (group.empty())
      throw std::runtime_error(nodes.front() + " is in no group; put it into one with createGroup and <<");
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const std::string& each : nodes) names.push_back(each.substr(1));
    const std::size_t port = first_port + groups.size();
    groups.push_back({{"name", group}, {"endpoint", "localhost:" + std::to_string(port)}, {"nodes", std::move(names)}});
  }
  write_file(given.configuration, nlohmann::ordered_json{{"groups", std::move(groups)}}.dump(
                                      2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                                      "\n");
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
      if (at_line_start_ && !given.group.empty() && !put(to, "[" + given.group + "] ")) return false;
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
