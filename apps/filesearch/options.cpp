// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <weir/cluster/coordinator.hpp>

#include "known_options.hpp"
#include "support/command_line.hpp"
#include "support/completion.hpp"
#include "support/ending.hpp"
#include "support/environment.hpp"
#include "support/manual_page.hpp"
#include "support/nearest.hpp"
#include "support/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace filesearch {
namespace {

constexpr std::size_t most_workers = 256;

class wrong_call : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::size_t number(std::string_view text, std::size_t least, std::size_t most, const std::string& complaint) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (stopped != end || text.empty() || (error != std::errc() && error != std::errc::result_out_of_range)) {
    throw wrong_call(complaint);
  }
  if (error == std::errc::result_out_of_range) return most;
  if (value < least || value > most) throw wrong_call(complaint);
  return value;
}

// Adds each line as a separate pattern.
void add_patterns(std::vector<std::string>& patterns, std::string_view lines) {
  for (;;) {
    const std::size_t end = lines.find('\n');
    patterns.emplace_back(lines.substr(0, end));
    if (end == std::string_view::npos) return;
    lines.remove_prefix(end + 1);
  }
}

// Returns the contents of a file, or of standard input for `-`.
// @param option the option that names the file
std::string content_of(const std::string& name, std::string_view option) {
  const bool standard_input = name == "-";
  if (standard_input && weir::group_environment::names_a_group()) {
    throw std::runtime_error(
        fmt::format("{} -: only one group of a cluster has standard input; use a file that all groups have", option));
  }
  std::string text;
  errno = 0;
  std::ifstream file;
  if (!standard_input) file.open(name, std::ios::binary);
  std::istream& from = standard_input ? std::cin : file;
  if (from) text.assign(std::istreambuf_iterator<char>(from), {});
  struct stat status {};
  if (!standard_input && ::stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) errno = EISDIR;
  if (!from || errno == EISDIR) {
    throw std::runtime_error(name + ": " + std::generic_category().message(errno == 0 ? EIO : errno));
  }
  return text;
}

void add_patterns_from(std::vector<std::string>& patterns, const std::string& name) {
  std::string text = content_of(name, "-f");
  if (text.empty()) return;
  if (text.ends_with('\n')) text.pop_back();
  add_patterns(patterns, text);
}

// Excludes one glob for each line; white space at the end of a line is ignored.
void exclude_from(file_filter& filter, const std::string& name) {
  std::vector<std::string> globs;
  add_patterns(globs, content_of(name, "--exclude-from"));
  for (std::string& glob : globs) {
    const std::size_t last = glob.find_last_not_of(" \t\r\v\f");
    if (last == std::string::npos) continue;
    glob.resize(last + 1);
    filter.exclude(std::move(glob));
  }
}

binary_files binary_type(std::string_view type) {
  if (type == "binary") return binary_files::tell;
  if (type == "text") return binary_files::text;
  if (type == "without-match") return binary_files::skip;
  throw wrong_call(fmt::format("--binary-files: '{}' is neither binary, text nor without-match", type));
}

bool wants_colour(const char* when) {
  const std::string_view chosen = when == nullptr ? "auto" : when;
  if (chosen == "always" || chosen == "yes" || chosen == "force") return true;
  if (chosen == "never" || chosen == "no" || chosen == "none") return false;
  if (chosen != "auto" && chosen != "tty" && chosen != "if-tty") {
    throw wrong_call(fmt::format("--color: '{}' is neither always, never nor auto", chosen));
  }
  const char* const terminal = weir::support::variable("TERM");
  if (const char* const none = weir::support::variable("NO_COLOR"); none != nullptr && *none != '\0') return false;
  return ::isatty(STDOUT_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// Settings that are complete only when all options have been read.
struct unsettled {
  std::string_view version;
  std::vector<std::string> patterns;
  bool patterns_given = false;
  std::optional<bool> names;
  std::optional<std::size_t> before;
  std::optional<std::size_t> after;
  std::optional<std::size_t> around;
  std::string digits;  // digits of -NUM
  bool words = false;
  bool lines = false;
};

std::size_t context_length(const char* text) {
  return number(text, 0, options::no_limit, fmt::format("{}: invalid context length argument", text));
}

int show(const std::string& text) {
  weir::support::write_standard_output(text);
  weir::support::finish_standard_output();
  return 0;
}

// Processes one option; returns an exit code if the option ends the program.
std::optional<int> take(int code, const char* value, options& chosen, unsettled& rest) {
  switch (code) {
    case 'A': rest.after = context_length(value); break;
    case 'B': rest.before = context_length(value); break;
    case 'C': rest.around = context_length(value); break;
    case 'E': chosen.what.fixed = false; break;
    case 'F': chosen.what.fixed = true; break;
    case 'H': rest.names = true; break;
    case 'h': rest.names = false; break;
    case 'I': chosen.binary = binary_files::skip; break;
    case 'a': chosen.binary = binary_files::text; break;
    case 'L': chosen.names = listed::names_without; break;
    case 'l': chosen.names = listed::names_with_matches; break;
    case 'c': chosen.count = true; break;
    case 'e':
      add_patterns(rest.patterns, value);
      rest.patterns_given = true;
      break;
    case 'f':
      add_patterns_from(rest.patterns, value);
      rest.patterns_given = true;
      break;
    case 'i':
    case 'y': chosen.what.as.ignore_case = true; break;
    case o_case: chosen.what.as.ignore_case = false; break;
    case 'j':
      chosen.workers = number(value, 1, most_workers,
                              fmt::format("--workers: '{}' is not a whole number from 1 to {}", value, most_workers));
      break;
    case 'm':
      // A negative number means no limit.
      chosen.most = value[0] == '-' ? (number(value + 1, 0, options::no_limit, "invalid max count"), options::no_limit)
                                    : number(value, 0, options::no_limit, "invalid max count");
      break;
    case 'b': chosen.style.byte_offsets = true; break;
    case 'z': chosen.style.nul_ends = chosen.what.as.nul_ends = true; break;
    case 'Z': chosen.style.nul_after_names = true; break;
    case 'n': chosen.style.line_numbers = true; break;
    case 'o': chosen.style.only_matching = true; break;
    case 'q': chosen.quiet = true; break;
    case 'r': chosen.recursive = true; break;
    case 'R': chosen.recursive = chosen.follow = true; break;
    case 's': chosen.no_messages = true; break;
    case 'v': chosen.invert = true; break;
    case 'w': rest.words = true; break;
    case 'x': rest.lines = true; break;
    case o_color: chosen.style.colour = wants_colour(value); break;
    case o_include: chosen.filter.include(value); break;
    case o_exclude: chosen.filter.exclude(value); break;
    case o_exclude_dir: chosen.filter.exclude_directory(value); break;
    case o_exclude_from: exclude_from(chosen.filter, value); break;
    case o_ignore_files: chosen.ignore_files = true; break;
    case o_binary: chosen.binary = binary_type(value); break;
    case o_sort: chosen.sorted = true; break;
    case o_table: chosen.table = true; break;
    case o_report:
      if (*value == '\0') throw wrong_call("--report has no value");
      chosen.report = value;
      break;
    case 'V': return show(fmt::format("filesearch {}\n", rest.version));
    case o_help: return show(help_of(described(std::string(rest.version))));
    default: rest.digits += static_cast<char>(code); break;
  }
  return std::nullopt;
}

// Returns what `filesearch --man` and `filesearch --completion SHELL` print. They must be the whole
// call, because all other words mean what they mean to grep.
std::optional<std::string> page_or_completion(int argc, char** argv, std::string_view version) {
  const std::string_view first = argc > 1 ? argv[1] : "", second = argc > 2 ? argv[2] : "";
  const auto command = [&] { return described(std::string(version)); };
  if (argc == 2 && first == "--man") return weir::support::manual_page(command(), {});
  if (argc == 3 && first == "--completion" && (second == "bash" || second == "zsh" || second == "fish"))
    return weir::support::completion(command(), second);
  return std::nullopt;
}

void settle(options& chosen, const unsettled& rest) {
  if (!rest.digits.empty() && !rest.around) {
    chosen.style.before = chosen.style.after = context_length(rest.digits.c_str());
  }
  if (rest.around) chosen.style.before = chosen.style.after = *rest.around;
  if (rest.before) chosen.style.before = *rest.before;
  if (rest.after) chosen.style.after = *rest.after;
  chosen.style.context = rest.before || rest.after || rest.around || !rest.digits.empty();
  chosen.style.selects_matches = !chosen.invert;
  chosen.what.patterns = rest.patterns;
  chosen.what.where = rest.lines ? extent::line : rest.words ? extent::words : extent::anywhere;
  if (chosen.roots.empty()) {
    chosen.working_directory = chosen.recursive;
    chosen.roots.emplace_back(chosen.recursive ? "." : "-");
  }
  chosen.file_names = rest.names;
}

// Returns the option at which getopt stopped, as it was written.
std::string refused(int argc, char** argv) {
  const std::string_view word = argv[optind - 1 < argc ? optind - 1 : argc - 1];
  if (optopt > 0 && optopt < 256 && !word.starts_with("--")) return fmt::format("-{}", static_cast<char>(optopt));
  return std::string(word);
}

std::string unknown(const std::string& option) {
  std::vector<std::string> names;
  for (const ::option& each : known_options().names) {
    if (each.name != nullptr) names.push_back(std::string("--") + each.name);
  }
  const std::string near = weir::support::nearest(option.substr(0, option.find('=')), names);
  return "unknown option " + option + (near.empty() ? "" : "; did you mean " + near + "?");
}

}  // namespace

std::variant<options, int> parse(int argc, char** argv, std::string_view version) {
  options chosen;
  chosen.style.colour = wants_colour("auto");
  unsettled rest{.version = version};
  const parser_options& known = known_options();
  try {
    if (const auto text = page_or_completion(argc, argv, version)) return show(*text);
    opterr = 0;
    for (int code = 0; (code = ::getopt_long(argc, argv, known.letters.c_str(), known.names.data(), nullptr)) != -1;) {
      if (code == ':') throw wrong_call(fmt::format("option {} has no value", refused(argc, argv)));
      if (code == '?') throw wrong_call(unknown(refused(argc, argv)));
      if (const auto end = take(code, optarg, chosen, rest)) return *end;
    }
    chosen.what.as.text = adopt_locale();
    std::vector<std::string> words(argv + optind, argv + argc);
    if (!rest.patterns_given) {
      if (words.empty()) throw wrong_call("no pattern is given");
      add_patterns(rest.patterns, words.front());
      words.erase(words.begin());
    }
    chosen.roots = std::move(words);
    settle(chosen, rest);
  } catch (const wrong_call& wrong) {
    const std::string said = wrong.what();
    weir::support::complain("filesearch", said + (said.ends_with('?') ? " See" : "; see") + " filesearch --help");
    return weir::support::wrong_usage;
  } catch (const std::exception& error) {
    return weir::support::ended_by(error, "filesearch", weir::support::wrong_usage);
  }
  return chosen;
}

}  // namespace filesearch
