// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "residues.hpp"

namespace swsearch {

const alphabet& alphabet::protein() {
  static const alphabet made = [] {
    alphabet letters("ARNDCQEGHILKMFPSTWYVBJZX*UO", 'X', "BJZX*", "");
    letters.scored_as_[letters.code_of('U')] = letters.code_of('C');
    return letters;
  }();
  return made;
}

const alphabet& alphabet::dna() {
  static const alphabet made = [] {
    alphabet letters("ACGTNRYSWKMBDHV", 'N', "NRYSWKMBDHV", "ATCGRYKMBVDH");
    letters.add('U', letters.code_of('T'));
    letters.add('X', letters.code_of('N'));
    return letters;
  }();
  return made;
}

alphabet::alphabet(std::string_view letters, char unknown, std::string_view vague, std::string_view pairs)
    : letters_(letters) {
  codes_.fill(padding);
  for (std::size_t i = 0; i != letters.size(); ++i) add(letters[i], static_cast<residue>(i));
  unknown_ = code_of(unknown);
  is_definite_.fill(true);
  is_definite_[padding] = false;
  for (const char each : vague) is_definite_[code_of(each)] = false;
  scored_as_.fill(unknown_);
  for (std::size_t i = 0; i != codes; ++i) complements_[i] = static_cast<residue>(i);
  for (std::size_t i = 0; i != pairs.size(); ++i) complements_[code_of(pairs[i])] = code_of(pairs[i ^ 1]);
}

void alphabet::add(char letter, residue code) {
  codes_[static_cast<unsigned char>(letter)] = code;
  if (letter >= 'A' && letter <= 'Z') codes_[static_cast<unsigned char>(letter - 'A' + 'a')] = code;
}

}  // namespace swsearch
