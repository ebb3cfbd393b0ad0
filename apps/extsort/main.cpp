// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The contract of the sort is in core/sort_file.hpp, its exit codes in options.cpp.

#include <weir/run/group_member.hpp>
#include <weir/weir.hpp>

#include "check_order.hpp"
#include "core/process_memory.hpp"
#include "core/sort_file.hpp"
#include "core/streams.hpp"
#include "options.hpp"
#include "report.hpp"
#include "support/command_line.hpp"
#include "support/ending.hpp"
#include "support/output.hpp"
#include "support/supervision.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

namespace {

using namespace extsort;

std::unique_ptr<engine> engine_for(const sort_options& chosen, const engine_options& options) {
  if (chosen.engine == "seq") return sequential_engine(options.stop);
  if (chosen.engine == "openmp") return openmp_engine(options.workers, options.stop);
  return weir_engine(options);
}

// Puts the name of the group into the name of a file, if each group has a file of its own.
std::string named_after(std::string file, const std::string& group) {
  const std::string place = "{group}";
  for (std::size_t at = 0; (at = file.find(place, at)) != std::string::npos; at += group.size())
    file.replace(at, place.size(), group);
  return file;
}

std::string progress_text(const sort_progress& progress, std::chrono::steady_clock::time_point begin) {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto share = [](std::uint64_t done, std::uint64_t all) {
    return all == 0 ? 0 : 100 * static_cast<double>(done) / static_cast<double>(all);
  };
  const bool is_merging = progress.to_merge != 0;
  const auto done = static_cast<double>(progress.sorted_bytes + progress.merged_bytes);
  const auto all =
      static_cast<double>(progress.input_bytes + std::max<std::uint64_t>(progress.to_merge, progress.input_bytes));
  std::string text = progress.is_verifying ? std::string("verifying")
                     : is_merging
                         ? fmt::format("merging {:.0f} %", share(progress.merged_bytes, progress.to_merge))
                         : fmt::format("sorting runs {:.0f} %", share(progress.sorted_bytes, progress.input_bytes));
  if (seconds > 0.2 && done > 0)
    text +=
        fmt::format(", {:.2f} GB/s, {:.0f} s left", done / seconds / 1e9, std::max(0.0, all - done) / (done / seconds));
  return text;
}

// Warns if there are fewer workers than wanted: always if the user gave a number, else unless
// quiet.
void say_if_fewer(std::size_t workers, std::size_t wanted, const sort_options& chosen) {
  if (workers >= wanted || (chosen.workers == 0 && chosen.is_quiet)) return;
  weir::support::complain(
      "extsort", fmt::format("-m {} is enough for {} thread{}, not for {}; more memory lets more work", chosen.memory,
                             workers, workers == 1 ? "" : "s", wanted));
}

int sort(const sort_options& chosen) {
  const auto begin = std::chrono::steady_clock::now();
  share_freed_memory();
  weir::group_member* const member = weir::group_member::of_this_process();
  const std::size_t groups = member == nullptr ? 1 : member->groups().size();
  if (groups > 1 && (chosen.input == "-" || is_output_stream(chosen.output)))
    throw std::runtime_error("in a cluster, INPUT and OUTPUT must be files, not standard input and output");
  if (groups > 1 && !chosen.inputs_after.empty())
    throw std::runtime_error("in a cluster, only one INPUT is possible; use {group} in its name for several files");
  if (groups > 1 && chosen.header_lines != 0)
    throw std::runtime_error("in a cluster, --header does not work; call extsort without weir run");
  if (groups > 1 && chosen.runs != run_method::chunks)
    throw std::runtime_error("in a cluster, --runs snowplow does not work; call extsort without weir run");
  if (groups > 1 && chosen.engine != "weir")
    throw std::runtime_error("in a cluster, only --engine weir works; call extsort without weir run");
  const std::size_t cores =
      member == nullptr ? weir::available_cores() : std::max<std::size_t>(1, member->cores() / groups);
  const std::size_t taken = taken_already();
  const std::size_t asked = chosen.engine == "seq" ? 1 : chosen.workers != 0 ? chosen.workers : cores;
  // Each group must know the threads of the others; a group whose memory is too small reports that.
  const std::size_t workers = groups > 1 ? asked : workers_within(chosen.memory, taken, asked, chosen.compression);
  say_if_fewer(workers, asked, chosen);
  sort_progress progress;
  network_reports networks(chosen.tells);
  sort_summary done;
  bool is_done = false;
  int signal = 0;
  {
    const bool shows = !chosen.is_quiet && ::isatty(STDERR_FILENO) == 1;
    weir::support::supervision watch(shows
                                         ? std::function<std::string()>([&] { return progress_text(progress, begin); })
                                         : std::function<std::string()>());
    engine_options options{
        .workers = workers, .on_threads = chosen.on_threads, .pinned = chosen.is_pinned, .stop = watch.stop()};
    const auto told = [&](const weir::report& of) { networks.add(of); };
    if (groups == 1) options.told = told;
    const auto by = engine_for(chosen, options);
    options.told = told;  // groups report the network that they share
    sort_setup setup{.input = chosen.input,
                     .inputs_after = chosen.inputs_after,
                     .output = chosen.output,
                     .format = chosen.format,
                     .memory = memory_for_records(chosen.memory, taken, workers, groups - 1),
                     .temporary = chosen.temporary,
                     .direct = chosen.is_direct,
                     .by_uring = chosen.by_uring,
                     .is_unique = chosen.is_unique,
                     .is_verified = chosen.is_verified,
                     .stop = watch.stop(),
                     .groups = {},
                     .header_lines = chosen.header_lines,
                     .compression = chosen.compression,
                     .runs = chosen.runs,
                     .merging = chosen.merging,
                     .most_at_once = chosen.most_at_once};
    if (groups > 1) {
      setup.input = named_after(chosen.input, member->name());
      setup.output = named_after(chosen.output, member->name());
      for (std::string& each : setup.temporary) each = named_after(each, member->name());
      setup.groups = {.member = member,
                      .own_input = setup.input != chosen.input,
                      .own_output = setup.output != chosen.output,
                      .by = options};
    }
    try {
      done = sort_file(setup, *by, progress);
      is_done = true;
    } catch (const interrupted&) {  // the exit code reports it
    } catch (const weir::stopped&) {
      if (!watch.stop().stop_requested()) throw std::runtime_error("another group has been asked to stop");
    }
    signal = watch.signal();
  }
  if (!is_done) return 128 + signal;
  const double seconds = seconds_of(std::chrono::steady_clock::now() - begin);
  if (!done.lost.empty()) weir::support::complain("extsort", done.lost);
  if (groups == 1) say_if_fewer(done.workers, workers, chosen);
  networks.tell();
  if (chosen.as_json) weir::support::write_standard_output(json_of(done, chosen, seconds));
  if (!chosen.is_quiet) weir::support::complain("extsort", text_of(done, seconds));
  return 0;
}

int do_asked(const sort_options& chosen) {
  if (chosen.checks == check_kind::none) return sort(chosen);
  if (weir::group_member::of_this_process() != nullptr)
    throw std::runtime_error("in a cluster, -c and -C do not work; call extsort without weir run");
  return check_order(chosen);
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();
  const auto asked = parse(argc, argv, weir::version);
  if (const int* code = std::get_if<int>(&asked)) return *code;
  const auto& options = std::get<sort_options>(asked);
  try {
    const int code = do_asked(options);
    weir::support::finish_standard_output();
    return code;
  } catch (const std::exception& error) {
    const bool is_check = options.checks != check_kind::none;
    return weir::support::ended_by(error, "extsort", is_check ? weir::support::wrong_usage : weir::support::failure);
  }
}
