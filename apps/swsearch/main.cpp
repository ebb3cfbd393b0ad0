// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// search_network.hpp describes the search, and options.cpp the exit codes.

#include <weir/cluster/coordinator.hpp>
#include <weir/io/chunks.hpp>
#include <weir/item/buffer.hpp>
#include <weir/run/group_member.hpp>
#include <weir/weir.hpp>

#include "database_file.hpp"
#include "options.hpp"
#include "progress_line.hpp"
#include "search_network.hpp"
#include "support/command_line.hpp"
#include "support/ending.hpp"
#include "support/output.hpp"
#include "support/supervision.hpp"
#include "support/unhurried_stream.hpp"
#include "usual_costs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

namespace {

using namespace swsearch;

void say(const std::string& message) { weir::support::complain("swsearch", message); }

// After a signal that ends the search: standard error may have a reader that reads no more.
void say_in_time(const std::string& message) {
  weir::support::write_standard_error_in_time(weir::support::complaint("swsearch", message));
}

const alphabet& letters_of(bool dna) { return dna ? alphabet::dna() : alphabet::protein(); }

score_matrix matrix_of(const search_options& chosen) {
  if (chosen.dna) return score_matrix::dna(chosen.match, chosen.mismatch, chosen.mismatch);
  const std::string& name = chosen.matrix;
  std::ifstream file(name);
  const int why = errno;
  if (score_matrix::is_known(name) || (!file && why == ENOENT)) return score_matrix::named(name);
  const std::string what = "can't read the matrix " + weir::support::quoted_name(name);
  if (!file) throw std::system_error(why, std::generic_category(), what);
  if (!std::filesystem::is_regular_file(name)) throw std::runtime_error(what + ": it is no regular file");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return score_matrix::parsed(text, alphabet::protein(), name);
}

std::string name_of_scores(const search_options& chosen) {
  return chosen.dna ? fmt::format("{} / {}", chosen.match, chosen.mismatch) : chosen.matrix;
}

std::optional<significance> chance_of(const search_options& chosen, const score_matrix& scores, const gap_costs& gaps) {
  if (const auto known = known_significance(name_of_scores(chosen), gaps)) return known;
  try {
    return fit_significance(scores, gaps, chosen.dna ? dna_frequencies() : protein_frequencies());
  } catch (const std::invalid_argument& none) {
    if (chosen.most_e_value) throw;
    if (!chosen.is_quiet) say(none.what());
    return std::nullopt;
  }
}

// Reports input that may not be as intended, even with `--quiet`.
void mention(const search_progress& progress, const alphabet& letters, decltype(say)& say) {
  const auto count = [](const std::atomic<std::uint64_t>& of, const char* one, const char* many) {
    return fmt::format("{} {}", of.load(), of == 1 ? one : many);
  };
  if (progress.letters_replaced != 0)
    say(fmt::format("{} no residue, taken for {}",
                    count(progress.letters_replaced, "letter that stands for", "letters that stand for"),
                    letters.letters()[letters.unknown()]));
  if (progress.digits_left_out != 0)
    say(count(progress.digits_left_out, "digit", "digits") + " among residues left out");
  if (progress.names_missing != 0)
    say(count(progress.names_missing, "sequence", "sequences") + " without a name, called 'unnamed'");
}

// Warns of proteins that were searched as DNA, and of DNA that was searched as proteins: such hits
// have no meaning.
void mention_kind(const search_progress& progress, bool is_dna, decltype(say)& say) {
  constexpr std::uint64_t few = 25;
  const std::uint64_t residues = progress.query_residues, all = residues + progress.database_residues;
  if (residues < few) return;
  if (!is_dna && progress.query_bases >= residues - residues / few)
    say("the queries look like DNA, and were searched as proteins; --dna searches both strands of DNA");
  if (is_dna && progress.letters_replaced > all / few)
    say("these look like proteins, and were searched as DNA; leave out --dna");
}

std::size_t groups_of_the_cluster() {
  weir::group_member* const member = weir::group_member::of_this_process();
  return member == nullptr ? 1 : member->groups().size();
}

search_setup setup_of(const search_options& chosen) {
  const alphabet& letters = letters_of(chosen.dna);
  const score_matrix scores = matrix_of(chosen);
  const gap_costs usual = default_gaps(name_of_scores(chosen));
  const gap_costs gaps{chosen.gap_open.value_or(usual.open), chosen.gap_extend.value_or(usual.extend)};
  const std::string columns = chosen.columns.empty() && chosen.all_scores ? "qseqid sseqid score" : chosen.columns;
  search_setup made{.queries = chosen.queries,
                    .database = chosen.database,
                    .letters = &letters,
                    .is_strict = chosen.is_strict,
                    .masks_queries = chosen.masks_queries,
                    .scores = scores,
                    .gaps = gaps,
                    .plus = chosen.strand != "minus",
                    .minus = chosen.dna && chosen.strand != "plus",
                    .least_score = chosen.all_scores ? 0 : chosen.least_score,
                    .most = chosen.all_scores ? 0 : chosen.most,
                    .in_database_order = chosen.all_scores,
                    .format = hit_format(chosen.format, columns, letters, scores),
                    .chance = {},
                    .composition = {},
                    .workers = chosen.workers,
                    .shares = 1};
  if (chosen.most_e_value) made.most_e_value = *chosen.most_e_value;
  made.by_e_value = chosen.order.empty()
                        ? !chosen.all_scores && (made.format.needs_significance() || chosen.most_e_value)
                        : chosen.order == "evalue";
  if (made.format.needs_significance() || chosen.most_e_value || made.by_e_value)
    made.chance = chance_of(chosen, scores, gaps);
  if (made.chance && !chosen.dna && !chosen.ignores_composition)
    made.composition.emplace(scores, protein_frequencies());
  made.shares = chosen.shares ? *chosen.shares : groups_of_the_cluster();
  return made;
}

int search(const search_options& chosen) {
  search_progress progress;
  search_totals totals;
  const bool in_cluster = weir::group_environment::names_a_group();
  int signal = 0;
  weir::report report;
  const search_setup setup = setup_of(chosen);
  const std::size_t strands = setup.plus && setup.minus ? 2 : 1;
  {
    const bool shows = !chosen.is_quiet && !in_cluster && ::isatty(STDERR_FILENO) == 1;
    weir::support::supervision watch(shows ? [line = progress_line(progress, strands)]() mutable { return line.text(); }
                                           : std::function<std::string()>());
    const weir::support::stoppable_stream output(STDOUT_FILENO, watch.stop());
    weir::network net = search_network(setup, progress, totals, [&](std::string_view text) {
      const bool is_written = output.write(text);
      if (!is_written && errno != ECANCELED) weir::support::cant_write_standard_output();
      return is_written;
    });
    report = weir::run(net, {.workers = chosen.workers, .stop = watch.stop()});
    signal = watch.signal();
  }
  // A signal leaves the report out, as in other programs: it may be long, and have no reader.
  if (signal == 0 && report.in_result_group) weir::support::tell(chosen.tells, report);
  decltype(say)& say_now = signal == 0 ? say : say_in_time;
  mention(progress, *setup.letters, say_now);
  mention_kind(progress, chosen.dna, say_now);
  if (!chosen.is_quiet && report.in_result_group) {
    const double seconds = std::chrono::duration<double>(report.wall).count();
    const double cells = static_cast<double>(totals.query_residues) * static_cast<double>(totals.residues) *
                         static_cast<double>(strands);
    say_now(fmt::format("{}{} quer{} of {} residues, {} sequence{} of {}; {}, {}; {} hit{}; {:.2f} s, {:.1f} GCUPS",
                        signal != 0 ? "stopped: " : "", totals.queries, totals.queries == 1 ? "y" : "ies",
                        totals.query_residues, totals.sequences, totals.sequences == 1 ? "" : "s", totals.residues,
                        name_of_scores(chosen), setup.gaps.text(), totals.hits, totals.hits == 1 ? "" : "s", seconds,
                        cells / seconds / 1e9));
  }
  return signal == 0 ? 0 : 128 + signal;
}

int make_index(const index_options& chosen) {
  if (weir::group_environment::names_a_group()) {
    say("an index is made by one process; call swsearch index without weir run");
    return weir::support::wrong_usage;
  }
  const alphabet& letters = letters_of(chosen.dna);
  const std::string shown = chosen.database == "-" ? "standard input" : chosen.database;
  search_progress progress;
  database_builder builder;
  fasta_parser parser(letters, shown, chosen.is_strict, [&](const sequence& each) { builder.add(each); });
  weir::network net =
      weir::line_chunks(chosen.database) | weir::sink([&](const weir::buffer& part) { parser.add(part.text()); });
  std::optional<weir::support::supervision> watch(std::in_place, std::function<std::string()>());
  weir::run(net, {.stop = watch->stop()});
  if (watch->signal() != 0) return 128 + watch->signal();
  parser.end();
  const database_size size = builder.size();
  if (size.sequences == 0) throw std::invalid_argument(shown + ": there is no sequence in it");
  try {
    write_database(chosen.output, builder.finish(size), letters, watch->stop());
  } catch (const interrupted&) {
    return 128 + watch->signal();
  }
  watch.reset();  // nothing is to be tidied up, and nobody may read the lines below
  progress.doubt(parser.doubts());
  mention(progress, letters, say);
  if (chosen.is_quiet) return 0;
  say(fmt::format("{}: {} sequences of {} residues, {:.1f} MB", chosen.output, size.sequences, size.residues,
                  static_cast<double>(std::filesystem::file_size(chosen.output)) / 1e6));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();
  const auto asked = parse(argc, argv, weir::version);
  if (const int* code = std::get_if<int>(&asked)) return *code;
  try {
    if (const auto* const index = std::get_if<index_options>(&asked)) return make_index(*index);
    const int code = search(std::get<search_options>(asked));
    weir::support::finish_standard_output();
    return code;
  } catch (const std::exception& error) {
    return weir::support::ended_by(error, "swsearch", weir::support::failure);
  }
}
