// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "support/command_line.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string_view>

namespace swsearch {
namespace {

constexpr const char* description =
    R"(Searches a database of proteins, or DNA, for sequences that are similar to each query, by Smith-Waterman alignment with affine
gaps (Gotoh), exactly: every query against every sequence, on every core, with the widest vectors that there are.

QUERY and DATABASE are FASTA files, plain or compressed by gzip or zstd; `-` is standard input, for one of them. Letters may be lower
case; U is scored as C and O as X, as BLAST does, and letters that stand for no residue as X. A DATABASE whose name ends with .swdb is
an index that `swsearch index` has made: it need not be read and sorted again (see swsearch index --help).

Prints the best hits of each query, equal ones in the order of the database.)";

std::string footer() {
  return "Columns, of which the default are BLAST's twelve (qseqid sseqid pident length mismatch gapopen qstart qend "
         "sstart send evalue "
         "bitscore):\n" +
         hit_format::column_names() +
         "\nExit codes: 0; 1 if something couldn't be read or written, or makes no sense; 2 for a call that makes no "
         "sense; 128 + N "
         "after signal N,\nwith what was complete printed.";
}

const std::map<std::string, hit_format::kind> formats{{"tabular", hit_format::kind::tabular},
                                                      {"csv", hit_format::kind::csv},
                                                      {"jsonl", hit_format::kind::json_lines},
                                                      {"sam", hit_format::kind::sam},
                                                      {"pairwise", hit_format::kind::pairwise}};

// Translates BLAST's name of a format: "6", or "6 std qlen", where `std` stands for the twelve
// columns.
void take_as_blast(std::string& format, std::string& columns) {
  const std::string name = format.substr(0, format.find(' '));
  if (name != "6") return;
  std::string asked = format.substr(name.size());
  format = "tabular";
  const std::string_view all = "std";
  if (const std::size_t at = asked.find(all); at != std::string::npos)
    asked.replace(at, all.size(), hit_format::usual_columns());
  if (asked.find_first_not_of(' ') != std::string::npos) columns = asked;
}

// Whether the options make sense together; complains if they do not.
bool is_sensible(const search_options& chosen) {
  const auto wrong = [](std::string_view what) {
    weir::support::complain("swsearch", what);
    return false;
  };
  if (chosen.queries == "-" && chosen.database == "-")
    return wrong("only one of QUERY and DATABASE can be standard input");
  try {
    hit_format(chosen.format, chosen.columns, alphabet::protein(), score_matrix::named("BLOSUM62"));
  } catch (const std::invalid_argument& problem) {
    return wrong(problem.what());
  }
  const bool has_columns = chosen.format != hit_format::kind::sam && chosen.format != hit_format::kind::pairwise;
  if (!chosen.columns.empty() && !has_columns) return wrong("--columns goes with tabular, csv and jsonl only");
  if (chosen.all_scores && !has_columns) return wrong("--all-scores goes with tabular, csv and jsonl only");
  if (!chosen.dna && chosen.strand != "both") return wrong("--strand goes with --dna only");
  if (chosen.most_e_value && !(*chosen.most_e_value >= 0)) return wrong("--evalue is a number, and not below 0");
  return true;
}

std::variant<search_options, index_options, int> parse_search(int argc, char** argv, const char* version) {
  search_options chosen;
  weir::support::command command(description, "swsearch");
  command.footer(footer());
  command.add("QUERY", chosen.queries, "FASTA file of the queries").required().value_name("");
  command.add("DATABASE", chosen.database, "FASTA file of what is searched, or an index of one")
      .required()
      .value_name("");
  auto matrix = command
                    .add("-m,--matrix", chosen.matrix,
                         fmt::format("Scores: {}, or a file in NCBI's format", fmt::join(score_matrix::names(), ", ")))
                    .value_name("NAME")
                    .shows_default();
  const auto dna =
      command.flag("--dna", chosen.dna, "Queries and database are DNA; both strands are searched").shown_as(" ");
  matrix.excludes(dna);
  const auto number = [&](const char* name, auto& value, long long least, long long most, const std::string& about) {
    return command.add(name, value, about).whole_number(least, most).value_name("N");
  };
  number("--match", chosen.match, 1, 100, "Score of equal residues, with --dna").needs(dna).shown_as("N=2");
  number("--mismatch", chosen.mismatch, -100, 0, "Score of different ones, with --dna").needs(dna).shown_as("N=-3");
  command.add("--strand", chosen.strand, "Which of the query's: both, plus or minus")
      .one_of({"both", "plus", "minus"})
      .shown_as("WHICH=both");
  command
      .flag(
          "--mask", chosen.masks_queries,
          "Take residues of the queries for X (N with --dna) where they are of low complexity, such as QQQQQQ, also in "
          "alignments: by SEG, with --dna by DUST, as blastp -seg yes does")
      .shown_as(" ");
  number("--gap-open", chosen.gap_open, 0, 1'000'000,
         "What a gap costs, beside what each of its residues does [BLAST's for the matrix: 11 for BLOSUM62; 5 with "
         "--dna]");
  number("--gap-extend", chosen.gap_extend, 0, 1'000'000,
         "What each residue of a gap costs [likewise: 1; 2 with --dna]");
  weir::support::add_workers(command, chosen.workers, ",-t");
  const auto top =
      number("--top", chosen.most, 0, 1'000'000'000, "How many hits of a query to print; 0: all").shows_default();
  const auto least =
      number("--min-score", chosen.least_score, 0, 1'000'000'000, "Leave out hits below this score").shows_default();
  command
      .add("--evalue", chosen.most_e_value, "Of these hits, leave out those of which chance would give more than this")
      .shown_as("X");
  command
      .flag("--no-composition", chosen.ignores_composition,
            "Let e-values and scores in bits be those of proteins of average composition, as with blastp "
            "-comp_based_stats 0; by default they are corrected for that of query and hit")
      .excludes(dna)
      .shown_as(" ");
  const auto order = command
                         .add("--sort", chosen.order,
                              "The order of hits, and which are the best: evalue, or score [evalue if e-values are "
                              "printed, or limited by "
                              "--evalue]")
                         .one_of({"evalue", "score"})
                         .shown_as("NAME");
  std::string format = "tabular";
  std::string blast_columns;
  command
      .add("--outfmt", format,
           "tabular, csv (with a line of names), jsonl, sam or pairwise; or BLAST's 6, also with columns, such as "
           "\"6 std qlen\"")
      .transform(
          [&](std::string& name) {
            take_as_blast(name, blast_columns);
            return formats.contains(name) ? "" : name + " is none of tabular, csv, jsonl, sam, pairwise and 6";
          },
          "NAME")
      .shown_as("NAME=tabular");
  command.add("--columns", chosen.columns, "What to print of a hit: names of columns, separated by commas")
      .value_name("NAMES");
  command
      .flag("--all-scores", chosen.all_scores,
            "Print the scores of all sequences instead, in the order of the database (columns qseqid, sseqid, score)")
      .excludes(top)
      .excludes(least)
      .excludes(order)
      .shown_as(" ");
  number("--shares", chosen.shares, 1, 4096,
         "Parts of the database, for a cluster; by default one for each of its groups");
  command.flag("--strict", chosen.is_strict, "A letter that stands for no residue is an error");
  command.flag("-q,--quiet", chosen.is_quiet, "No summary on standard error, and no progress");
  weir::support::add_report(command, chosen.tells);
  command.version(fmt::format("swsearch {}", version));
  if (const auto code = command.parse(argc, argv)) return *code;
  chosen.format = formats.at(format);
  if (!blast_columns.empty() && !chosen.columns.empty()) {
    weir::support::complain("swsearch", "--outfmt and --columns both name columns");
    return weir::support::wrong_usage;
  }
  if (!blast_columns.empty()) chosen.columns = blast_columns;
  if (!is_sensible(chosen)) return weir::support::wrong_usage;
  return chosen;
}

std::variant<search_options, index_options, int> parse_index(int argc, char** argv) {
  index_options chosen;
  weir::support::command command(
      "Writes an index of a FASTA file: its sequences sorted by length and transposed, as the search wants them, with "
      "a checksum. Searches\n"
      "map it into memory: they start at once, and share the memory on one machine.",
      "swsearch index");
  command.footer("Exit codes: 0; 1 if something couldn't be read or written; 2 for a call that makes no sense.");
  command.add("DATABASE", chosen.database, "FASTA file, plain or compressed; - is standard input")
      .required()
      .value_name("");
  command.add("-o,--output", chosen.output, "The index; its name ends with .swdb [DATABASE.swdb]").value_name("FILE");
  command.flag("--dna", chosen.dna, "The sequences are DNA");
  command.flag("--strict", chosen.is_strict, "A letter that stands for no residue is an error");
  command.flag("-q,--quiet", chosen.is_quiet, "No summary on standard error");
  if (const auto code = command.parse(argc, argv)) return *code;
  const auto wrong = [](std::string_view what) {
    weir::support::complain("swsearch index", what);
    return weir::support::wrong_usage;
  };
  if (chosen.output.empty() && chosen.database == "-") return wrong("standard input has no name; give one with -o");
  if (chosen.output.empty()) chosen.output = chosen.database + ".swdb";
  if (!is_index(chosen.output)) return wrong("the name of an index ends with .swdb");
  if (is_index(chosen.database)) return wrong(chosen.database + " is an index by its name; DATABASE is a FASTA file");
  return chosen;
}

}  // namespace

std::variant<search_options, index_options, int> parse(int argc, char** argv, const char* version) {
  return argc > 1 && std::string_view(argv[1]) == "index" ? parse_index(argc - 1, argv + 1)
                                                          : parse_search(argc, argv, version);
}

}  // namespace swsearch
