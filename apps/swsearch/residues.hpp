// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace swsearch {

/// A residue as the kernels have it: its place in an alphabet.
using residue = std::uint8_t;

/// So many codes a table of scores has, used or not: what two 16-byte lookups reach.
inline constexpr std::size_t codes = 32;
/// Behind the end of a sequence; it aligns with nothing.
inline constexpr residue padding = codes - 1;

/// Which letters stand for which residues.
class alphabet {
 public:
  /// NCBI's 25 letters, "ARNDCQEGHILKMFPSTWYVBJZX*", and U and O, in either case.
  static const alphabet& protein();
  /// "ACGTN" and the other IUPAC letters, in either case; U is T.
  static const alphabet& dna();

  /// In the order of their codes.
  std::string_view letters() const noexcept { return letters_; }
  /// Of a letter; `padding` if it is none of these.
  residue code_of(char letter) const noexcept { return codes_[static_cast<unsigned char>(letter)]; }
  /// What any other letter is taken for.
  residue unknown() const noexcept { return unknown_; }
  /// The residue whose scores it has where a matrix says nothing of it: of U those of C, as BLAST
  /// does, of others those of the unknown one.
  residue scored_as(residue each) const noexcept { return scored_as_[each]; }
  /// Whether it stands for one residue, and no other: of DNA A, C, G and T.
  bool is_definite(residue each) const noexcept { return is_definite_[each]; }
  /// What pairs with it in the other strand; itself in a protein.
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
