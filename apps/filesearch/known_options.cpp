// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "known_options.hpp"

#include "support/wrapped.hpp"

namespace filesearch {
namespace {

using weir::support::offered;

// One option.
struct row {
  int code;
  const char* letters;  // its short name, if it has one
  std::vector<const char*> names;
  std::vector<const char*> hidden_names;
  const char* value;  // the name of the value; nullptr: none
  const char* help;   // nullptr: the help does not show the option
  std::vector<const char*> words = {};
  offered names_of = offered::nothing;
  bool value_is_optional = false;
};

struct part {
  const char* heading;
  std::vector<row> rows;
};

const std::vector<part>& parts() {
  static const std::vector<part> all{
      {"Patterns",
       {{'e', "e", {"regexp"}, {}, "PATTERNS", "more patterns; the first argument is then a FILE"},
        {'f',
         "f",
         {"file"},
         {},
         "FILE",
         "patterns from a file, one in each line; - is standard input",
         {},
         offered::files},
        {'E', "E", {"extended-regexp"}, {}, nullptr, "PATTERNS are extended regular expressions (default)"},
        {'F', "F", {"fixed-strings"}, {}, nullptr, "PATTERNS are plain texts"},
        {'i', "i", {"ignore-case"}, {}, nullptr, "upper and lower case are equal"},
        {o_case, "", {"no-ignore-case"}, {}, nullptr, "upper and lower case differ (default)"},
        {'w', "w", {"word-regexp"}, {}, nullptr, "no letter, digit or _ may stand beside a match"},
        {'x', "x", {"line-regexp"}, {}, nullptr, "a match must be a whole line"},
        {'v', "v", {"invert-match"}, {}, nullptr, "select the lines that do not match"},
        {'y', "y", {}, {}, nullptr, nullptr}}},
      {"Files",
       {{'r',
         "r",
         {"recursive"},
         {},
         nullptr,
         "search all regular files in directories, too; without FILE, in the working directory. Links in a directory "
         "are not followed"},
        {'R', "R", {"dereference-recursive"}, {}, nullptr, "the same, but follow links in directories"},
        {o_include, "", {"include"}, {}, "GLOB", "search only files whose names match"},
        {o_exclude, "", {"exclude"}, {}, "GLOB", "skip files whose names match"},
        {o_exclude_from, "", {"exclude-from"}, {}, "FILE", "skip files that match a line of FILE", {}, offered::files},
        {o_exclude_dir, "", {"exclude-dir"}, {}, "GLOB", "skip directories whose names match"},
        {o_binary,
         "",
         {"binary-files"},
         {},
         "TYPE",
         "files with NUL bytes: binary (default), report only that they match; text, search as text; without-match, "
         "skip",
         {"binary", "text", "without-match"}},
        {'a', "a", {"text"}, {}, nullptr, "same as --binary-files=text"},
        {'I', "I", {}, {}, nullptr, "same as --binary-files=without-match"},
        {'z', "z", {"null-data"}, {}, nullptr, "lines end with a NUL byte, in the input and the output"}}},
      {"Output",
       {{'l', "l", {"files-with-matches"}, {}, nullptr, "names of files with selected lines"},
        {'L', "L", {"files-without-match"}, {}, nullptr, "names of files without selected lines"},
        {'c', "c", {"count"}, {}, nullptr, "the number of selected lines in each file"},
        {'o', "o", {"only-matching"}, {}, nullptr, "only the matches, one in each line"},
        {'m', "m", {"max-count"}, {}, "NUM", "select at most NUM lines in a file"},
        {'n', "n", {"line-number"}, {}, nullptr, "the line number before each line"},
        {'b',
         "b",
         {"byte-offset"},
         {},
         nullptr,
         "before each line, its place in the file in bytes; with -o, the place of each match"},
        {'H',
         "H",
         {"with-filename"},
         {},
         nullptr,
         "the file name before each line; default if there may be several files"},
        {'h', "h", {"no-filename"}, {}, nullptr, "no file names"},
        {'Z', "Z", {"null"}, {}, nullptr, "a NUL byte after each file name"},
        {'A', "A", {"after-context"}, {}, "NUM", "NUM lines after each selected line"},
        {'B', "B", {"before-context"}, {}, "NUM", "NUM lines before each selected line"},
        {'C', "C", {"context"}, {}, "NUM", "both; also -NUM"},
        {o_color,
         "",
         {"color"},
         {"colour"},
         "WHEN",
         "colours: always, never, or auto (default): on a terminal, unless NO_COLOR is set",
         {"always", "never", "auto"},
         offered::nothing,
         true},
        {'q', "q", {"quiet", "silent"}, {}, nullptr, "print nothing, and end at the first selected line"},
        {'s', "s", {"no-messages"}, {}, nullptr, "no messages about files that can't be read"}}},
      {"Options that grep does not have",
       {{o_ignore_files,
         "",
         {"ignore-files"},
         {},
         nullptr,
         "skip what the .gitignore files in the searched directories name, and .git directories"},
        {o_sort,
         "",
         {"sort"},
         {},
         nullptr,
         "files in the order of their names, the same at each call. Without it, files appear in the order in which "
         "their search ends"},
        {'j', "j", {"workers"}, {"threads"}, "N", "cores to use, at most 256; by default all"},
        {o_table, "", {"table"}, {}, nullptr, "print on standard error what each node of the network did"},
        {o_report,
         "",
         {"report"},
         {},
         "FILE",
         "write the same as JSON to a file, for `weir graph --report`",
         {},
         offered::files},
        {'V', "V", {"version"}, {}, nullptr, "print the version"},
        {o_help, "", {"help"}, {}, nullptr, "print this help"}}}};
  return all;
}

constexpr const char* usage = "filesearch [OPTION]... PATTERNS [FILE]...";
constexpr const char* summary =
    "Searches files, directories or standard input for lines that match a pattern, on all cores.";
constexpr const char* about =
    "PATTERNS are POSIX extended regular expressions, one in each line, as in grep -E; back-references are not "
    "supported. The options below are those of GNU grep, except the last group, and the output is the same.";
constexpr const char* exit_codes = R"(
Exit codes:
  0  a line was selected, without errors; with -q, also with errors
  1  no line was selected
  2  an error
)";

}  // namespace

const parser_options& known_options() {
  static const parser_options made = [] {
    // A colon in front: getopt tells a missing value from an unknown option. Digits are for -NUM.
    parser_options all{.letters = ":0123456789", .names = {}};
    for (const part& each : parts()) {
      for (const row& one : each.rows) {
        all.letters += one.letters;
        if (*one.letters != '\0' && one.value != nullptr) all.letters += ':';
        const int takes = one.value == nullptr    ? no_argument
                          : one.value_is_optional ? optional_argument
                                                  : required_argument;
        for (const auto& names : {one.names, one.hidden_names}) {
          for (const char* const name : names) all.names.push_back({name, takes, nullptr, one.code});
        }
      }
    }
    all.names.push_back({nullptr, 0, nullptr, 0});
    return all;
  }();
  return made;
}

weir::support::described_command described(const std::string& version) {
  weir::support::described_command made;
  made.name = "filesearch";
  made.version = "filesearch " + version;
  made.description = summary;
  made.usage = {usage};
  weir::support::described_option patterns, files;
  patterns.names = {"PATTERNS"};
  patterns.help = "Regular expressions, one in each line";
  patterns.is_required = true;
  files.names = {"FILE"};
  files.help = "File or directory; - is standard input";
  files.is_repeated = true;
  files.names_of = offered::files;
  made.positionals = {patterns, files};
  for (const part& each : parts()) {
    for (const row& one : each.rows) {
      if (one.help == nullptr) continue;
      weir::support::described_option option;
      if (*one.letters != '\0') option.names.push_back(std::string("-") + one.letters);
      for (const char* const name : one.names) option.names.push_back(std::string("--") + name);
      option.value = one.value == nullptr ? "" : one.value;
      option.value_is_optional = one.value_is_optional;
      option.help = one.help;
      option.heading = each.heading;
      option.words.assign(one.words.begin(), one.words.end());
      option.names_of = one.names_of;
      option.is_repeated = one.code == 'e' || one.code == 'f' || one.code == o_include || one.code == o_exclude ||
                           one.code == o_exclude_from || one.code == o_exclude_dir;
      made.options.push_back(option);
    }
  }
  made.footer = std::string(about) + '\n' + exit_codes;
  made.see_also = {"grep", "weir-graph"};
  return made;
}

std::string help_of(const weir::support::described_command& command) {
  constexpr std::size_t columns = 80, description = 26;
  std::string text = weir::support::wrapped(command.description, columns) + "\nUsage: " + command.usage.front() +
                     "\n\n" + weir::support::wrapped(about, columns) + '\n';
  std::string heading;
  for (const weir::support::described_option& each : command.options) {
    if (each.heading != heading) text += '\n' + each.heading + ":\n";
    heading = each.heading;
    std::string line = each.names.front().starts_with("--") ? "      " : "  ";
    for (const std::string& name : each.names) line += (name == each.names.front() ? "" : ", ") + name;
    if (!each.value.empty()) line += each.value_is_optional ? "[=" + each.value + "]" : "=" + each.value;
    if (line.size() < description) {
      line.resize(description, ' ');
    } else {
      line += '\n' + std::string(description, ' ');
    }
    for (const char letter : weir::support::wrapped(each.help, columns - description)) {
      line += letter;
      if (letter == '\n') line.append(description, ' ');
    }
    text += line + '\n';
  }
  return text + exit_codes;
}

}  // namespace filesearch
