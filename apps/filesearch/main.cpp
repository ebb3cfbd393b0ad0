// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
//     walk -> search, a farm -> write
//
// Exit codes are those of grep: 0 if a line was selected, 1 if none was, 2 after an error.

#include <weir/cluster/coordinator.hpp>
#include <weir/weir.hpp>

#include "matcher.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "searcher.hpp"
#include "support/ending.hpp"
#include "support/network_options.hpp"
#include "support/output.hpp"
#include "walk.hpp"
#include "writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace filesearch;

constexpr int nothing_selected = 1;
constexpr int trouble = 2;

void say(const std::string& message) { weir::support::complain("filesearch", message); }

std::string group_separator(const options& chosen) {
  std::string separator;
  if (chosen.style.context && chosen.prints_lines()) {
    write_separator(separator, "--", chosen.style);
    separator += '\n';
  }
  return separator;
}

void summarise(const outcome& found, double seconds) {
  say(fmt::format("{} of {} files match; {:.1f} MB, {:.2f} s{}", found.matching_files, found.files,
                  static_cast<double>(found.bytes) / 1e6, seconds,
                  found.errors == 0 ? "" : fmt::format("; {} could not be read", found.errors)));
}

// Whether no line can be selected, whatever the files contain; grep then doesn't open them.
bool selects_nothing(const options& chosen) {
  const bool all_match = chosen.what.where == extent::anywhere && chosen.what.patterns == std::vector<std::string>{""};
  return chosen.most == 0 || (chosen.invert && all_match);
}

int search(options chosen) {
  if (selects_nothing(chosen) && chosen.names != listed::names_without) chosen.roots.clear();
  const bool in_cluster = weir::group_environment::names_a_group();
  if (!in_cluster) matcher(chosen.what, say);
  outcome found;
  std::stop_source enough;
  fellows searching;
  const auto make_searcher = [&] { return searcher(chosen, searching); };
  const auto searchers = (chosen.workers == 0 ? weir::farm(make_searcher) : weir::farm(make_searcher, chosen.workers))
                             .on_demand(2)
                             .named("search");
  weir::network net =
      weir::source(walk(chosen, in_cluster)).named("walk") | (chosen.sorted ? searchers.ordered() : searchers) |
      weir::sink(writer(group_separator(chosen), found, chosen.quiet ? &enough : nullptr)).capacity(4).named("write");
  const weir::report report = weir::run(net, {.workers = chosen.workers, .stop = enough.get_token()});
  if (!report.in_result_group) return 0;
  if (in_cluster) matcher(chosen.what, say);  // one of the groups reports invalid patterns
  weir::support::tell({.table = chosen.table, .file = chosen.report}, report);
  if (chosen.recursive && !chosen.quiet && !chosen.no_messages && ::isatty(STDERR_FILENO) == 1) {
    summarise(found, std::chrono::duration<double>(report.wall).count());
  }
  const bool selected = found.matching_files != 0;
  if (found.errors != 0 && !(chosen.quiet && selected)) return trouble;
  return selected ? 0 : nothing_selected;
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();
  const auto asked = parse(argc, argv, weir::version);
  if (const int* code = std::get_if<int>(&asked)) return *code;
  try {
    const int code = search(std::get<options>(asked));
    weir::support::finish_standard_output();
    return code;
  } catch (const std::exception& error) {
    return weir::support::ended_by(error, "filesearch", trouble);
  }
}
