// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The reading part of swsearch: FASTA, in one piece and in two, and matrices of scores. The first
// byte of the input selects the kind, and the second the place of the cut.
#include "fasta.hpp"
#include "must.hpp"
#include "scoring.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace swsearch;
using weir_fuzz::must;

struct outcome {
  std::vector<sequence> all;
  std::size_t unknown = 0;
  std::string problem;
};

outcome parsed(std::string_view text, std::size_t cut, const alphabet& letters, bool is_strict) {
  outcome made;
  fasta_parser parser(letters, "fuzz.fa", is_strict, [&](sequence each) { made.all.push_back(std::move(each)); });
  try {
    parser.add(text.substr(0, cut));
    parser.add(text.substr(cut));
    parser.end();
    made.unknown = parser.doubts().unknown + parser.doubts().digits + parser.doubts().unnamed;
  } catch (const std::invalid_argument& problem) {
    made.problem = problem.what();
    must(made.problem.rfind("fuzz.fa:", 0) == 0, "what is wrong is said with its place");
    made.all.clear();
  }
  return made;
}

void read_fasta(std::string_view text, std::size_t cut, const alphabet& letters, bool is_strict) {
  const outcome whole = parsed(text, text.size(), letters, is_strict);
  const outcome in_parts = parsed(text, cut, letters, is_strict);
  must(whole.problem == in_parts.problem && whole.unknown == in_parts.unknown, "where it is cut does not matter");
  must(whole.all.size() == in_parts.all.size(), "nor for how many sequences there are");
  std::string again;
  for (std::size_t i = 0; i != whole.all.size(); ++i) {
    const sequence& each = whole.all[i];
    must(each.residues == in_parts.all[i].residues && each.name == in_parts.all[i].name &&
             each.description == in_parts.all[i].description,
         "nor for what they are");
    must(!each.name.empty() && each.name.find_first_of(" \t\n") == std::string::npos, "each has a name");
    must(each.description.find_first_of("\t\n") == std::string::npos, "what is said of it is in one line");
    again += ">" + each.name + (each.description.empty() ? "" : " ") + each.description + "\n";
    for (const residue code : each.residues) {
      must(code < letters.letters().size(), "residues are some of the letters");
      again += letters.letters()[code];
    }
    again += "\n";
  }
  if (!whole.problem.empty()) return;
  const outcome twice = parsed(again, again.size() / 2, letters, true);
  must(twice.problem.empty() && twice.all.size() == whole.all.size(), "it can be written and read again");
  for (std::size_t i = 0; i != whole.all.size(); ++i)
    must(twice.all[i].residues == whole.all[i].residues && twice.all[i].name == whole.all[i].name, "as the same");
}

void read_matrix(std::string_view text) {
  try {
    const score_matrix read = score_matrix::parsed(text, alphabet::protein(), "fuzz.mat");
    must(read.least() <= read.most() && read.least() >= -100 && read.most() <= 100, "scores are within their limits");
  } catch (const std::invalid_argument& problem) {
    must(std::string_view(problem.what()).starts_with("fuzz.mat:"), "what is wrong is said with its place");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t cut = data[1] % (text.size() + 1);
  switch (data[0]) {
    case 'p': read_fasta(text, cut, alphabet::protein(), false); break;
    case 's': read_fasta(text, cut, alphabet::protein(), true); break;
    case 'd': read_fasta(text, cut, alphabet::dna(), false); break;
    case 'm': read_matrix(text); break;
    default: return -1;
  }
  return 0;
}
