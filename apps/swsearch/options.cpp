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
    "Searches a database of proteins or DNA for sequences that are similar to each query, by exact Smith-Waterman "
    "alignment of every query with every sequence.";

std::string footer() {
  return R"(
QUERY and DATABASE are FASTA files, plain or compressed by gzip or zstd; one of
them may be `-`, standard input. A DATABASE whose name ends with .swdb is an
index made by `swsearch index` (see swsearch index --help); searches in it start
at once. Letters may be lower case. In proteins, U is scored as C and O as X, as
in BLAST; letters that stand for no residue are scored as X. With --dna, U is
the same as T, and letters that stand for no base are scored as N.

The best hits of each query are printed; equal ones are in the order of the
database.

Columns; the default is BLAST's twelve (qseqid sseqid pident length mismatch
gapopen qstart qend sstart send evalue bitscore):
)" + hit_format::column_names() +
         R"(
Exit codes:
  0        success
  1        a file could not be read or written, or is invalid
  2        wrong usage
  128 + N  ended by signal N; the hits of complete queries have been printed)";
}

const std::map<std::string, hit_format::kind> formats{{"tabular", hit_format::kind::tabular},
                                                      {"csv", hit_format::kind::csv},
                                                      {"jsonl", hit_format::kind::json_lines},
                                                      {"sam", hit_format::kind::sam},
                                                      {"pairwise", hit_format::kind::pairwise}};

std::vector<std::string> names_of_matrices() {
  const std::vector<std::string_view> names = score_matrix::names();
  return {names.begin(), names.end()};
}

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
  if (chosen.most_e_value && !(*chosen.most_e_value >= 0))
    return wrong("--evalue must be a number that is not below 0");
  return true;
}

weir::support::command index_command(index_options& chosen, const char* version) {
  weir::support::command command(
      "Writes an index of a FASTA file. Searches in an index start at once, and share its memory on one machine.",
      "swsearch index");
  command.footer(R"(
An index holds the sequences in the form that the search needs, sorted by length
and transposed, with a checksum.

Exit codes:
  0        success
  1        a file could not be read or written
  2        wrong usage
  128 + N  ended by signal N)");
  command.add("DATABASE", chosen.database, "FASTA file, plain or compressed; - is standard input")
      .required()
      .value_name("");
  command.add("-o,--output", chosen.output, "The index; its name must end with .swdb [DATABASE.swdb]")
      .value_name("FILE");
  command.flag("--dna", chosen.dna, "The sequences are DNA");
  command.flag("--strict", chosen.is_strict,
               "Refuse letters that stand for no residue, digits among residues, and missing names");
  command.flag("-q,--quiet", chosen.is_quiet, "No summary on standard error");
  command.version(version);
  command.see_also({"swsearch"});
  return command;
}

std::variant<search_options, index_options, int> parse_search(int argc, char** argv, const char* version) {
  search_options chosen;
  weir::support::command command(description, "swsearch");
  command.usage("swsearch [OPTIONS] QUERY DATABASE\n       swsearch index [OPTIONS] DATABASE");
  command.footer(footer());
  command.add("QUERY", chosen.queries, "FASTA file of the queries").required().value_name("");
  command.add("DATABASE", chosen.database, "FASTA file or index that is searched").required().value_name("");
  auto matrix =
      command
          .add("-m,--matrix", chosen.matrix,
               fmt::format("Score matrix: {}, or a file in NCBI's format", fmt::join(score_matrix::names(), ", ")))
          .value_name("NAME")
          .suggests(names_of_matrices())
          .shows_default();
  const auto dna = command.flag("--dna", chosen.dna, "Queries and database are DNA; search both strands").shown_as(" ");
  matrix.excludes(dna);
  const auto number = [&](const char* name, auto& value, long long least, long long most, const std::string& about) {
    return command.add(name, value, about).whole_number(least, most).value_name("N");
  };
  number("--match", chosen.match, 1, 100, "Score of equal residues, with --dna").needs(dna).shown_as("N=2");
  number("--mismatch", chosen.mismatch, -100, 0, "Score of different residues, with --dna").needs(dna).shown_as("N=-3");
  command.add("--strand", chosen.strand, "Strand of the query, with --dna: both, plus or minus")
      .one_of({"both", "plus", "minus"})
      .shown_as("WHICH=both");
  command
      .flag(
          "--mask", chosen.masks_queries,
          "Treat residues of the queries in regions of low complexity, such as QQQQQQ, as X (with --dna as N), also in "
          "printed alignments, as blastp -seg yes does. SEG finds the regions, with --dna DUST")
      .shown_as(" ");
  number("--gap-open", chosen.gap_open, 0, 1'000'000,
         "Cost of a gap, without its residues [BLAST's for the matrix: 11 for BLOSUM62; 5 with --dna]");
  number("--gap-extend", chosen.gap_extend, 0, 1'000'000,
         "Cost of each residue of a gap [BLAST's for the matrix: 1 for BLOSUM62; 2 with --dna]");
  weir::support::add_workers(command, chosen.workers, ",-t");
  const auto top =
      number("--top", chosen.most, 0, 1'000'000'000, "Number of hits to print for a query; 0: all").shows_default();
  const auto least =
      number("--min-score", chosen.least_score, 0, 1'000'000'000, "Omit hits below this score").shows_default();
  command.add("--evalue", chosen.most_e_value, "Omit hits with a larger e-value").shown_as("X");
  command
      .flag("--no-composition", chosen.ignores_composition,
            "Do not correct e-values and bit scores for the composition of query and hit, as with blastp "
            "-comp_based_stats 0")
      .excludes(dna)
      .shown_as(" ");
  const auto order = command
                         .add("--sort", chosen.order,
                              "Order of the hits, which also decides which are the best: evalue or score [evalue if "
                              "e-values are printed, or --evalue is given]")
                         .one_of({"evalue", "score"})
                         .shown_as("NAME");
  std::string format = "tabular";
  std::string blast_columns;
  command
      .add("--outfmt", format,
           "Format of the output: tabular, csv (with a line of names), jsonl, sam or pairwise; or BLAST's 6, also with "
           "columns, such as \"6 std qlen\"")
      .transform(
          [&](std::string& name) {
            take_as_blast(name, blast_columns);
            return formats.contains(name) ? "" : name + " is none of tabular, csv, jsonl, sam, pairwise and 6";
          },
          "NAME")
      .suggests({"tabular", "csv", "jsonl", "sam", "pairwise"})
      .shown_as("NAME=tabular");
  command.add("--columns", chosen.columns, "Columns to print for a hit, separated by commas").value_name("NAMES");
  command
      .flag("--all-scores", chosen.all_scores,
            "Print the scores of all sequences, not only the best hits, in the order of the database (columns qseqid, "
            "sseqid, score)")
      .excludes(top)
      .excludes(least)
      .excludes(order)
      .shown_as(" ");
  number("--shares", chosen.shares, 1, 4096,
         "Number of parts of the database, in a cluster; by default one for each group");
  command.flag("--strict", chosen.is_strict,
               "Refuse letters that stand for no residue, digits among residues, and missing names");
  command.flag("-q,--quiet", chosen.is_quiet, "No summary and no progress on standard error");
  weir::support::add_report(command, chosen.tells);
  command.version(version);
  command.see_also({"weir-run"});
  index_options of_index;
  command.part(index_command(of_index, version));
  if (const auto code = command.parse(argc, argv)) return *code;
  chosen.format = formats.at(format);
  if (!blast_columns.empty() && !chosen.columns.empty()) {
    weir::support::complain("swsearch", "--outfmt and --columns both name columns; choose one");
    return weir::support::wrong_usage;
  }
  if (!blast_columns.empty()) chosen.columns = blast_columns;
  if (!is_sensible(chosen)) return weir::support::wrong_usage;
  return chosen;
}

std::variant<search_options, index_options, int> parse_index(int argc, char** argv, const char* version) {
  index_options chosen;
  weir::support::command command = index_command(chosen, version);
  if (const auto code = command.parse(argc, argv)) return *code;
  const auto wrong = [](std::string_view what) {
    weir::support::complain("swsearch index", what);
    return weir::support::wrong_usage;
  };
  if (chosen.output.empty() && chosen.database == "-") return wrong("standard input has no name; give one with -o");
  if (chosen.output.empty()) chosen.output = chosen.database + ".swdb";
  if (!is_index(chosen.output)) return wrong("-o: the name of an index must end with .swdb");
  if (is_index(chosen.database)) return wrong(chosen.database + " is an index, by its name; name a FASTA file");
  return chosen;
}

}  // namespace

std::variant<search_options, index_options, int> parse(int argc, char** argv, const char* version) {
  return argc > 1 && std::string_view(argv[1]) == "index" ? parse_index(argc - 1, argv + 1, version)
                                                          : parse_search(argc, argv, version);
}

}  // namespace swsearch
