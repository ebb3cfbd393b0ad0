// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace swsearch {

/// A residue in the form that the kernels use: its index in an alphabet.
using residue = std::uint8_t;

/// Number of codes in a table of scores, used or not: the reach of two 16-byte lookups.
inline constexpr std::size_t codes = 32;
/// Code behind the end of a sequence; it aligns with nothing.
inline constexpr residue padding = codes - 1;

/// The mapping between letters and residues.
class alphabet {
 public:
  /// The alphabet of proteins: NCBI's 25 letters, "ARNDCQEGHILKMFPSTWYVBJZX*", and U and O, in
  /// either case.
  static const alphabet& protein();
  /// The alphabet of DNA: "ACGTN" and the other IUPAC letters, in either case; U is T.
  static const alphabet& dna();

  /// Returns the letters in the order of their codes.
  std::string_view letters() const noexcept { return letters_; }
  /// Returns the code of a letter; `padding` if the letter is not in the alphabet.
  residue code_of(char letter) const noexcept { return codes_[static_cast<unsigned char>(letter)]; }
  /// Returns the residue that any other letter is replaced by.
  residue unknown() const noexcept { return unknown_; }
  /// Returns the residue whose scores apply if a matrix does not have this one: C for U, as in
  /// BLAST, and the unknown residue for all others.
  residue scored_as(residue each) const noexcept { return scored_as_[each]; }
  /// Whether the code stands for exactly one residue; for DNA these are A, C, G and T.
  bool is_definite(residue each) const noexcept { return is_definite_[each]; }
  /// Returns the complement in the other strand; for a protein, the residue itself.
  residue complement(residue each) const noexcept { return complements_[each]; }

 private:
  /// @param vague letters that stand for several residues, or for none
  /// @param pairs of letters that are complements
  alphabet(std::string_view letters, char unknown, std::string_view vague, std::string_view pairs);
  void add(char letter, residue code);

  std::string_view letters_;
  std::array<residue, 256> codes_;
  residue unknown_;
  std::array<bool, codes> is_definite_;
  std::array<residue, codes> scored_as_;
  std::array<residue, codes> complements_;
};

}  // namespace swsearch
