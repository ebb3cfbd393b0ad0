// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A configuration, in JSON. Names in brackets are FastFlow's names for the same key.
//
//   { "$schema": "…",                       for editors; ignored
//     "protocol": "TCP",                    or "MPI": mpirun or srun starts the groups
//     "plan": true,                         nodes that are in no group are shared out
//     "heartbeat": 1.0, "dead_after": 5.0, "start_within": 30.0,          seconds
//     "reconnect_within": 5.0, "stalled_after": 30.0,                            likewise
//     "transport": "auto",                  or tcp, shm, inproc, mpi
//     "links": [{"groups": ["G1", "G2"], "transport": "tcp"}],
//     "tls": {"certificate": "a.pem", "key": "a.key", "authorities": "all.pem"},
//     "checksums": true,                    also between groups on one machine
//     "builds": "same",                     or "any": groups may run different builds
//     "groups": [
//       { "name": "G1",                     needed
//         "endpoint": "host:port",          or "host", or ":port"
//         "nodes": ["read", "split[0-1]"],
//         "batch_size": 32,                 [batchSize]
//                                           [batchByteSize, includedNodes, OConn]; ignored
//         "frames_under_way": 64,           [messageOTF]
//         "channel_items": 128,             [internalMessageOTF]
//         "cores": "0,2,4-7",               [threadMapping]
//         "pre_command": "taskset -c 0",    [preCmd]
//         "environment": {"NAME": "value"} } ] }
#include "weir/cluster/configuration.hpp"

#include "cluster/configuration/configuration_keys.hpp"
#include "graph/control_characters.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace weir {
namespace {

using json = nlohmann::json;

// Iterator that counts the lines of the characters it reads. All copies share the line counter.
class counted_characters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counted_characters(const char* at, std::size_t* line) : at_(at), line_(line) {}
  const char& operator*() const { return *at_; }
  counted_characters& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  counted_characters operator++(int) {
    const counted_characters before = *this;
    ++*this;
    return before;
  }
  bool operator==(const counted_characters& other) const { return at_ == other.at_; }
  bool operator!=(const counted_characters& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* line_;
};

// A JSON value with the line of each of its keys.
struct member;
struct json_node {
  json value;  // for scalars
  json::value_t kind = json::value_t::null;
  std::size_t line = 1;
  std::vector<member> members;
  std::vector<json_node> elements;
};
struct member {
  std::string name;
  json_node value;
};

std::size_t distance_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j != row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i != a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j != b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

class tree_builder : public nlohmann::json_sax<json> {
 public:
  tree_builder(json_node& root, const std::size_t& line) : line_(line) { open_.push_back(&root); }

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
  bool string(string_t& value) override { return scalar(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return begin(json::value_t::object); }
  bool start_array(std::size_t) override { return begin(json::value_t::array); }
  bool end_object() override { return open_.pop_back(), true; }
  bool end_array() override { return open_.pop_back(), true; }
  bool key(string_t& name) override {
    open_.back()->members.push_back({name, {}});
    pending_ = &open_.back()->members.back().value;
    pending_->line = line_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) override {
    problem_ = problem.what();
    problem_line_ = line_;
    return false;
  }

  const std::string& problem() const noexcept { return problem_; }
  std::size_t problem_line() const noexcept { return problem_line_; }

 private:
  static constexpr std::size_t depth_most = 16;

  // Returns the node for the next value.
  json_node* place() {
    if (pending_ != nullptr) return std::exchange(pending_, nullptr);
    json_node* const around = open_.back();
    if (around->kind != json::value_t::array) return around;  // the root
    around->elements.emplace_back().line = line_;
    return &around->elements.back();
  }
  template <class T>
  bool scalar(const T& value) {
    json_node* const at = place();
    at->value = value;
    at->kind = at->value.type();
    return true;
  }
  bool begin(json::value_t kind) {
    if (open_.size() > depth_most) {
      problem_ = "is nested too deeply";
      problem_line_ = line_;
      return false;
    }
    json_node* const at = place();
    at->kind = kind;
    open_.push_back(at);
    return true;
  }

  const std::size_t& line_;
  std::vector<json_node*> open_;
  json_node* pending_ = nullptr;
  std::string problem_;
  std::size_t problem_line_ = 0;
};

class reading {
 public:
  explicit reading(std::string_view file) : file_(file) {}

  // Complaints quote the file, which may be that of somebody else.
  void complain(std::size_t line, const std::string& what) {
    problems_ += (problems_.empty() ? "" : "\n") +
                 detail::printable(std::string(file_) + ":" + std::to_string(line) + ": " + what);
  }
  void throw_problems() const {
    if (!problems_.empty()) throw configuration_error(problems_);
  }

  json_node parse(std::string_view text) {
    json_node root;
    std::size_t line = 1;
    tree_builder builder(root, line);
    const bool whole = json::sax_parse(counted_characters(text.data(), &line),
                                       counted_characters(text.data() + text.size(), &line), &builder);
    if (!whole) {
      std::string why = builder.problem();
      // The text before the colon is the library's own numbering.
      if (const std::size_t at = why.find(": "); at != std::string::npos) why = why.substr(at + 2);
      complain(builder.problem_line(), "that is no JSON: " + why);
    }
    throw_problems();
    return root;
  }

  // Calls read(name, value) for each member, and reports unknown ones.
  template <class Read>
  void members(const json_node& of, const std::string& where, const std::vector<std::string>& known, Read&& read) {
    if (of.kind != json::value_t::object) return complain(of.line, where + " must be an object { … }");
    std::set<std::string> seen;
    for (const auto& [name, value] : of.members) {
      if (!seen.insert(name).second) {
        complain(value.line, "\"" + name + "\" stands here for the second time in " + where);
      } else if (std::find(known.begin(), known.end(), name) == known.end()) {
        const auto nearest =
            std::min_element(known.begin(), known.end(), [&, &key = name](const auto& a, const auto& b) {
              return distance_between(a, key) < distance_between(b, key);
            });
        complain(value.line, "unknown key \"" + name + "\" in " + where + "; did you mean \"" + *nearest + "\"?");
      } else {
        read(name, value);
      }
    }
  }

  std::string text(const json_node& of, const std::string& key) {
    if (of.kind == json::value_t::string) return of.value.get<std::string>();
    complain(of.line, "\"" + key + "\" must be a string");
    return {};
  }
  bool truth(const json_node& of, const std::string& key) {
    if (of.value.is_boolean()) return of.value.get<bool>();
    complain(of.line, "\"" + key + "\" must be true or false");
    return false;
  }
  std::size_t count(const json_node& of, const std::string& key, std::size_t most) {
    if (of.value.is_number_unsigned() && of.value.get<std::uint64_t>() <= most) return of.value.get<std::size_t>();
    complain(of.line, "\"" + key + "\" must be a whole number from 0 to " + std::to_string(most));
    return 0;
  }
  std::chrono::milliseconds seconds(const json_node& of, const std::string& key) {
    const double value = of.value.is_number() ? of.value.get<double>() : 0;
    if (value >= 0.001 && value <= 1e6) return std::chrono::milliseconds(std::llround(value * 1000));
    complain(of.line, "\"" + key + "\" must be a number of seconds, at least 0.001");
    return std::chrono::milliseconds(1);
  }

 private:
  std::string_view file_;
  std::string problems_;
};

void read_endpoint(reading& in, const json_node& value, group_configuration& group) {
  const std::string text = in.text(value, "endpoint");
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : std::string::npos;
  const std::size_t colon = text.find(':', bracket == std::string::npos ? 0 : bracket);
  group.host = text.substr(0, colon);
  if (bracket != std::string::npos && bracket + 1 == group.host.size()) {
    group.host = text.substr(1, bracket - 1);
  } else if (bracket != std::string::npos ||
             (colon != std::string::npos && text.find(':', colon + 1) != std::string::npos)) {
    return in.complain(
        value.line, "an address of IPv6 in \"endpoint\" stands in brackets, such as [::1]:8004, not \"" + text + "\"");
  }
  if (colon == std::string::npos) return;
  const char* const first = text.data() + colon + 1;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(first, last, group.port);
  if (problem != std::errc{} || end != last) {
    in.complain(value.line, "\"endpoint\" must be host:port, with a port below 65536, not \"" + text + "\"");
  }
}

bool is_variable(const std::string& name) {
  const auto belongs = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, belongs);
}

group_configuration read_group(reading& in, const json_node& from) {
  group_configuration made;
  std::size_t batch_line = 0;  // of "batch_size", if that is not 0
  in.members(from, "a group", cluster::keys_of_a_group, [&](const std::string& key, const json_node& value) {
    if (key == "name") {
      made.name = in.text(value, key);
      const bool fits = value.kind != json::value_t::string || (!made.name.empty() && made.name.size() <= 61);
      if (!fits) in.complain(value.line, "the name of a group has 1 to 61 bytes");
      if (detail::has_control(made.name)) in.complain(value.line, "the name of a group has no control characters");
    } else if (key == "endpoint") {
      read_endpoint(in, value, made);
    } else if (key == "nodes") {
      if (value.kind != json::value_t::array) return in.complain(value.line, "\"nodes\" must be an array of strings");
      for (const json_node& each : value.elements) made.nodes.push_back(in.text(each, "nodes"));
    } else if (key == "batch_size" || key == "batchSize") {
      made.batch_size = in.count(value, key, 1'000'000'000);
      // FastFlow's files often have its key alone. What it is for there, weir does by itself.
      if (key == "batch_size" && made.batch_size != 0) batch_line = value.line;
    } else if (key == "includedNodes" || key == "OConn") {
      // FastFlow's own notes
    } else if (key == "batchByteSize") {
      // FastFlow's. weir sends what it has, up to the size of a frame.
      if (value.kind != json::value_t::string && value.kind != json::value_t::number_unsigned)
        in.complain(value.line, "\"batchByteSize\" must be a number of bytes, such as 65536 or \"64K\"");
    } else if (key == "frames_under_way" || key == "messageOTF") {
      made.frames_under_way = in.count(value, key, 1'000'000'000);
    } else if (key == "channel_items" || key == "internalMessageOTF") {
      made.channel_items = in.count(value, key, 1'000'000'000);
    } else if (key == "cores" || key == "threadMapping") {
      made.cores = in.text(value, key);
      if (value.kind == json::value_t::string && !cores_from_text(made.cores))
        in.complain(value.line, "\"" + key + "\" must be numbers of cores such as 0,2,4-7, not \"" + made.cores + "\"");
    } else if (key == "pre_command" || key == "preCmd") {
      made.pre_command = in.text(value, key);
    } else {
      if (value.kind != json::value_t::object)
        return in.complain(value.line, "\"environment\" must be an object { … }");
      for (const auto& [name, set] : value.members) {
        if (!is_variable(name)) in.complain(set.line, "\"" + name + "\" is no name of a variable");
        if (std::ranges::find(cluster::variables_of_groups, name) != cluster::variables_of_groups.end())
          in.complain(set.line, "\"" + name + "\" is set by weir run; leave it out of \"environment\"");
        if (!made.environment.emplace(name, in.text(set, name)).second)
          in.complain(set.line, "\"" + name + "\" stands here for the second time in \"environment\"");
      }
    }
  });
  const bool named = std::ranges::any_of(from.members, [](const member& each) { return each.name == "name"; });
  if (!named && from.kind == json::value_t::object) in.complain(from.line, "a group needs a \"name\"");
  if (batch_line != 0 && made.frames_under_way == 0) {
    in.complain(batch_line,
                "\"batch_size\" has no effect without \"frames_under_way\"; set that, or leave \"batch_size\" out");
  }
  return made;
}

link_transport read_transport(reading& in, const json_node& from) {
  const std::string name = in.text(from, "transport");
  if (name == "auto") return link_transport::automatic;
  if (name == "tcp") return link_transport::tcp;
  if (name == "shm") return link_transport::shm;
  if (name == "inproc") return link_transport::inproc;
  if (name == "mpi") return link_transport::mpi;
  if (from.kind == json::value_t::string) {
    in.complain(from.line, "\"transport\" must be auto, tcp, shm, inproc or mpi, not \"" + name + "\"");
  }
  return link_transport::automatic;
}

// With "tls", only TCP is possible.
void refuse_unencrypted(reading& in, link_transport demanded, std::size_t line) {
  if (demanded != link_transport::automatic && demanded != link_transport::tcp)
    in.complain(line, "\"tls\" encrypts TCP only; this \"transport\" must be auto or tcp");
}

link_configuration read_link(reading& in, const json_node& from,
                             std::vector<std::pair<std::string, std::size_t>>& names) {
  link_configuration made;
  in.members(from, "a link", cluster::keys_of_a_link, [&](const std::string& key, const json_node& value) {
    if (key == "transport") {
      made.transport = read_transport(in, value);
      return;
    }
    if (value.kind != json::value_t::array || value.elements.size() != 2) {
      return in.complain(value.line, "the \"groups\" of a link must be an array of two names");
    }
    made.one = in.text(value.elements[0], key);
    made.other = in.text(value.elements[1], key);
    names.emplace_back(made.one, value.line);
    names.emplace_back(made.other, value.line);
  });
  const bool named = std::ranges::any_of(from.members, [](const auto& each) { return each.name == "groups"; });
  if (!named && from.kind == json::value_t::object) in.complain(from.line, "a link needs \"groups\", two names");
  return made;
}

tls_configuration read_tls(reading& in, const json_node& from) {
  tls_configuration made;
  in.members(from, "\"tls\"", cluster::keys_of_tls, [&](const std::string& key, const json_node& value) {
    (key == "certificate" ? made.certificate : key == "key" ? made.key : made.authorities) = in.text(value, key);
  });
  if (from.kind == json::value_t::object &&
      (made.certificate.empty() || made.key.empty() || made.authorities.empty())) {
    in.complain(from.line, "\"tls\" needs a \"certificate\", a \"key\" and \"authorities\"");
  }
  return made;
}

}  // namespace

cluster_configuration configuration_from_json(std::string_view text, std::string_view file) {
  reading in(file);
  const json_node root = in.parse(text);
  cluster_configuration made;
  std::size_t groups_line = root.line;
  std::size_t times_line = root.line;
  std::size_t reconnect_line = root.line;
  std::size_t transport_line = root.line;
  std::vector<std::size_t> link_lines;
  std::vector<std::pair<std::string, std::size_t>> links_to_check;  // names of groups, and their lines
  in.members(
      root, "the configuration", cluster::keys_of_a_configuration, [&](const std::string& key, const json_node& value) {
        if (key == "$schema") {
          in.text(value, key);
        } else if (key == "protocol") {
          const std::string protocol = in.text(value, key);
          if (protocol == "MPI" || protocol == "mpi") {
            made.protocol = cluster_protocol::mpi;
          } else if (protocol != "TCP" && protocol != "tcp") {
            in.complain(value.line, "\"protocol\" must be \"TCP\" or \"MPI\"");
          }
        } else if (key == "plan") {
          made.plan = in.truth(value, key);
        } else if (key == "heartbeat") {
          made.heartbeat = in.seconds(value, key);
          times_line = value.line;
        } else if (key == "dead_after") {
          made.dead_after = in.seconds(value, key);
          times_line = value.line;
        } else if (key == "start_within") {
          made.start_within = in.seconds(value, key);
        } else if (key == "stalled_after") {
          made.stalled_after = in.seconds(value, key);
        } else if (key == "reconnect_within") {
          made.reconnect_within = in.seconds(value, key);
          reconnect_line = value.line;
        } else if (key == "checksums") {
          made.checksums = in.truth(value, key);
        } else if (key == "builds") {
          const std::string builds = in.text(value, key);
          made.any_build = builds == "any";
          if (value.kind == json::value_t::string && builds != "any" && builds != "same") {
            in.complain(value.line, "\"builds\" must be same or any, not \"" + builds + "\"");
          }
        } else if (key == "transport") {
          made.transport = read_transport(in, value);
          transport_line = value.line;
        } else if (key == "links") {
          if (value.kind != json::value_t::array) return in.complain(value.line, "\"links\" must be an array");
          for (const json_node& each : value.elements) {
            made.links.push_back(read_link(in, each, links_to_check));
            link_lines.push_back(each.line);
          }
        } else if (key == "tls") {
          made.tls = read_tls(in, value);
        } else {
          groups_line = value.line;
          if (value.kind != json::value_t::array) return in.complain(value.line, "\"groups\" must be an array");
          for (const json_node& each : value.elements) {
            made.groups.push_back(read_group(in, each));
            const auto twice = std::ranges::count(made.groups, made.groups.back().name, &group_configuration::name);
            if (twice > 1) in.complain(each.line, "there are two groups with the name " + made.groups.back().name);
          }
        }
      });
  for (const auto& [name, line] : links_to_check) {
    if (std::ranges::find(made.groups, name, &group_configuration::name) == made.groups.end()) {
      in.complain(line, "\"links\" names " + name + ", which is no group");
    }
  }
  if (made.tls.is_set()) {
    refuse_unencrypted(in, made.transport, transport_line);
    for (std::size_t i = 0; i != made.links.size(); ++i) refuse_unencrypted(in, made.links[i].transport, link_lines[i]);
  }
  // Otherwise a healthy group would be taken for dead, or its connection for permanently broken.
  if (made.dead_after < 2 * made.heartbeat)
    in.complain(times_line, "\"dead_after\" must be at least twice the \"heartbeat\"");
  if (made.reconnect_within.count() != 0 && made.reconnect_within < 3 * made.heartbeat)
    in.complain(reconnect_line, "\"reconnect_within\" must be at least three times the \"heartbeat\"");
  if (made.groups.empty()) in.complain(groups_line, "a configuration needs \"groups\", at least one");
  in.throw_problems();
  return made;
}

std::optional<std::vector<std::size_t>> cores_from_text(std::string_view text) {
  constexpr std::size_t core_most = 4095;
  std::vector<std::size_t> cores;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](std::size_t& into) {
    const auto [after, problem] = std::from_chars(at, end, into);
    at = after;
    return problem == std::errc{} && into <= core_most;
  };
  for (;;) {
    std::size_t first = 0;
    if (!number(first)) return std::nullopt;
    std::size_t last = first;
    if (at != end && *at == '-' && (++at, !number(last) || last < first)) return std::nullopt;
    for (; first <= last; ++first) cores.push_back(first);
    if (at == end) return cores;
    if (*at++ != ',') return std::nullopt;
  }
}

std::vector<group_selection> selections_of(const cluster_configuration& configuration) {
  std::vector<group_selection> made;
  for (const group_configuration& group : configuration.groups) made.push_back({group.name, group.nodes});
  return made;
}

}  // namespace weir
