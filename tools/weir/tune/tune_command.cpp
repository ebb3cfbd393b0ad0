// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "tune/tune_command.hpp"

#include "common/files.hpp"
#include "common/process.hpp"
#include "support/output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

using json = nlohmann::ordered_json;

// A tuned run counts as hanging if it takes longer than this multiple of the plain run before it,
// and some seconds more.
constexpr double longest = 10;
constexpr std::chrono::seconds longest_for_short_ones{20};
// A tuning is kept if the tuned run takes at most this share of the plain run's time.
constexpr double worth_keeping = 0.99;

[[noreturn]] void refuse_to_go_on(const std::string& name, const process_end& end) {
  if (end.signal != 0) {
    throw std::runtime_error(
        fmt::format("{} was ended by signal {} ({}) while it was measured", name, end.signal, end.signal_name()));
  }
  if (end.code != 0) {
    throw std::runtime_error(fmt::format(
        "{} ended with exit code {}; see its messages above, and check its arguments; its standard input is empty",
        name, end.code));
  }
  throw std::runtime_error(fmt::format(
      "{} wrote no profile; check that these arguments make it run a network to its end, and that it was built with "
      "this version of weir",
      name));
}

/// Returns the profile of a run with the given tuning. @param most as for `run_to_the_end`
json profile(const std::vector<std::string>& program, const json& tuning,
             std::chrono::seconds most = std::chrono::seconds(0)) {
  const lent_file profile("WEIR_PROFILE");
  std::unique_ptr<lent_file> tuned;
  if (!tuning.empty()) {
    tuned = std::make_unique<lent_file>("WEIR_TUNING");
    weir::support::write_file(tuned->path(), tuning.dump());
  }
  process_end end;
  try {
    end = run_to_the_end(program, program_output::discarded, most);
  } catch (const took_too_long&) {
    throw std::runtime_error(fmt::format(
        "{} did not end within {} s with this tuning, and was killed; nodes that wait for each other must not be "
        "fused, so call separate() on them: {}",
        program.front(), most.count(), tuning.dump()));
  } catch (const cannot_start& why) {
    throw std::runtime_error(fmt::format("can't start {}: {}; check the path after --", program.front(), why.what()));
  }
  json made = json::parse(read_file(profile.path()), nullptr, false);
  if (end.signal != 0 || end.code != 0 || made.is_discarded() || !made.contains("tuning")) {
    refuse_to_go_on(program.front(), end);
  }
  return made;
}

double seconds(const json& profile) { return profile.at("report").at("wall_ns").get<double>() / 1e9; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool changes_something(const json& tuning) {
  return tuning.contains("widths") || tuning.contains("fused") || tuning.contains("capacities");
}

struct choice {
  json tuning;
  std::string difference;
};

/// Chooses a tuning from a profile. If widths change, the rest is chosen from a second profile, of
/// a run with those widths.
choice choose(const std::vector<std::string>& program) {
  const json first = profile(program, json::object());
  choice made{first.at("tuning"), first.at("changed_widths").get<std::string>()};
  if (!made.tuning.contains("widths")) {
    made.difference += first.at("other_changes").get<std::string>();
    return made;
  }
  const json widths = made.tuning.at("widths");
  const json second = profile(program, {{"network", made.tuning.at("network")}, {"widths", widths}});
  made.tuning = second.at("tuning");
  made.tuning["widths"] = widths;
  made.difference += second.at("other_changes").get<std::string>();
  return made;
}

/// Median seconds of the runs.
struct comparison {
  double plain;
  double tuned;
};

comparison compare(const tune_options& options, const json& tuning) {
  std::vector<double> plain;
  std::vector<double> tuned;
  for (unsigned long i = 0; i != options.pairs; ++i) {
    const auto began = std::chrono::steady_clock::now();
    plain.push_back(seconds(profile(options.program, json::object())));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const auto most = longest_for_short_ones + std::chrono::seconds(static_cast<long>(longest * took.count()));
    tuned.push_back(seconds(profile(options.program, tuning, most)));
  }
  return {median(std::move(plain)), median(std::move(tuned))};
}

}  // namespace

weir::support::command add_tune_command(weir::support::command& of, tune_options& into) {
  weir::support::command command = of.subcommand("tune", "Choose how a program's network runs, from measured runs");
  command.usage("weir tune [options] -- program [arguments]");
  command.add("-o,--output", into.output, "File for the tuning").value_name("FILE").shows_default();
  command.add("--pairs", into.pairs, "Compare N runs without the tuning with N runs with it")
      .value_name("N")
      .whole_number(1, 1000)
      .shows_default();
  command.take_unexpected(into.unexpected);
  command.starts_program();
  command.footer(
      R"(
The program is run to its end many times: once or twice to measure it, and then
in pairs to compare. Its standard input is empty, and its standard output is
discarded. For the first network that it runs, the command chooses which light
neighbours run as one node, how many workers those farms get whose width is
open, and how many items channels hold. It prints the changes, and writes them
to FILE if the program is faster with them; otherwise FILE says to change
nothing.

To run the program with the tuning: WEIR_TUNING=FILE program [arguments]

Exit codes:
  0  FILE is written
  1  FILE is not written; one line on standard error says why
  2  wrong usage)");
  return command;
}

void tune(const tune_options& options) {
  // Variables that were set for a run of the program must not affect these runs.
  for (const char* const variable : {"WEIR_TUNING", "WEIR_PROFILE", "WEIR_GRAPH", "WEIR_TRACE", "WEIR_TOP"})
    unsetenv(variable);
  choice made = choose(options.program);
  if (!changes_something(made.tuning)) {
    weir::support::write_file(options.output, made.tuning.dump(2) + "\n");
    weir::support::write_standard_output("Nothing to change: " + options.output + " says so.\n");
    return;
  }
  const comparison times = compare(options, made.tuning);
  const bool faster = times.tuned <= worth_keeping * times.plain;
  if (!faster) made.tuning = json{{"network", made.tuning.at("network")}};
  weir::support::write_file(options.output, made.tuning.dump(2) + "\n");
  weir::support::write_standard_output(
      fmt::format("{}{:.3g} times as fast: {:.3g} s instead of {:.3g} s (medians of {}).\n{}\n", made.difference,
                  times.plain / times.tuned, times.tuned, times.plain, options.pairs,
                  faster ? "Written to " + options.output + "; use it with WEIR_TUNING=" + options.output
                         : "That is no gain, so " + options.output + " says to change nothing."));
}
