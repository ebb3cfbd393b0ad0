// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "mask.hpp"

#include "sequences.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace swsearch {

static void PrintTo(const interval& of, std::ostream* to) { *to << of.begin << " to " << of.end; }

namespace {

using intervals = std::vector<interval>;

struct expected_mask {
  std::string_view sequence;
  intervals masked;
};

// Intervals as segmasker and dustmasker of BLAST 2.12 print them for the same sequences. (For all
// 20 000 proteins of Debian's mmseqs2-examples segmasker masks the same residues.)
TEST(low_complexity, of_proteins_is_what_segmasker_finds) {
  const expected_mask all[] = {
      // The second interval begins in the part that was trimmed off the first, which lies behind
      // it.
      {"MIDKAIIVLGALIALLELIRFLLQLLN", {{4, 26}}},
      {"MKGFLFLLFTISLLVMIQIQTGVLGNRTTPPTTTTTNPPLGNRRTKSAAPALSSLGSGSVLLFLTNTLIQLFHLS", {{23, 45}, {46, 64}}},
      {"AGSKLCEKTSKTWSGKCDNKKCDKKCIEWEKAQHGACHKREAGKESCFCYFDCSKSPPGATPAPPGAAPPPAAGGSPPPPTDGGSPPPPADGGSPPADGGSPPPPSAH",
       {{15, 26}, {55, 107}}},
      {"MDPRLPAWALVLLGPALVFALGPAPTPEMREKLCGHHFVRALVRVCGGPRWSTEARRPAAGGDREWLQWLERRHLLHGLVANSNLTLGPGLQPLPQTSHHHRHHRAAATNP"
       "ARYCCLSGC"
       "TQQDLLTLCPY",
       {{84, 97}, {98, 108}}},
      // Several parts with equal probability.
      {"PSITTYMEKIAQTAALKKSVVPDISVSAEASLLTQLTELSETMTKDLETLKKDTAMAEYESGKDLLKSAK", {{30, 44}}},
      {"TWDEQARTGLLLAVNRDANTPHTLTIDLSGLPGLPGLGTLALGKAQLLHEDDPYRTNTAEAPEAVTPQPL", {{29, 43}}},
      // Three ambiguous residues in a window are too many.
      {"MASSGVAGGRQAEDTLQPPPELLPXXKPPPXPQPLPVAALPPPAAPRPQSPAGAKEENYSFLPLVHNVIKCMDKDSPDLHQDLNALKTKFQELRKLIGTMPGIHVSPEQQQ"
       "QQLHSLREQ"
       "VRTKNELLQKYKSLCMFEIPKD",
       {{15, 54}, {108, 113}}},
      {"QQQQQQQQQQQQ", {{0, 12}}},
      {"QQQQQQQQQQQ", {}},
      {"", {}}};
  for (const expected_mask& each : all)
    EXPECT_EQ(low_complexity_of_protein(residues(each.sequence)), each.masked) << each.sequence;
}

TEST(low_complexity, of_dna_is_what_dustmasker_finds) {
  const std::string repeated =
      "ACGTTGCAACGTTGCAACGTTGCAACGTTGCAACGTTGCAACGTTGCAACGTTGCAACGTTGCAACGTTGCAACGTTGCAACGTTGCA";
  const expected_mask all[] = {
      {"CGTCGGAGGTACATGATTGGAAGAAAACCTGGCGCCTTTGAAAAAAAAAAAAAAAAAAAACACATCTCTTAATCTCAGTCACTTAAAATA", {{40, 60}}},
      {"GCAGAGACACTTCTACTGATACTCCAAGAGCACACACACACACACACACACACACCTCGTAATTAAGTATTGCAATAGCGATAGATAGATAGATAGATAGATAGATAGATA"
       "GATATGCAGAA"
       "GTGCTAACCAACG",
       {{30, 55}, {79, 115}}},
      {"ACTTGGGAAATGTAGCGCTACACACATACACACTCACAGACACAGGTGGTTCGTTCTTGGCGGA", {}},
      {"ATATTTAATATAATTTATAATTATATTAAATATCTTCACGTCATATACTAAGGTGTCTAAGC", {}},
      {"CTTGTCACCACGCCTTCAATAGGCTAACATAAAGCGGTTGACAACGACCGGGTCTTATGACGTCGTTTCGAGTGGATTTG", {}},
      {repeated, {{0, repeated.size()}}},
      {"AAAAAAA", {{0, 7}}},
      {"AA", {}}};
  for (const expected_mask& each : all)
    EXPECT_EQ(low_complexity_of_dna(residues(each.sequence, alphabet::dna())), each.masked) << each.sequence;
}

// Both strands have the same intervals; an unknown base belongs to none.
TEST(low_complexity, of_dna_is_symmetric) {
  const auto dna = residues("ACGGTCTTTTTTTTTTTTNTTTTTTTTTGCATCGATCGCACACACACACACACATGCGTACG", alphabet::dna());
  const intervals found = low_complexity_of_dna(dna);
  EXPECT_EQ(found, (intervals{{6, 18}, {19, 28}, {38, 54}}));
  intervals other = low_complexity_of_dna(std::vector<residue>(dna.rbegin(), dna.rend()));
  for (interval& each : other) each = {dna.size() - each.end, dna.size() - each.begin};
  EXPECT_EQ(intervals(other.rbegin(), other.rend()), found);
}

TEST(mask_low_complexity, takes_residues_for_unknown_ones) {
  auto protein = residues("MKWVTFISLLQQQQQQQQQQQQQQQDAHKSEVAHRFKD");
  mask_low_complexity(protein, alphabet::protein());
  EXPECT_EQ(letters_of(protein), "MKWVTFISLLXXXXXXXXXXXXXXXDAHKSEVAHRFKD");
  auto dna = residues("ACGGTCTTTTTTTTTTTTGCATCG", alphabet::dna());
  mask_low_complexity(dna, alphabet::dna());
  EXPECT_EQ(letters_of(dna, alphabet::dna()), "ACGGTCNNNNNNNNNNNNGCATCG");
}

}  // namespace
}  // namespace swsearch
