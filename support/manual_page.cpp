// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The text behind the options of a help becomes parts of a page by its form. A line "Exit codes:"
// or "Examples:" begins a section; indented lines below it are its entries. Elsewhere, indented
// lines are shown as they are, and other lines are filled. Words between backquotes are bold.
#include "support/manual_page.hpp"

#include "support/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>

namespace weir::support {
namespace {

// Returns the character that begins at `at`, and moves `at` behind it. Bytes that are no UTF-8 are
// taken one by one.
char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(at);
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  char32_t made = more == 0 ? first : first & (0x3fU >> more);
  for (std::size_t i = 1; i <= more; ++i) made = made << 6U | (byte(at + i) & 0x3fU);
  at += more + 1;
  return made;
}

// One character in roff. A dash becomes one that a reader can copy, if `is_code`.
std::string in_roff(char32_t character, bool is_code) {
  switch (character) {
    case U'\\': return "\\e";
    case U'\'': return "\\(aq";
    case U'`': return "\\(ga";
    case U'^': return "\\(ha";
    case U'~': return "\\(ti";
    case U'"': return "\\(dq";
    case U'-': return is_code ? "\\-" : "-";
    default: break;
  }
  if (character < 0x80) return {static_cast<char>(character)};
  return fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(character));
}

std::string code(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) made += in_roff(next_character(text, at), true);
  return made;
}

// Running text. Options in it, and what stands between backquotes, are code.
std::string prose(std::string_view text) {
  std::string made;
  bool in_option = false, is_bold = false;
  for (std::size_t at = 0; at < text.size();) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const char32_t character = next_character(text, at);
    if (character == U'`') {
      is_bold = !is_bold;
      made += is_bold ? "\\fB" : "\\fP";
      continue;
    }
    if (character == U' ' || character == U'\n') in_option = false;
    if (character == U'-' && std::string_view(" \n('`").find(before) != std::string_view::npos) in_option = true;
    made += in_roff(character, in_option || is_bold);
  }
  if (is_bold) made += "\\fP";
  return made;
}

std::string bold(std::string_view text) { return "\\fB" + code(text) + "\\fP"; }
std::string italic(std::string_view text) { return "\\fI" + code(text) + "\\fP"; }

// A line that begins with a dot or a quote would be a request.
std::string line(const std::string& text) {
  return (text.starts_with('.') || text.starts_with('\'') ? "\\&" : "") + text + '\n';
}

// Lines that the reader's program joins.
std::string short_lines(const std::string& text) {
  std::string made;
  std::istringstream lines(wrapped(text, 78));
  for (std::string each; std::getline(lines, each);) made += line(each);
  return made;
}

std::string filled(const std::string& text) { return short_lines(prose(text)); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string each; std::getline(all, each);) lines.push_back(each);
  return lines;
}

bool is_indented(const std::string& line) { return line.starts_with(' '); }

// Writes a part of a text: paragraphs, displays of what is indented, and entries.
class body {
 public:
  void take(const std::string& each) {
    if (each.empty()) {
      end();
    } else if (is_indented(each)) {
      if (display_.empty()) end();
      display_ += line(code(each));
    } else {
      if (paragraph_.empty()) end();
      paragraph_ += each + ' ';
    }
  }

  // An entry of a list: a column of blanks divides its name from its text.
  void take_entry(const std::string& each) {
    const std::size_t name = each.find_first_not_of(' ');
    const std::size_t gap = each.find("  ", name);
    if (name > 2 || gap == std::string::npos) {  // the text goes on
      entry_ += ' ' + each.substr(name);
      return;
    }
    end();
    name_ = each.substr(name, gap - name);
    entry_ = each.substr(each.find_first_not_of(' ', gap));
  }

  std::string text() {
    end();
    return std::move(text_);
  }

 private:
  void end() {
    if (!paragraph_.empty()) text_ += ".PP\n" + filled(paragraph_);
    if (!display_.empty()) text_ += ".PP\n.EX\n" + display_ + ".EE\n";
    if (!entry_.empty()) text_ += ".TP\n" + line(bold(name_)) + filled(entry_);
    paragraph_.clear();
    display_.clear();
    entry_.clear();
  }

  std::string text_;
  // The parts that are under way; at most one of them is not empty.
  std::string paragraph_, display_, name_, entry_;
};

struct parts {
  body description, exit_status, examples;
};

parts parts_of(const std::string& footer) {
  parts made;
  body* part = &made.description;
  for (const std::string& each : lines_of(footer)) {
    if (each == "Exit codes:") {
      part = &made.exit_status;
    } else if (each == "Examples:") {
      part = &made.examples;
    } else if (part == &made.exit_status && is_indented(each)) {
      part->take_entry(each);
    } else {
      part->take(each);
    }
  }
  return made;
}

std::string joined(const std::vector<std::string>& names) {
  std::string made;
  for (const std::string& each : names) made += (made.empty() ? "" : ", ") + each;
  return made;
}

std::string entry(const described_option& option, bool is_positional) {
  std::string names;
  for (const std::string& each : option.names) {
    if (!names.empty()) names += ", ";
    names += is_positional ? italic(each) : bold(each);
  }
  if (!is_positional && !option.value.empty())
    names += option.value_is_optional ? "[=" + italic(option.value) + "]" : " " + italic(option.value);
  std::string help = option.help;
  if (!help.ends_with('.')) help += '.';
  if (!option.preset.empty()) help += "\nThe default is " + option.preset + ".";
  if (!option.only_with.empty()) help += "\nOnly with " + joined(option.only_with) + ".";
  if (!option.not_with.empty()) help += "\nNot with " + joined(option.not_with) + ".";
  std::string text = ".TP\n" + line(names);
  for (const std::string& each : lines_of(help)) text += filled(each);
  return text;
}

// A way to call the command. Words with capitals are values.
std::string call(const std::string& usage) {
  std::string made;
  std::istringstream words(usage);
  bool is_name = true;
  for (std::string word; words >> word; is_name = false) {
    const bool is_value = !is_name && std::ranges::any_of(word, [](unsigned char c) { return std::isupper(c) != 0; });
    made += (made.empty() ? "" : " ") + (is_name ? bold(word) : is_value ? italic(word) : code(word));
  }
  return made;
}

// A sentence as the page's one line: begins small, without an end.
std::string one_line(const std::string& description) {
  std::string made = first_clause(description);
  if (made.size() > 1 && std::islower(static_cast<unsigned char>(made[1])) != 0)
    made[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(made[0])));
  return made;
}

std::string reference(const std::string& page) { return ".BR " + code(page) + " (1)"; }

}  // namespace

std::string page_name(const described_command& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string manual_page(const described_command& command, const std::vector<std::string>& others) {
  const std::string name = page_name(command);
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  parts parted = parts_of(command.footer);
  std::string page = fmt::format(".\\\" Made by `{} --man`.\n.TH {} 1 \"\" \"{}\" \"User commands\"\n", command.name,
                                 code(title), command.version);
  page += ".SH NAME\n" + short_lines(code(name) + " \\- " + prose(one_line(command.description)));
  page += ".SH SYNOPSIS\n.nf\n";
  for (const std::string& each : command.usage) page += line(call(each));
  page += ".fi\n.SH DESCRIPTION\n";
  std::string description = command.description;
  if (!description.ends_with('.')) description += '.';
  page += filled(description) + parted.description.text();
  if (!command.subcommands.empty()) {
    page += ".SH COMMANDS\n";
    for (const described_command& each : command.subcommands)
      page += ".TP\n" + reference(page_name(each)) + '\n' + filled(each.description + '.');
  }
  if (!command.positionals.empty()) page += ".SH ARGUMENTS\n";
  for (const described_option& each : command.positionals) page += entry(each, true);
  std::vector<std::string> headings;
  for (const described_option& each : command.options) {
    if (std::ranges::find(headings, each.heading) == headings.end()) headings.push_back(each.heading);
  }
  page += ".SH OPTIONS\n";
  for (const std::string& heading : headings) {
    if (heading != "Options") page += ".SS " + code(heading) + '\n';
    for (const described_option& each : command.options) {
      if (each.heading == heading) page += entry(each, false);
    }
  }
  if (const std::string text = parted.exit_status.text(); !text.empty()) page += ".SH EXIT STATUS\n" + text;
  if (const std::string text = parted.examples.text(); !text.empty()) page += ".SH EXAMPLES\n" + text;
  std::string also;
  for (const std::string& each : others) also += (also.empty() ? "" : " ,\n") + reference(each);
  for (const std::string& each : command.see_also) also += (also.empty() ? "" : " ,\n") + reference(each);
  if (!also.empty()) page += ".SH SEE ALSO\n" + also + '\n';
  return page;
}

}  // namespace weir::support
