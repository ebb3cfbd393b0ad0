// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/command_line.hpp"

#include "support/command_notes.hpp"
#include "support/completion.hpp"
#include "support/ending.hpp"
#include "support/manual_page.hpp"
#include "support/nearest.hpp"
#include "support/output.hpp"
#include "support/wrapped.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <sstream>
#include <system_error>
#include <utility>

namespace weir::support {
namespace {

// Columns of the help text, and the column at which the descriptions of options begin.
constexpr std::size_t help_columns = 80;
constexpr std::size_t description_column = 26;

// Leaves out blanks at the ends of lines, and all but one of several empty lines.
std::string without_gaps(const std::string& text) {
  std::string lines;
  std::istringstream all(text);
  bool empty = true;
  for (std::string line; std::getline(all, line);) {
    line.resize(line.find_last_not_of(' ') + 1);
    if (!line.empty() || !empty) lines += line + '\n';
    empty = line.empty();
  }
  while (lines.ends_with("\n\n")) lines.pop_back();
  return lines;
}

// Formats the help within 80 columns. The usage line is the given one, if there is one, or else the
// one that CLI11 makes from the options.
class narrow_help final : public CLI::Formatter {
 public:
  explicit narrow_help(std::string usage) : usage_(std::move(usage)) { column_width(description_column); }

 private:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return without_gaps(Formatter::make_help(app, std::move(name), mode));
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return usage_.empty() ? Formatter::make_usage(app, std::move(name)) : "Usage: " + usage_ + "\n";
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped(Formatter::make_description(app), help_columns) + "\n";
  }
  // A flag is followed by its value without one, `{…}`, which is for the parser only. A value that
  // may follow it, `[=…]`, follows at once.
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = Formatter::make_option_name(option, is_positional);
    return name.substr(0, name.find('{'));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = Formatter::make_option_opts(option);
    return text.starts_with(" [=") ? text.substr(1) : text;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), help_columns - description_column);
  }
  std::string make_subcommand(const CLI::App* app) const override {
    std::ostringstream text;
    const std::string description = wrapped(app->get_description(), help_columns - description_column);
    CLI::detail::format_help(text, app->get_display_name(true), description, description_column);
    return text.str();
  }

  std::string usage_;
};

// Returns the manual page of a command, which names those of the commands around it.
std::string manual_of(const CLI::App& command, const command_notes& notes) {
  const CLI::App* const above = command.get_parent();
  described_command whole = described(above == nullptr ? command : *above, notes);
  std::vector<std::string> others;
  if (above != nullptr) others.push_back(page_name(whole));
  const std::string asked = (above == nullptr ? "" : above->get_name() + " ") + command.get_name();
  described_command* shown = &whole;
  for (described_command& each : whole.subcommands) {
    if (each.name == asked) {
      shown = &each;
    } else {
      others.push_back(page_name(each));
    }
  }
  return manual_page(*shown, others);
}

// Says what is wrong with the number of values of an option. CLI11 puts the option in front.
std::string in_plain_words(const std::string& said) {
  std::string name = said.substr(0, said.find_first_of(": "));
  if (!name.starts_with('-')) name.insert(0, name.size() == 1 ? "-" : "--");
  if (said.find("missing") != std::string::npos) return name + " has no value";
  if (said.find("At Most") != std::string::npos) return name + " is given several times; give it once";
  if (said.find("flag override") != std::string::npos) return name + " takes no value";
  return said;
}

}  // namespace

option option::required() {
  option_->required();
  return *this;
}

option option::value_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

option option::shown_as(const std::string& text) {
  option_->option_text(text);
  return *this;
}

option option::shows_default() {
  option_->capture_default_str();
  return *this;
}

option option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

option option::one_value_each_time() {
  option_->allow_extra_args(false);
  return *this;
}

option option::whole_number(long long least, long long most) {
  return check(
      [limits = fmt::format("a whole number from {} to {}", least, most), least, most](const std::string& text) {
        long long value = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value);
        const bool good = error == std::errc() && stopped == end && value >= least && value <= most;
        return good ? std::string() : fmt::format("'{}' is not {}", text, limits);
      });
}

option option::completed_by(offered names) {
  option_notes& notes = notes_->options[option_];
  notes.names_of = names;
  notes.is_told = true;
  return *this;
}

option option::suggests(std::vector<std::string> values) {
  notes_->options[option_].words = std::move(values);
  return *this;
}

option option::number(double least, double most) {
  return check([least, most](const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    const bool good = error == std::errc() && stopped == end && value >= least && value <= most;
    return good ? std::string() : fmt::format("'{}' is not a number from {} to {}", text, least, most);
  });
}

option option::one_of(std::vector<std::string> values) {
  suggests(values);
  return check([values = std::move(values)](const std::string& text) {
    const bool good = std::ranges::find(values, text) != values.end();
    return good ? std::string() : fmt::format("'{}' is none of {}", text, fmt::join(values, ", "));
  });
}

option option::check(std::function<std::string(const std::string& value)> complaint) {
  option_->check(std::move(complaint));
  return *this;
}

option option::transform(std::function<std::string(std::string& value)> complaint, const std::string& kind) {
  option_->transform(CLI::Validator(std::move(complaint), kind));
  return *this;
}

option option::excludes(option other) {
  option_->excludes(other.option_);
  return *this;
}

option option::needs(option other) {
  option_->needs(other.option_);
  return *this;
}

bool option::is_given() const { return option_->count() != 0; }

command::command(const std::string& description, const std::string& name)
    : app_(std::make_shared<CLI::App>(description, name)), notes_(std::make_shared<command_notes>()) {
  app_->formatter(std::make_shared<narrow_help>(""));
  add_manual();
  app_->add_option_function<std::string>("--completion",
                                         [this_app = app_.get(), notes = notes_.get()](const std::string& shell) {
                                           throw CLI::CallForVersion(
                                               support::completion(described(*this_app, *notes), shell), 0);
                                         })
      ->check([](const std::string& shell) {
        return shell == "bash" || shell == "zsh" || shell == "fish" ? "" : "'" + shell + "' is none of bash, zsh, fish";
      })
      ->group("");
}

command::command(std::shared_ptr<CLI::App> app, std::shared_ptr<command_notes> notes)
    : app_(std::move(app)), notes_(std::move(notes)) {
  add_manual();
}

void command::add_manual() {
  app_->add_flag_callback("--man", [self = app_.get(),
                                    notes = notes_.get()] { throw CLI::CallForVersion(manual_of(*self, *notes), 0); })
      ->group("");
}

template <option_value Value>
option command::add(const std::string& names, Value& value, const std::string& help) {
  return noted(*app_->add_option(names, value, help));
}

template option command::add(const std::string&, int&, const std::string&);
template option command::add(const std::string&, unsigned&, const std::string&);
template option command::add(const std::string&, long&, const std::string&);
template option command::add(const std::string&, unsigned long&, const std::string&);
template option command::add(const std::string&, double&, const std::string&);
template option command::add(const std::string&, std::string&, const std::string&);
template option command::add(const std::string&, std::vector<std::string>&, const std::string&);
template option command::add(const std::string&, std::optional<int>&, const std::string&);
template option command::add(const std::string&, std::optional<unsigned long>&, const std::string&);
template option command::add(const std::string&, std::optional<double>&, const std::string&);

option command::add(const std::string& names, std::function<void(const std::string& value)> take,
                    const std::string& help) {
  return noted(*app_->add_option_function<std::string>(names, take, help));
}

option command::flag(const std::string& names, bool& value, const std::string& help) {
  return noted(*app_->add_flag(names, value, help)->disable_flag_override());
}

option command::flag(const std::string& names, std::string& value, const std::string& help) {
  return noted(*app_->add_flag(names, value, help));
}

option command::flag(const std::string& names, std::function<void()> act, const std::string& help) {
  return noted(*app_->add_flag_callback(names, std::move(act), help)->disable_flag_override());
}

void command::take_unexpected(std::vector<std::string>& words) {
  app_->add_option("unexpected", words)->group("");  // not shown in the help
}

void command::long_help_only() { app_->set_help_flag("--help", "Print this help message and exit"); }

void command::version(const std::string& number, const std::string& more) {
  notes_->commands[app_.get()].version = name() + " " + number;
  app_->set_version_flag("--version", name() + " " + number + (more.empty() ? "" : "\n" + more),
                         "Print the version and exit");
}

void command::footer(const std::string& text) { app_->footer(text); }

void command::usage(const std::string& words) {
  notes_->commands[app_.get()].usage = words;
  app_->formatter(std::make_shared<narrow_help>(words));
}

void command::see_also(std::vector<std::string> pages) { notes_->commands[app_.get()].see_also = std::move(pages); }

void command::starts_program() { notes_->commands[app_.get()].starts_program = true; }

void command::part(const command& other) {
  notes_->commands[app_.get()].parts.push_back(described(*other.app_, *other.notes_));
}

command command::subcommand(const std::string& name, const std::string& description) {
  const std::shared_ptr<CLI::App> made = app_->get_subcommand_ptr(app_->add_subcommand(name, description));
  made->set_version_flag("--version", notes_->commands[app_.get()].version)->group("");
  return {made, notes_};
}

std::string command::name() const { return app_->get_name(); }

bool command::is_chosen() const { return app_->parsed(); }

std::optional<int> command::parse(int argc, const char* const* argv) {
  const auto who = [&] {
    const auto chosen = app_->get_subcommands();
    return name() + (chosen.empty() ? "" : " " + chosen.front()->get_name());
  };
  const auto wrong_call = [&](const std::string& said) {
    complain(who(), fmt::format("{} {} --help", said + (said.ends_with('?') ? " See" : "; see"), who()));
    return wrong_usage;
  };
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    // `weir help run` is `weir run --help`.
    if (!words.empty() && words.front() == "help" && !app_->get_subcommands({}).empty()) {
      words.erase(words.begin());
      const auto is_named = [&](const CLI::App* each) { return each->get_name() == words.front(); };
      if (words.empty() || !app_->get_subcommands(is_named).empty()) words.emplace_back("--help");
    }
    for (std::string& word : words) {
      // CLI11 would take the next word for the value.
      if (word.starts_with("--") && word.ends_with("=")) return wrong_call(word + " has no value");
      // CLI11 would take the word for a list. As a file name, the changed word means the same.
      if (word.starts_with("[") && word.ends_with("]")) word.insert(0, "./");
    }
    std::reverse(words.begin(), words.end());
    app_->parse(std::move(words));
    std::vector<CLI::App*> commands = app_->get_subcommands();
    commands.push_back(app_.get());
    for (const CLI::App* each : commands) {
      for (const CLI::Option* option : each->get_options()) {
        if (option->get_positional() || option->get_type_name().empty()) continue;
        for (const std::string& value : option->results()) {
          if (value.empty()) return wrong_call(option->get_name() + " has no value");
        }
      }
    }
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    const int code = app_->exit(asked, text, text);
    try {
      write_standard_output(text.str());
      finish_standard_output();
    } catch (const std::exception& error) {
      return ended_by(error, who(), failure);
    }
    return code;
  } catch (const CLI::RequiredError& wrong) {
    // A mistyped option may be why something is missing.
    const std::vector<std::string> left = app_->remaining(true);
    return wrong_call(!left.empty() && left.front().starts_with('-') ? unknown_word() : wrong.what());
  } catch (const CLI::ExtrasError&) {
    return wrong_call(unknown_word());
  } catch (const CLI::ArgumentMismatch& wrong) {
    return wrong_call(in_plain_words(wrong.what()));
  } catch (const CLI::ParseError& wrong) {
    return wrong_call(wrong.what());
  }
  return std::nullopt;
}

// Returns what is wrong with the first word that was not understood.
std::string command::unknown_word() const {
  const std::vector<std::string> left = app_->remaining(true);
  const std::string word = left.empty() ? "" : left.front().substr(0, left.front().find('='));
  const auto chosen = app_->get_subcommands();
  const described_command known = described(chosen.empty() ? *app_ : *chosen.front(), *notes_);
  std::vector<std::string> names;
  const bool is_option = word.starts_with('-');
  if (is_option) {
    for (const described_option& each : known.options) names.insert(names.end(), each.names.begin(), each.names.end());
  } else if (known.positionals.empty()) {
    for (const described_command& each : known.subcommands) names.push_back(each.last_name());
  }
  const char* const kind = is_option ? "unknown option" : names.empty() ? "unexpected" : "unknown command";
  const std::string near = nearest(word, names);
  return fmt::format("{} {}{}", kind, quoted_name(word), near.empty() ? "" : "; did you mean " + near + "?");
}

std::vector<std::string> split_list(const std::string& text) { return CLI::detail::split(text, ','); }

}  // namespace weir::support
