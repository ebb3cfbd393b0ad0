// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
//     read -> split, a farm -> count, a farm by key -> rank
//
// `read` reads files, or gathers lines from sockets.
//
// Exit codes: 0; 1 if reading or writing failed; 2 for wrong usage.

#include <weir/run/stop_on.hpp>
#include <weir/weir.hpp>

#include "console.hpp"
#include "counting.hpp"
#include "listening.hpp"
#include "ranking.hpp"
#include "reader.hpp"
#include "support/command_line.hpp"
#include "support/ending.hpp"
#include "support/network_options.hpp"
#include "support/output.hpp"
#include "word_break_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace wordcount;

constexpr const char* description =
    "Counts the words of files, directories, standard input, or lines that arrive over TCP, and prints the most "
    "frequent ones.";

constexpr const char* footer = R"(
Without FILE, or with -, standard input is read. Of a directory, all regular
files in it are read. Links named as FILE are followed; links, pipes and devices
inside a directory are skipped. The highest count comes first; words with equal
counts are in byte order.

A word is a sequence, as long as possible, of ASCII letters, ASCII digits, and
bytes above 127. All other bytes, and the end of a file, separate words. Upper
and lower case differ unless -i is given. For one file, this prints the same
words and counts:

  export LC_ALL=C
  tr -sc 'A-Za-z0-9\200-\377' '\n' < FILE | grep -a . | sort | uniq -c |
    sort -k1,1nr -k2 | head -n 10

With --words unicode, the text is UTF-8 and is cut at the default word
boundaries of Unicode (annex 29). A word is a piece between two boundaries that
has a letter or a number in it: can’t and 3.14 are words. Quotes, dashes,
no-break spaces and bytes that are not UTF-8 belong to no word. Each ideograph
and each Thai letter is a word: no dictionary is used.

With --listen, wordcount counts lines that clients send over TCP, such as
`nc -N HOST PORT < FILE`. Any number may be connected at a time. It ends when
all clients have closed their connections; with --connections N, when N
connections have closed. SIGINT and SIGTERM end it, too; all words received by
then are counted and printed. A second signal, or one while it prints, ends it
without the rest. Clients are not authenticated, and nothing is encrypted.

Exit codes:
  0        success
  1        a file could not be read or written; the rest is counted
  2        wrong usage
  128 + N  ended by signal N)";

struct options {
  std::vector<std::string> files;
  std::optional<listening_place> listens;  ///< instead of files
  std::size_t connections = 0;             ///< number to wait for; 0: until there is none any more
  std::size_t workers = 0;                 ///< 0: one for each core
  std::size_t most = 10;
  word_kind words = word_kind::bytes;
  bool ignore_case = false;
  bool json = false;
  bool quiet = false;
  weir::support::report_options tells;
};

// Parses the command line. @return the options, or the exit code
std::variant<options, int> parse(int argc, char** argv) {
  options chosen;
  weir::support::command command(description, "wordcount");
  command.footer(footer);
  const weir::support::option files = command.add("FILE", chosen.files, "Files and directories").value_name("");
  const weir::support::option listen =
      command
          .add(
              "--listen", [&](const std::string& at) { chosen.listens = listening_place_from(at); },
              "Read lines from all clients of this port, at all addresses or at HOST; port 0: any free port, which is "
              "printed")
          .check([](const std::string& text) {
            return listening_place_from(text) ? "" : fmt::format("'{}' is not PORT, HOST:PORT or [IPV6]:PORT", text);
          })
          .value_name("[HOST:]PORT")
          .excludes(files);
  command.add("--connections", chosen.connections, "With --listen: end after N connections have closed")
      .whole_number(1, 1'000'000'000)
      .value_name("N")
      .needs(listen);
  weir::support::add_workers(command, chosen.workers);
  command.add("--top,-k", chosen.most, "Number of words to print; 0: all")
      .whole_number(0, 1'000'000'000)
      .value_name("N")
      .shows_default();
  command
      .add(
          "--words",
          [&](const std::string& kind) { chosen.words = kind == "unicode" ? word_kind::unicode : word_kind::bytes; },
          fmt::format("Definition of a word: bytes, or unicode (version {}); see below", unicode_version))
      .one_of({"bytes", "unicode"})
      .shown_as("KIND=bytes");
  command.flag("-i,--ignore-case", chosen.ignore_case, "Count ASCII letters as lower case");
  command.flag("--json", chosen.json, "Print one JSON object: the words, and the sums of the summary");
  command.flag("-q,--quiet", chosen.quiet, "No progress and no summary on standard error");
  weir::support::add_report(command, chosen.tells);
  command.version(weir::version);
  command.see_also({"weir-run", "weir-graph"});
  if (const auto code = command.parse(argc, argv)) return *code;
  if (chosen.files.empty() && !chosen.listens) chosen.files.emplace_back("-");
  return chosen;
}

// Makes a farm; 0 workers: one for each core, of all machines if the program runs on several.
template <class Node>
auto farm_of(Node node, std::size_t workers) {
  return workers == 0 ? weir::farm(std::move(node)) : weir::farm(std::move(node), workers);
}

weir::block<void, text_block> source_of(const options& chosen, tally& progress, connections& from,
                                        const reader::complaint& say) {
  if (chosen.listens) return from.source(*chosen.listens, chosen.connections, !chosen.quiet);
  return weir::source(reader(chosen.files, progress, say, chosen.words)).on_own_thread();
}

int count(const options& chosen) {
  // While listening, the first signal ends it, and the lines received so far are counted.
  std::optional<weir::stop_on> signals;
  if (chosen.listens) signals.emplace(std::initializer_list<int>{SIGINT, SIGTERM});
  tally read;
  ranking found;
  weir::report report;
  std::size_t lost = 0;
  {
    std::function<std::optional<std::uint64_t>(const std::stop_token&)> all;
    if (!chosen.listens) all = [&](const std::stop_token& stop) { return bytes_in(chosen.files, stop); };
    console terminal(read, !chosen.quiet && ::isatty(STDERR_FILENO) == 1, std::move(all));
    const auto say = [&](const std::string& line) { terminal.say(line); };
    connections from(read, say);
    weir::network net =
        source_of(chosen, read, from, say).named("read") |
        farm_of(splitter(chosen.ignore_case, chosen.words), chosen.workers).on_demand(2).named("split") |
        farm_of(counter(chosen.most), chosen.workers)
            .distribute([](const share& part, std::size_t) { return part.counter; })
            .capacity(16)
            .named("count") |
        weir::sink([&](ranking part) { merge(found, std::move(part), chosen.most); }).named("rank");
    weir::run_options how{.workers = chosen.workers};
    if (signals) {
      how.stop = signals->cancel_token();
      how.drain = signals->drain_token();
    }
    report = weir::run(net, how);
    lost = from.lost();
  }
  if (signals && signals->cancel_token().stop_requested()) return signals->exit_code();
  signals.reset();  // nobody may read what is printed now: a signal ends it as usual
  if (!report.in_result_group) return lost == 0 ? 0 : weir::support::failure;
  const double seconds = std::chrono::duration<double>(report.wall).count();
  weir::support::write_standard_output(chosen.json ? as_json(found, seconds) : as_text(found));
  weir::support::tell(chosen.tells, report);
  if (!chosen.quiet) {
    const auto bytes = static_cast<double>(found.read.bytes);
    const std::string summary = fmt::format(
        "{} words, {} different; {} in {} {}{}{}; {:.2f} s, {}/s", found.words, found.distinct, bytes_text(bytes),
        found.read.files, chosen.listens ? "connection" : "file", found.read.files == 1 ? "" : "s",
        found.read.unreadable == 0
            ? ""
            : fmt::format(", {} {}", found.read.unreadable, chosen.listens ? "broken off" : "unreadable"),
        seconds, bytes_text(bytes / seconds));
    weir::support::complain("wordcount", summary);
  }
  return found.read.unreadable == 0 && lost == 0 ? 0 : weir::support::failure;
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();
  const auto asked = parse(argc, argv);
  if (const int* code = std::get_if<int>(&asked)) return *code;
  try {
    const int code = count(std::get<options>(asked));
    weir::support::finish_standard_output();
    return code;
  } catch (const std::exception& error) {
    return weir::support::ended_by(error, "wordcount", weir::support::failure);
  }
}
