// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a database as FASTA, the same one for the same arguments: `--sequences N --residues N` of
// them with Swiss-Prot's frequencies of residues and about its lengths, each 500th a mutated copy
// of a part of one of the `--relatives`; or, with `--copies N`, the sequences of `--relatives` and
// N mutated copies of each.
#include "inputs.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace {

using namespace swsearch;

// Frequencies per mille, in the order of the letters in `common`; from UniProtKB/Swiss-Prot's
// statistics.
constexpr std::string_view common = "ARNDCQEGHILKMFPSTWYV";
constexpr std::array<double, 20> frequencies = {82.5, 55.3, 40.6, 54.6, 13.8, 39.3, 67.2, 70.7, 22.7, 59.1,
                                                96.5, 58.0, 24.1, 38.6, 47.4, 66.5, 53.6, 11.0, 29.2, 68.6};

// Engines of the standard library give the same numbers everywhere; its distributions may not.
class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {
    double sum = 0;
    double at = 0;
    for (const double each : frequencies) sum += each;
    for (std::size_t i = 0, filled = 0; i != common.size(); ++i) {
      at += frequencies[i] / sum * static_cast<double>(table_.size());
      while (filled < table_.size() && static_cast<double>(filled) + 0.5 < at) table_[filled++] = common[i];
    }
  }

  char residue() {
    if (left_ == 0) {
      bits_ = engine_();
      left_ = 5;
    }
    const char made = table_[bits_ % table_.size()];
    bits_ /= table_.size();
    --left_;
    return made;
  }
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(uniform() * static_cast<double>(limit)); }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }

 private:
  std::mt19937_64 engine_;
  std::array<char, 4096> table_{};
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

// Lengths with a mean of 355 and a median of 294, as in Swiss-Prot.
std::vector<std::uint32_t> lengths(dice& random, std::size_t sequences, std::uint64_t residues) {
  constexpr double shortest = 20;
  constexpr double longest = 35'213;  // titin
  std::vector<std::uint32_t> made(sequences);
  std::uint64_t sum = 0;
  for (std::uint32_t& each : made) {
    each = static_cast<std::uint32_t>(std::clamp(294 * std::exp(0.614 * random.normal()), shortest, longest));
    sum += each;
  }
  if (residues < sequences * 21) throw std::invalid_argument("so many sequences have more residues");
  for (std::size_t i = 0; sum != residues; i = (i + 1) % sequences) {
    if (sum < residues) {
      ++made[i];
      ++sum;
    } else if (made[i] > 20) {
      --made[i];
      --sum;
    }
  }
  return made;
}

// Replaces a share of the residues, and inserts or leaves out a few.
std::string mutated(dice& random, std::string_view from) {
  const double share = 0.1 + 0.6 * random.uniform();
  std::string made;
  for (const char each : from) {
    const double what = random.uniform();
    if (what < 0.01) continue;
    if (what > 0.99) {
      for (std::size_t i = random.below(6); i != 0; --i) made += random.residue();
    }
    made += random.uniform() < share ? random.residue() : each;
  }
  return made;
}

std::string text_of(const sequence& of) {
  std::string text;
  for (const residue each : of.residues) text += alphabet::protein().letters()[each];
  return text;
}

void write(const std::string& name, std::string_view residues) {
  std::string text = '>' + name + '\n';
  for (std::size_t i = 0; i < residues.size(); i += 60) {
    text += residues.substr(i, 60);
    text += '\n';
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw std::runtime_error("can't write");
}

void write_synthetic(dice& random, const std::vector<std::string>& relatives, std::size_t sequences,
                     std::uint64_t residues) {
  std::size_t number = 0;
  std::string text;
  for (const std::uint32_t length : lengths(random, sequences, residues)) {
    text.clear();
    if (number % 500 == 499 && !relatives.empty()) {
      const std::string& from = relatives[number / 500 % relatives.size()];
      const std::size_t size = std::min<std::size_t>(from.size(), length);
      text = mutated(random, std::string_view(from).substr(random.below(from.size() - size + 1), size));
      text.resize(std::min<std::size_t>(text.size(), length));
    }
    while (text.size() != length) text += random.residue();
    write("s" + std::to_string(number++), text);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const sw_bench::arguments given(
      argc, argv, {{"sequences", "0"}, {"residues", "0"}, {"copies", "0"}, {"relatives", ""}, {"seed", "1"}});
  try {
    dice random(static_cast<std::uint64_t>(given.number("seed")));
    std::vector<sequence> relatives;
    if (!given["relatives"].empty()) relatives = sw_bench::read_fasta(given["relatives"]);
    if (given.number("copies") == 0) {
      std::vector<std::string> texts;
      for (const sequence& each : relatives) texts.push_back(text_of(each));
      write_synthetic(random, texts, static_cast<std::size_t>(given.number("sequences")),
                      static_cast<std::uint64_t>(given.number("residues")));
    }
    for (const sequence& each : relatives) {
      for (std::int64_t copy = 0; given.number("copies") != 0 && copy <= given.number("copies"); ++copy) {
        const std::string text = text_of(each);
        write(each.name + (copy == 0 ? "" : "/" + std::to_string(copy)), copy == 0 ? text : mutated(random, text));
      }
    }
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
    return 1;
  }
}
