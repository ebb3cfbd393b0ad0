// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor_command.hpp"

#include "doctor/finding.hpp"
#include "doctor/this_build.hpp"
#include "support/output.hpp"
#include "support/wrapped.hpp"

#include <fmt/format.h>

#include <cctype>
#include <vector>

namespace {

constexpr std::size_t columns = 80, text_column = 20;

std::vector<finding> all_findings() {
  return {cores_found(), processor_found(), memory_found(), shared_memory_found(), io_uring_found(), counters_found(),
          mpi_found(),   slurm_found(),     ssh_found(),    graphviz_found(),      stacks_found()};
}

const char* mark_of(offer is) { return is == offer::whole ? "ok" : is == offer::part ? "part" : "no"; }

// A line for what there is, and one for what follows; both are continued below their texts.
std::string line_of(const finding& found) {
  std::string text = found.text;
  if (!found.consequence.empty()) text += ". " + found.consequence;
  std::string line = fmt::format("{:5}{:15}", mark_of(found.is), found.topic);
  for (const char letter : weir::support::wrapped(text, columns - text_column)) {
    line += letter;
    if (letter == '\n') line.append(text_column, ' ');
  }
  return line + '\n';
}

std::string as_text(const std::vector<finding>& findings) {
  const this_build build = how_built();
  std::string text = fmt::format("weir {}, {}\n", build.version, text_of(build));
  for (const finding& each : findings) text += line_of(each);
  return text;
}

std::string key_of(const std::string& topic) {
  std::string key;
  for (const char each : topic)
    key += each == ' ' || each == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return key;
}

std::string as_json(const std::vector<finding>& findings) {
  const this_build build = how_built();
  nlohmann::ordered_json made{{"weir",
                               {{"version", build.version},
                                {"compiler", build.compiler},
                                {"machine", build.machine},
                                {"traits", build.traits},
                                {"parts", build.parts}}}};
  for (const finding& each : findings) {
    nlohmann::ordered_json facts{{"offer", mark_of(each.is)}, {"text", each.text}};
    if (!each.consequence.empty()) facts["consequence"] = each.consequence;
    facts.update(each.facts);
    made[key_of(each.topic)] = std::move(facts);
  }
  return made.dump(2) + "\n";
}

}  // namespace

weir::support::command add_doctor_command(weir::support::command& of, doctor_options& into) {
  weir::support::command command =
      of.subcommand("doctor", "Say what this machine offers to weir's programs, and what it lacks");
  command.usage("weir doctor [options]");
  command.flag("--json", into.json, "Print JSON instead of text");
  command.footer(R"(
Each line says whether the machine offers a thing: ok, part of it, or no; and
what follows from a lack. Nothing listed is needed by a program that runs in one
process. Limits are those of this process: its affinity, and its control group.
io_uring, counters, shared memory and the plugins for MPI are really tried.

Exit codes:
  0  the machine was examined, whatever it lacks
  1  the output can't be written
  2  wrong usage)");
  return command;
}

void examine(const doctor_options& options) {
  const std::vector<finding> findings = all_findings();
  weir::support::write_standard_output(options.json ? as_json(findings) : as_text(findings));
}
