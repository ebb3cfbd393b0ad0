// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sam.hpp"

#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace swsearch {
namespace {

constexpr std::size_t longest_query_name = 254;                    // SAMv1, 1.4: QNAME
constexpr std::size_t longest_subject = 0x7fffffff;                // 1.3: LN
constexpr std::string_view not_in_subjects = "\"'()*,<=>[\\]`{}";  // 1.2.1; some are excluded only at the beginning
constexpr int reversed = 0x10, secondary = 0x100;                  // 1.4: FLAG

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

bool is_in_query(char c) { return is_visible(c) && c != '@'; }

bool is_in_subject(char c, bool is_first) {
  if (!is_first && (c == '*' || c == '=')) return true;
  return is_visible(c) && not_in_subjects.find(c) == std::string_view::npos;
}

// Only equal letters that stand for one residue count as a match.
std::size_t differences(const hit_view& hit, const alphabet& letters) {
  std::size_t made = 0, q = hit.traced.query_begin, s = hit.traced.subject_begin - hit.subject_begin;
  for (const run& each : hit.traced.runs) {
    const bool has_query = each.kind != column_kind::subject_only, has_subject = each.kind != column_kind::query_only;
    if (has_query && has_subject) {
      for (std::size_t i = 0; i != each.length; ++i) {
        const residue of_query = hit.strand[q + i];
        if (of_query != hit.subject[s + i] || !letters.is_definite(of_query)) ++made;
      }
    } else {
      made += each.length;
    }
    if (has_query) q += each.length;
    if (has_subject) s += each.length;
  }
  return made;
}

}  // namespace

std::string sam_names::complaint(std::string_view name) {
  constexpr std::string_view remedy = "rename it, or choose another --outfmt";
  const std::string shown = weir::support::quoted_name(name);
  if (which_ == of::queries && name.size() > longest_query_name)
    return fmt::format("the name of a query has {} letters, SAM allows {}: {}; {}", name.size(), longest_query_name,
                       shown, remedy);
  if (which_ == of::queries && name == "*") return fmt::format("the name {} means none in SAM; {}", shown, remedy);
  for (std::size_t i = 0; i != name.size(); ++i) {
    if (which_ == of::queries ? is_in_query(name[i]) : is_in_subject(name[i], i == 0)) continue;
    const auto byte = static_cast<unsigned char>(name[i]);
    return fmt::format("SAM does not allow the name {}, for {} at its place {}; {}", shown,
                       is_visible(name[i]) ? fmt::format("the '{}'", name[i]) : fmt::format("a byte of value {}", byte),
                       i + 1, remedy);
  }
  if (!seen_.emplace(name).second)
    return fmt::format("a second sequence with the name {}, which SAM does not allow; {}", shown, remedy);
  return "";
}

std::string sam_names::complaint_about_length(std::string_view name, std::size_t length) {
  if (length <= longest_subject) return "";
  return fmt::format("{} has {} residues, SAM allows {}; choose another --outfmt", weir::support::quoted_name(name),
                     length, longest_subject);
}

std::string_view sam_beginning() { return "@HD\tVN:1.6\tSO:unsorted\tGO:query\n"; }

void add_sam_subject(std::string& to, std::string_view name, std::size_t length) {
  if (length == 0) return;  // an empty sequence is no reference and has no hits
  fmt::format_to(std::back_inserter(to), "@SQ\tSN:{}\tLN:{}\n", name, length);
}

void add_sam_hit(std::string& to, const hit_view& hit, const alphabet& letters) {
  constexpr int no_mapping_quality = 255;
  const alignment& of = hit.traced;
  if (of.runs.empty()) return;
  const auto cut_off = [](std::size_t length) { return length == 0 ? std::string() : fmt::format("{}H", length); };
  std::string aligned;
  for (const residue each : hit.strand.subspan(of.query_begin, of.query_end - of.query_begin)) {
    const char letter = letters.letters()[each];
    aligned += letter == '*' ? 'X' : letter;  // '*' has another meaning in SAM
  }
  fmt::format_to(std::back_inserter(to), "{}\t{}\t{}\t{}\t{}\t{}{}{}\t*\t0\t0\t{}\t*\tAS:i:{}\tNM:i:{}",
                 hit.query->name, hit.is_reversed ? reversed : 0, first_word(hit.title), of.subject_begin + 1,
                 no_mapping_quality, cut_off(of.query_begin), cigar(of), cut_off(hit.strand.size() - of.query_end),
                 aligned, hit.score, differences(hit, letters));
  if (!std::isnan(hit.e_value))
    fmt::format_to(std::back_inserter(to), "\tZB:f:{:.1f}\tZE:f:{}", hit.bit_score, e_value_text(hit.e_value));
  to += '\n';
}

void make_secondary(std::string& line) {
  const std::size_t begin = std::min(line.find('\t'), line.size() - 1) + 1,
                    end = std::min(line.find('\t', begin), line.size());
  int flags = 0;
  std::from_chars(line.data() + begin, line.data() + end, flags);
  line.replace(begin, end - begin, std::to_string(flags | secondary));
}

}  // namespace swsearch
