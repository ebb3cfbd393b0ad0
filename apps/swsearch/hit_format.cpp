// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "hit_format.hpp"

#include "sam.hpp"
#include "support/output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace swsearch {
namespace {

// The printed rows of an alignment, with the query as it was read.
struct rows {
  std::string query, subject;
  std::string middle;  // identical letters; + for other pairs that score above 0
};

rows rows_of(const hit_view& hit, const alphabet& letters, const score_matrix& scores) {
  rows made;
  std::size_t q = hit.traced.query_begin, s = hit.traced.subject_begin;
  const auto pair = [&](bool has_query, bool has_subject) {
    const residue of_query = has_query ? hit.strand[q++] : padding,
                  of_subject = has_subject ? hit.subject[s++ - hit.subject_begin] : padding;
    const auto letter = [&](residue each) {
      return each == padding ? '-' : letters.letters()[hit.is_reversed ? letters.complement(each) : each];
    };
    made.query += letter(of_query);
    made.subject += letter(of_subject);
    const bool both = has_query && has_subject;
    made.middle += both && of_query == of_subject             ? letter(of_query)
                   : both && scores(of_query, of_subject) > 0 ? '+'
                                                              : ' ';
  };
  for (const run& each : hit.traced.runs) {
    for (std::size_t i = 0; i != each.length; ++i)
      pair(each.kind != column_kind::subject_only, each.kind != column_kind::query_only);
  }
  if (hit.is_reversed) {
    for (std::string* const row : {&made.query, &made.subject, &made.middle}) std::ranges::reverse(*row);
  }
  return made;
}

// The position of an alignment, counted as in BLAST: from 1, with the query as it was read, and
// backwards in the subject if the other strand was aligned.
struct ends {
  std::size_t query_first, query_last, subject_first, subject_last;
};

ends ends_of(const hit_view& hit) {
  const alignment& of = hit.traced;
  if (!hit.is_reversed) return {of.query_begin + 1, of.query_end, of.subject_begin + 1, of.subject_end};
  const std::size_t length = hit.strand.size();
  return {length - of.query_end + 1, length - of.query_begin, of.subject_end, of.subject_begin + 1};
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string_view first_word(std::string_view title) { return title.substr(0, title.find(' ')); }

std::string e_value_text(double value) {
  return std::isnan(value) ? "nan" : value < 1e-180 ? "0.0" : fmt::format("{:.3g}", value);
}

struct hit_format::column {
  std::string_view name;
  std::string_view meaning;
  need needs;
  bool is_number;
  std::function<void(std::string& to, const hit_view& hit, const hit_format& format)> add;
};

const std::vector<hit_format::column>& hit_format::all_columns() {
  using std::string;
  const auto text = [](auto value) {
    return [value](string& to, const hit_view& hit, const hit_format&) { to += value(hit); };
  };
  const auto number = [](auto value) {
    return [value](string& to, const hit_view& hit, const hit_format&) {
      fmt::format_to(std::back_inserter(to), "{}", value(hit));
    };
  };
  const auto decimal = [](const char* form, auto value) {
    return [form, value](string& to, const hit_view& hit, const hit_format&) {
      fmt::format_to(std::back_inserter(to), fmt::runtime(form), value(hit));
    };
  };
  const auto row = [](string rows::*which) {
    return [which](string& to, const hit_view& hit, const hit_format& format) {
      to += rows_of(hit, *format.letters_, format.scores_).*which;
    };
  };
  using hv = const hit_view&;
  static const std::vector<column> made{
      {"qseqid", "name of the query", need::scores, false, text([](hv h) -> const string& { return h.query->name; })},
      {"qlen", "length of the query", need::scores, true, number([](hv h) { return h.query->residues.size(); })},
      {"sseqid", "name of the sequence", need::scores, false, text([](hv h) { return first_word(h.title); })},
      {"slen", "length of the sequence", need::scores, true, number([](hv h) { return h.subject_length; })},
      {"stitle", "whole title of the sequence, after '>'", need::scores, false, text([](hv h) { return h.title; })},
      {"score", "score of the alignment", need::scores, true, number([](hv h) { return h.score; })},
      {"bitscore", "score in bits", need::scores, true, decimal("{:.1f}", [](hv h) { return h.bit_score; })},
      {"evalue", "number of hits with this score or more expected by chance", need::scores, true,
       text([](hv h) { return e_value_text(h.e_value); })},
      {"sstrand", "strand of the sequence: plus or minus", need::scores, false,
       text([](hv h) { return std::string_view(h.is_reversed ? "minus" : "plus"); })},
      {"qstart", "first aligned residue of the query, from 1", need::alignment, true,
       number([](hv h) { return ends_of(h).query_first; })},
      {"qend", "last aligned residue of the query", need::alignment, true,
       number([](hv h) { return ends_of(h).query_last; })},
      {"sstart", "first aligned residue of the sequence; larger than send on minus", need::alignment, true,
       number([](hv h) { return ends_of(h).subject_first; })},
      {"send", "last aligned residue of the sequence", need::alignment, true,
       number([](hv h) { return ends_of(h).subject_last; })},
      {"length", "number of columns of the alignment", need::alignment, true,
       number([](hv h) { return h.counts.columns; })},
      {"nident", "number of identical pairs", need::alignment, true, number([](hv h) { return h.counts.identities; })},
      {"pident", "identical pairs, in per cent of the length", need::alignment, true,
       decimal("{:.3f}", [](hv h) { return percent(h.counts.identities, h.counts.columns); })},
      {"mismatch", "number of different pairs", need::alignment, true,
       number([](hv h) { return h.counts.mismatches; })},
      {"positive", "number of pairs that score above 0", need::alignment, true,
       number([](hv h) { return h.counts.positives; })},
      {"ppos", "pairs that score above 0, in per cent of the length", need::alignment, true,
       decimal("{:.2f}", [](hv h) { return percent(h.counts.positives, h.counts.columns); })},
      {"gapopen", "number of gaps", need::alignment, true, number([](hv h) { return h.counts.gap_openings; })},
      {"gaps", "number of residues in gaps", need::alignment, true, number([](hv h) { return h.counts.gap_residues; })},
      {"qcovhsp", "per cent of the query that is aligned", need::alignment, true,
       decimal("{:.0f}",
               [](hv h) { return percent(h.traced.query_end - h.traced.query_begin, h.query->residues.size()); })},
      {"cigar", "CIGAR: M pairs, I residues of the query, D of the sequence", need::alignment, false, text([](hv h) {
         if (!h.is_reversed) return cigar(h.traced);
         alignment turned = h.traced;
         std::ranges::reverse(turned.runs);
         return cigar(turned);
       })},
      {"qseq", "aligned part of the query, with gaps", need::alignment, false, row(&rows::query)},
      {"sseq", "aligned part of the sequence, with gaps", need::alignment, false, row(&rows::subject)},
  };
  return made;
}

std::string_view hit_format::usual_columns() {
  return "qseqid sseqid pident length mismatch gapopen qstart qend sstart send evalue bitscore";
}

std::string hit_format::column_names() {
  std::string made;
  for (const column& each : all_columns())
    fmt::format_to(std::back_inserter(made), "  {:<9} {}\n", each.name, each.meaning);
  return made;
}

hit_format::hit_format(kind as, std::string_view columns, const alphabet& letters, const score_matrix& scores)
    : kind_(as), letters_(&letters), scores_(scores) {
  if (kind_ == kind::sam || kind_ == kind::pairwise) {
    needs_ = need::alignment;
    needs_significance_ = true;
    return;
  }
  if (columns.empty()) columns = usual_columns();
  while (true) {
    columns.remove_prefix(std::min(columns.find_first_not_of(", "), columns.size()));
    if (columns.empty()) break;
    const std::string_view name = columns.substr(0, columns.find_first_of(", "));
    columns.remove_prefix(name.size());
    const auto found = std::ranges::find(all_columns(), name, &column::name);
    if (found == all_columns().end()) {
      std::vector<std::string_view> names;
      for (const column& each : all_columns()) names.push_back(each.name);
      throw std::invalid_argument(fmt::format("there is no column {}; choose among {}",
                                              weir::support::quoted_name(name), fmt::join(names, ", ")));
    }
    if (std::ranges::find(columns_, &*found) != columns_.end())
      throw std::invalid_argument(fmt::format("column {} is named twice", name));
    columns_.push_back(&*found);
    needs_ = std::max(needs_, found->needs);
    if (name == "evalue" || name == "bitscore") needs_significance_ = true;
  }
  if (columns_.empty()) throw std::invalid_argument("no column is named; name one with --columns");
}

std::string hit_format::beginning() const {
  if (kind_ == kind::sam) return std::string(sam_beginning());
  if (kind_ != kind::csv) return "";
  std::string line;
  for (const column* const each : columns_) line += fmt::format("{}{}", line.empty() ? "" : ",", each->name);
  return line + "\n";
}

void hit_format::add_subject(std::string& to, std::string_view name, std::size_t length) const {
  add_sam_subject(to, name, length);
}

void hit_format::add_query(std::string& to, const sequence& query) const {
  if (kind_ != kind::pairwise) return;
  fmt::format_to(std::back_inserter(to), "Query: {}{}{}\nLength: {}\n\n", query.name,
                 query.description.empty() ? "" : " ", query.description, query.residues.size());
}

void hit_format::make_another(std::string& text) const {
  if (kind_ == kind::sam) make_secondary(text);
}

std::string_view hit_format::no_hits() const { return kind_ == kind::pairwise ? "No hits.\n\n\n" : ""; }

void hit_format::add_hit(std::string& to, const hit_view& hit) const {
  switch (kind_) {
    case kind::sam: return add_sam_hit(to, hit, *letters_);
    case kind::pairwise: return add_pairwise(to, hit);
    case kind::json_lines: return add_json(to, hit);
    default: break;
  }
  for (const column* const each : columns_) {
    if (each != columns_.front()) to += kind_ == kind::csv ? ',' : '\t';
    const std::size_t begin = to.size();
    each->add(to, hit, *this);
    if (kind_ != kind::csv || to.find_first_of(",\"\r", begin) == std::string::npos) continue;
    for (std::size_t at = begin; (at = to.find('"', at)) != std::string::npos; at += 2) to.insert(at, 1, '"');
    to.insert(begin, 1, '"');
    to += '"';
  }
  to += '\n';
}

void hit_format::add_json(std::string& to, const hit_view& hit) const {
  char before = '{';
  for (const column* const each : columns_) {
    fmt::format_to(std::back_inserter(to), "{}\"{}\":", before, each->name);
    before = ',';
    std::string value;
    each->add(value, hit, *this);
    if (each->is_number) {
      to += value == "nan" ? "null" : value;
    } else {
      to += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
  }
  to += "}\n";
}

void hit_format::add_pairwise(std::string& to, const hit_view& hit) const {
  const auto out = std::back_inserter(to);
  const alignment_counts& counts = hit.counts;
  const auto share = [&](std::size_t part) {
    return fmt::format("{}/{} ({:.0f} %)", part, counts.columns, percent(part, counts.columns));
  };
  fmt::format_to(out, "> {}\nLength: {}\nScore: {}", hit.title, hit.subject_length, hit.score);
  if (!std::isnan(hit.e_value))
    fmt::format_to(out, " ({:.1f} bits), e-value: {}", hit.bit_score, e_value_text(hit.e_value));
  fmt::format_to(out, "\nIdentities: {}, positives: {}, gaps: {}{}\n\n", share(counts.identities),
                 share(counts.positives), share(counts.gap_residues), hit.is_reversed ? ", on the minus strand" : "");
  const rows all = rows_of(hit, *letters_, scores_);
  const ends at = ends_of(hit);
  std::size_t query = at.query_first, subject = at.subject_first;
  const std::size_t digits = std::to_string(std::max({at.query_last, at.subject_first, at.subject_last})).size();
  const std::size_t in_line = 60;
  for (std::size_t begin = 0; begin < all.query.size(); begin += in_line) {
    const auto line = [&](const char* name, const std::string& row, std::size_t& first, bool backwards) {
      const std::string part = row.substr(begin, in_line);
      const auto residues = static_cast<std::size_t>(part.size() - std::ranges::count(part, '-'));
      const std::size_t next = backwards ? first - residues : first + residues;
      const std::size_t last = residues == 0 ? first : backwards ? next + 1 : next - 1;
      fmt::format_to(out, "{}  {:<{}}  {}  {}\n", name, first, digits, part, last);
      first = next;
    };
    line("Query", all.query, query, false);
    const std::string middle = fmt::format("{:{}}{}", "", 5 + 2 + digits + 2, all.middle.substr(begin, in_line));
    to.append(middle, 0, middle.find_last_not_of(' ') + 1);
    to += '\n';
    line("Sbjct", all.subject, subject, hit.is_reversed);
    to += '\n';
  }
  to += '\n';
}

}  // namespace swsearch
