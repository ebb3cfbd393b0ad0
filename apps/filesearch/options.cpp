// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <weir/cluster/coordinator.hpp>

#include "support/command_line.hpp"
#include "support/environment.hpp"
#include "support/output.hpp"

#include <fmt/format.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
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

constexpr const char* help =
    R"(Searches files, directories or standard input for lines that match a pattern, on
all cores.
Usage: filesearch [OPTION]... PATTERNS [FILE]...

PATTERNS are POSIX extended regular expressions, one in each line, as in
grep -E; back-references are not supported. The options below are those of GNU
grep, except the last group, and the output is the same.

Patterns:
  -e, --regexp=PATTERNS   more patterns; the first argument is then a FILE
  -f, --file=FILE         patterns from a file, one in each line; - is standard
                          input
  -E, --extended-regexp   PATTERNS are extended regular expressions (default)
  -F, --fixed-strings     PATTERNS are plain texts
  -i, --ignore-case       upper and lower case are equal
      --no-ignore-case    upper and lower case differ (default)
  -w, --word-regexp       no letter, digit or _ may stand beside a match
  -x, --line-regexp       a match must be a whole line
  -v, --invert-match      select the lines that do not match

Files:
  -r, --recursive         search all regular files in directories, too; without
                          FILE, in the working directory. Links in a directory
                          are not followed
  -R, --dereference-recursive
                          the same, but follow links in directories
      --include=GLOB      search only files whose names match
      --exclude=GLOB      skip files whose names match
      --exclude-from=FILE skip files that match a line of FILE
      --exclude-dir=GLOB  skip directories whose names match
      --binary-files=TYPE files with NUL bytes: binary (default), report only
                          that they match; text, search as text; without-match,
                          skip
  -a, --text              same as --binary-files=text
  -I                      same as --binary-files=without-match
  -z, --null-data         lines end with a NUL byte, in the input and the output

Output:
  -l, --files-with-matches
                          names of files with selected lines
  -L, --files-without-match
                          names of files without selected lines
  -c, --count             the number of selected lines in each file
  -o, --only-matching     only the matches, one in each line
  -m, --max-count=NUM     select at most NUM lines in a file
  -n, --line-number       the line number before each line
  -b, --byte-offset       before each line, its place in the file in bytes; with
                          -o, the place of each match
  -H, --with-filename     the file name before each line; default if there may
                          be several files
  -h, --no-filename       no file names
  -Z, --null              a NUL byte after each file name
  -A, --after-context=NUM NUM lines after each selected line
  -B, --before-context=NUM
                          NUM lines before each selected line
  -C, --context=NUM, -NUM both
      --color[=WHEN]      colours: always, never, or auto (default), which is on
                          a terminal only
  -q, --quiet, --silent   print nothing, and end at the first selected line
  -s, --no-messages       no messages about files that can't be read

Options that grep does not have:
      --ignore-files      skip what the .gitignore files in the searched
                          directories name, and .git directories
      --sort              files in the order of their names, the same at each
                          call. Without it, files appear in the order in which
                          their search ends
  -j, --workers=N         cores to use, at most 256; by default all
      --table             print on standard error what each node of the network
                          did
      --report=FILE       write the same as JSON to a file, for
                          `weir graph --report`
  -V, --version           print the version
      --help              print this help

Exit codes:
  0  a line was selected, without errors; with -q, also with errors
  1  no line was selected
  2  an error
)";

enum : int {
  o_help = 256,
  o_include,
  o_exclude,
  o_exclude_dir,
  o_exclude_from,
  o_binary,
  o_ignore_files,
  o_color,
  o_sort,
  o_table,
  o_report,
  o_case
};

constexpr const char* short_options = ":A:B:C:EFHILRVZabce:f:hij:lm:noqrsvwxyz0123456789";

const std::array long_options{
    option{"after-context", required_argument, nullptr, 'A'},
    option{"before-context", required_argument, nullptr, 'B'},
    option{"context", required_argument, nullptr, 'C'},
    option{"binary-files", required_argument, nullptr, o_binary},
    option{"byte-offset", no_argument, nullptr, 'b'},
    option{"color", optional_argument, nullptr, o_color},
    option{"colour", optional_argument, nullptr, o_color},
    option{"count", no_argument, nullptr, 'c'},
    option{"dereference-recursive", no_argument, nullptr, 'R'},
    option{"exclude", required_argument, nullptr, o_exclude},
    option{"exclude-dir", required_argument, nullptr, o_exclude_dir},
    option{"exclude-from", required_argument, nullptr, o_exclude_from},
    option{"extended-regexp", no_argument, nullptr, 'E'},
    option{"file", required_argument, nullptr, 'f'},
    option{"files-with-matches", no_argument, nullptr, 'l'},
    option{"files-without-match", no_argument, nullptr, 'L'},
    option{"fixed-strings", no_argument, nullptr, 'F'},
    option{"help", no_argument, nullptr, o_help},
    option{"ignore-case", no_argument, nullptr, 'i'},
    option{"ignore-files", no_argument, nullptr, o_ignore_files},
    option{"include", required_argument, nullptr, o_include},
    option{"invert-match", no_argument, nullptr, 'v'},
    option{"line-number", no_argument, nullptr, 'n'},
    option{"line-regexp", no_argument, nullptr, 'x'},
    option{"max-count", required_argument, nullptr, 'm'},
    option{"no-filename", no_argument, nullptr, 'h'},
    option{"no-ignore-case", no_argument, nullptr, o_case},
    option{"no-messages", no_argument, nullptr, 's'},
    option{"null", no_argument, nullptr, 'Z'},
    option{"null-data", no_argument, nullptr, 'z'},
    option{"only-matching", no_argument, nullptr, 'o'},
    option{"quiet", no_argument, nullptr, 'q'},
    option{"recursive", no_argument, nullptr, 'r'},
    option{"regexp", required_argument, nullptr, 'e'},
    option{"report", required_argument, nullptr, o_report},
    option{"silent", no_argument, nullptr, 'q'},
    option{"sort", no_argument, nullptr, o_sort},
    option{"table", no_argument, nullptr, o_table},
    option{"text", no_argument, nullptr, 'a'},
    option{"threads", required_argument, nullptr, 'j'},
    option{"version", no_argument, nullptr, 'V'},
    option{"with-filename", no_argument, nullptr, 'H'},
    option{"word-regexp", no_argument, nullptr, 'w'},
    option{"workers", required_argument, nullptr, 'j'},
    option{nullptr, 0, nullptr, 0},
};

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
    case o_help: return show(help);
    default: rest.digits += static_cast<char>(code); break;
  }
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

}  // namespace

std::variant<options, int> parse(int argc, char** argv, std::string_view version) {
  options chosen;
  chosen.style.colour = wants_colour("auto");
  unsettled rest{.version = version};
  try {
    opterr = 0;
    for (int code = 0; (code = ::getopt_long(argc, argv, short_options, long_options.data(), nullptr)) != -1;) {
      if (code == ':') throw wrong_call(fmt::format("option {} has no value", refused(argc, argv)));
      if (code == '?') throw wrong_call(fmt::format("unknown option {}", refused(argc, argv)));
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
    weir::support::complain("filesearch", fmt::format("{}; see filesearch --help", wrong.what()));
    return weir::support::wrong_usage;
  } catch (const std::exception& error) {
    weir::support::complain("filesearch", error.what());
    return weir::support::wrong_usage;
  }
  return chosen;
}

}  // namespace filesearch
