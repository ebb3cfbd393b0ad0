// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "fasta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace swsearch {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

bool is_left_out(char c) { return blanks.find(c) != std::string_view::npos || c == '-' || c == '.'; }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '*'; }

std::string shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 32 && byte < 127 ? fmt::format("'{}'", c) : fmt::format("a byte of value {}", byte);
}

}  // namespace

fasta_parser::fasta_parser(const alphabet& letters, std::string file, bool strict, std::function<void(sequence)> take)
    : letters_(&letters), file_(std::move(file)), strict_(strict), take_(std::move(take)) {}

std::invalid_argument fasta_parser::wrong(const std::string& what) const {
  return std::invalid_argument(fmt::format("{}:{}: {}", file_, line_, what));
}

void fasta_parser::add(std::string_view part) {
  constexpr std::size_t enough = 6;  // bytes; they suffice to recognise the format
  if (!beginning_) return add_text(part);
  *beginning_ += part;
  if (beginning_->size() >= enough) take_beginning();
}

void fasta_parser::take_beginning() {
  constexpr std::string_view mark = "\xef\xbb\xbf",
                             xz("\xfd"
                                "7zXZ\0",
                                6),
                             bzip2 = "BZh";
  const std::string text = *std::exchange(beginning_, std::nullopt);
  for (const auto& [begin, name] : {std::pair(xz, "xz"), std::pair(bzip2, "bzip2")}) {
    if (text.starts_with(begin))
      throw std::invalid_argument(fmt::format(
          "{}: it is compressed by {}, and only gzip and zstd are read; unpack it, as by `{} -dc`", file_, name, name));
  }
  add_text(std::string_view(text).substr(text.starts_with(mark) ? mark.size() : 0));
}

void fasta_parser::add_text(std::string_view part) {
  while (!part.empty()) {
    if (place_ == place::line_begin) {
      place_ = part.front() == '>' ? place::header : part.front() == ';' ? place::comment : place::residues;
      if (place_ == place::header) begin_sequence();
      if (place_ != place::residues) part.remove_prefix(1);
    }
    const std::size_t end = std::min(part.find('\n'), part.size());
    const std::string_view text = part.substr(0, end);
    if (place_ == place::header) header_ += text;
    if (place_ == place::residues) add_residues(text);
    if (end == part.size()) return;
    if (place_ == place::header) end_header();
    place_ = place::line_begin;
    ++line_;
    part.remove_prefix(end + 1);
  }
}

void fasta_parser::add_residues(std::string_view part) {
  for (const char each : part) {
    const residue code = letters_->code_of(each);
    if (code != padding && has_sequence_) {
      present_.residues.push_back(code);
      continue;
    }
    if (is_left_out(each)) continue;
    if (each >= '0' && each <= '9' && has_sequence_ && !strict_) {
      ++doubts_.digits;
      continue;
    }
    if (!is_letter(each)) throw wrong(fmt::format("{} is no residue; is this FASTA?", shown(each)));
    if (!has_sequence_) throw wrong("a sequence begins with a line '>name', which is missing");
    if (strict_) throw wrong(fmt::format("{} is not one of the residues {}", shown(each), letters_->letters()));
    ++doubts_.unknown;
    present_.residues.push_back(letters_->unknown());
  }
}

void fasta_parser::begin_sequence() {
  if (has_sequence_) take_(std::exchange(present_, {}));
  has_sequence_ = true;
}

void fasta_parser::end_header() {
  if (const std::size_t zero = header_.find('\0'); zero != std::string::npos) {
    throw wrong("a byte of value 0 in the name of a sequence; is this FASTA?");
  }
  std::ranges::replace(header_, '\t', ' ');  // tabs separate the columns of tables
  header_.erase(header_.find_last_not_of(blanks) + 1);
  header_.erase(0, header_.find_first_not_of(blanks));
  if (header_.find('\r') != std::string::npos)
    throw wrong("a CR within the name of a sequence; do lines end with CR alone?");
  const std::size_t end = std::min(header_.find_first_of(blanks), header_.size());
  present_.name = header_.substr(0, end);
  if (present_.name.empty()) {
    if (strict_) throw wrong("a name is missing behind '>'");
    ++doubts_.unnamed;
    present_.name = "unnamed";
  }
  if (complaint_) {
    if (const std::string complaint = complaint_(present_.name); !complaint.empty()) throw wrong(complaint);
  }
  const std::size_t rest = header_.find_first_not_of(blanks, end);
  if (rest != std::string::npos) present_.description = header_.substr(rest);
  header_.clear();
}

void fasta_parser::end() {
  if (beginning_) take_beginning();
  if (place_ == place::header) end_header();
  if (has_sequence_) take_(std::exchange(present_, {}));
  has_sequence_ = false;
  place_ = place::line_begin;
}

}  // namespace swsearch
