// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "usual_costs.hpp"

#include <algorithm>
#include <array>

namespace swsearch {
namespace {

constexpr std::array<usual_costs, 11> all{{
    {"BLOSUM45", {14, 2}, true, {0.19642, 0.035431, 1.779, -37.912, 20.156}},
    {"BLOSUM50", {13, 2}, true, {0.19389, 0.036631, 1.0746, -15.927, 10.9}},
    {"BLOSUM50", {10, 2}, false, {0.14457, 0.009146, 2.318, -53.657, 33.727}},
    {"BLOSUM62", {11, 1}, true, {0.26675, 0.042016, 1.48, -20.778, 11.918}},
    {"BLOSUM62", {10, 2}, false, {0.29156, 0.078429, 1.1761, -12.936, 12.75}},
    {"BLOSUM80", {10, 1}, true, {0.29919, 0.071653, 0.95351, -11.589, 9.0857}},
    {"BLOSUM90", {10, 1}, true, {0.28822, 0.0731, 0.83821, -10.385, 8.0893}},
    {"PAM30", {9, 1}, true, {0.29473, 0.11673, 0.58614, -12.385, 2.5816}},
    {"PAM70", {10, 1}, true, {0.29396, 0.10277, 0.53401, -4.5634, 5.7324}},
    {"PAM250", {14, 2}, true, {0.18741, 0.02713, 1.6077, -25.765, 15.921}},
    {"2 / -3", {5, 2}, true, {0.62768, 0.41482, 1.5415, -18.176, 5.3033}},
}};

}  // namespace

std::span<const usual_costs> all_usual_costs() { return all; }

gap_costs default_gaps(std::string_view matrix) {
  const auto found = std::ranges::find_if(
      all, [&](const usual_costs& each) { return each.is_default && same_letters(each.matrix, matrix); });
  return found == all.end() ? gap_costs{11, 1} : found->gaps;
}

std::optional<significance> known_significance(std::string_view matrix, const gap_costs& gaps) {
  const auto found = std::ranges::find_if(all, [&](const usual_costs& each) {
    return same_letters(each.matrix, matrix) && each.gaps.open == gaps.open && each.gaps.extend == gaps.extend;
  });
  if (found == all.end()) return std::nullopt;
  return found->chance;
}

}  // namespace swsearch
