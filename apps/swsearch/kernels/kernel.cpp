// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Subjects lie side by side in the lanes of vectors (Alpern, Carter, Gatlin 1995; Rognes 2011,
// SWIPE). A pass over the query takes eight columns of the subjects at once, or four on machines
// with only 16 registers. Values that one row hands to the next stay in registers, and only the
// last of these columns goes through memory.
//
// Zero is represented by the lowest number for which no subtraction and no score of a pair wraps
// around. The numbers above it represent scores, except for a margin as large as the highest score
// of one pair. A score within the margin is detected and reported before any sum can wrap.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel.cpp"
#include "kernel.hpp"

#include <hwy/foreach_target.h>  // must come before the code below
#include <hwy/highway.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace swsearch::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
constexpr std::size_t in_a_pass = 4;
#else
constexpr std::size_t in_a_pass = 8;
#endif
static_assert(columns_at_once % in_a_pass == 0);

// Computes the scores of each residue in the query against the columns of a pass: a vector for each
// column, with all vectors of one residue side by side.
#if HWY_TARGET == HWY_SCALAR
template <class D, class T = hn::TFromD<D>>
void make_profile(D, const residue* letters, const std::int8_t* table, const std::bitset<codes>& wanted, T* profile) {
  for (std::size_t code = 0; code != codes; ++code) {
    for (std::size_t column = 0; wanted[code] && column != in_a_pass; ++column)
      profile[code * in_a_pass + column] = table[code * codes + letters[column * lanes]];
  }
}
#else
template <class D, class T = hn::TFromD<D>>
void make_profile(D d, const residue* letters, const std::int8_t* table, const std::bitset<codes>& wanted, T* profile) {
  // A lookup needs whole vectors of bytes; for wider numbers these have more bytes than there are
  // lanes.
  const hn::CappedTag<std::uint8_t, lanes> bytes;
  const hn::RebindToSigned<decltype(bytes)> numbers;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t column = 0; column != in_a_pass; ++column) {
    HWY_ALIGN residue present[lanes] = {};
    std::memcpy(present, letters + column * lanes, width);
    // Each index selects from one half of a row, and gives 0 in the other.
    const auto letter = hn::Load(bytes, present);
    const auto in_high = hn::Sub(letter, hn::Set(bytes, 16));
    const auto in_low = hn::Or(letter, hn::AndNot(in_high, hn::Set(bytes, 0x80)));
    T* to = profile + column * width;
    for (std::size_t code = 0; code != codes; ++code, to += in_a_pass * width) {
      if (!wanted[code]) continue;
      const auto low = hn::LoadDup128(numbers, table + code * codes);
      const auto high = hn::LoadDup128(numbers, table + code * codes + 16);
      const auto scores = hn::Or(hn::TableLookupBytesOr0(low, hn::BitCast(numbers, in_low)),
                                 hn::TableLookupBytesOr0(high, hn::BitCast(numbers, in_high)));
      if constexpr (sizeof(T) == 1) {
        hn::Store(scores, numbers, to);
      } else {
        HWY_ALIGN std::int8_t narrow[lanes];
        hn::Store(scores, numbers, narrow);
        hn::Store(hn::PromoteTo(d, hn::Load(hn::Rebind<std::int8_t, D>(), narrow)), d, to);
      }
    }
  }
}
#endif

// @param first_lane first of the subjects' lanes @param columns number of columns to be aligned
// @param rows of the query's length, two vectors each: H and E to the left of the present columns
// @return the best score of each lane
template <class D, class T = hn::TFromD<D>>
hn::Vec<D> align_columns(D d, const kernel_task& task, const batch_view& subjects, std::size_t first_lane,
                         std::size_t columns, T* profile, T* rows) {
  const std::size_t width = hn::Lanes(d);
  const auto zero = hn::Set(d, static_cast<T>(task.zero));
  const auto first = hn::Set(d, static_cast<T>(task.first));
  const auto extend = hn::Set(d, static_cast<T>(task.extend));
  const auto gap = hn::Sub(zero, first);
  for (std::size_t i = 0; i != task.query.size(); ++i) {
    hn::Store(zero, d, rows + 2 * i * width);
    hn::Store(gap, d, rows + (2 * i + 1) * width);
  }
  auto best = zero;
  for (std::size_t column = 0; column < columns; column += in_a_pass) {
    const residue* const letters = column < subjects.columns
                                       ? subjects.residues + column * lanes
                                       : subjects.more_columns + (column - subjects.columns) * lanes;
    make_profile(d, letters + first_lane, task.table, task.wanted, profile);
    auto f0 = gap, f1 = gap, f2 = gap, f3 = gap, f4 = gap, f5 = gap, f6 = gap, f7 = gap;
    auto d0 = zero, d1 = zero, d2 = zero, d3 = zero, d4 = zero, d5 = zero, d6 = zero, d7 = zero;
    T* row = rows;
    for (const residue each : task.query) {
      const T* const scores = profile + each * in_a_pass * width;
      auto left = hn::Load(d, row);
      auto e = hn::Load(d, row + width);
#define SWSEARCH_CELL(number)                                                                             \
  {                                                                                                       \
    auto h = hn::Max(hn::Max(hn::Add(d##number, hn::Load(d, scores + number * width)), f##number), zero); \
    h = hn::Max(h, e);                                                                                    \
    best = hn::Max(best, h);                                                                              \
    const auto opened = hn::Sub(h, first);                                                                \
    e = hn::Max(hn::Sub(e, extend), opened);                                                              \
    f##number = hn::Max(hn::Sub(f##number, extend), opened);                                              \
    d##number = left;                                                                                     \
    left = h;                                                                                             \
  }
      SWSEARCH_CELL(0)
      SWSEARCH_CELL(1)
      SWSEARCH_CELL(2)
      SWSEARCH_CELL(3)
      if constexpr (in_a_pass == 8) {
        SWSEARCH_CELL(4)
        SWSEARCH_CELL(5)
        SWSEARCH_CELL(6)
        SWSEARCH_CELL(7)
      }
#undef SWSEARCH_CELL
      hn::Store(left, d, row);
      hn::Store(e, d, row + width);
      row += 2 * width;
    }
  }
  return best;
}

template <class T>
void align_all(const kernel_task& task, const batch_view& subjects, kernel_memory& memory, std::int64_t* best) {
  const hn::CappedTag<T, lanes> d;
  const std::size_t width = hn::Lanes(d);
  T* const profile =
      reinterpret_cast<T*>(memory.bytes((codes * in_a_pass + 2 * task.query.size()) * width * sizeof(T)));
  T* const rows = profile + codes * in_a_pass * width;
  HWY_ALIGN T of_lanes[lanes];
  for (std::size_t slice = 0; slice != lanes; slice += width) {
    const auto* const lengths = subjects.lengths.data() + slice;
    const std::size_t longest = *std::max_element(lengths, lengths + width);
    if (longest == 0) continue;
    const auto found = align_columns(d, task, subjects, slice, longest, profile, rows);
    hn::Store(found, d, of_lanes);
    for (std::size_t lane = 0; lane != width; ++lane) {
      best[slice + lane] = of_lanes[lane] > task.certain ? -1 : std::int64_t{of_lanes[lane]} - task.zero;
    }
  }
}

void align_8(const kernel_task& task, const batch_view& subjects, kernel_memory& memory, std::int64_t* best) {
  align_all<std::int8_t>(task, subjects, memory, best);
}
void align_16(const kernel_task& task, const batch_view& subjects, kernel_memory& memory, std::int64_t* best) {
  align_all<std::int16_t>(task, subjects, memory, best);
}
void align_32(const kernel_task& task, const batch_view& subjects, kernel_memory& memory, std::int64_t* best) {
  align_all<std::int32_t>(task, subjects, memory, best);
}

std::size_t lanes_of(width bits) {
  switch (bits) {
    case width::bits_8: return hn::Lanes(hn::CappedTag<std::int8_t, lanes>());
    case width::bits_16: return hn::Lanes(hn::CappedTag<std::int16_t, lanes>());
    default: return hn::Lanes(hn::CappedTag<std::int32_t, lanes>());
  }
}

}  // namespace
}  // namespace swsearch::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace swsearch {

HWY_EXPORT(align_8);
HWY_EXPORT(align_16);
HWY_EXPORT(align_32);
HWY_EXPORT(lanes_of);

namespace {

struct limits {
  std::int64_t least, most;
};

limits limits_of(width bits) {
  switch (bits) {
    case width::bits_8: return {std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max()};
    case width::bits_16: return {std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()};
    default: return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
  }
}

// Returns the distance to the least number that prevents numbers from wrapping below it.
std::int64_t room_below(const score_matrix& scores, const gap_costs& gaps) {
  return std::max<std::int64_t>(std::int64_t{gaps.open} + 2 * std::int64_t{gaps.extend}, -scores.least());
}

}  // namespace

std::byte* kernel_memory::bytes(std::size_t size) {
  const std::size_t blocks = (size + lanes - 1) / lanes;
  if (blocks_.size() < blocks) blocks_.resize(blocks);
  return blocks_.data()->bytes;
}

bool can_use(width bits, const score_matrix& scores, const gap_costs& gaps) {
  const auto [least, most] = limits_of(bits);
  return room_below(scores, gaps) + std::max(0, scores.most()) <= (most - least) * 3 / 4;
}

number_range range_of(width bits, const score_matrix& scores, const gap_costs& gaps) {
  const auto [least, most] = limits_of(bits);
  return {static_cast<std::int32_t>(least + room_below(scores, gaps)),
          static_cast<std::int32_t>(most - std::max(0, scores.most()))};
}

std::int64_t most_certain(width bits, const score_matrix& scores, const gap_costs& gaps) {
  const auto [zero, certain] = range_of(bits, scores, gaps);
  return std::int64_t{certain} - zero;
}

std::size_t lanes_at_once(width bits) { return HWY_DYNAMIC_DISPATCH(lanes_of)(bits); }

std::array<std::int64_t, lanes> align(width bits, std::span<const residue> query, const batch_view& subjects,
                                      const score_matrix& scores, const gap_costs& gaps, kernel_memory& memory) {
  std::array<std::int64_t, lanes> best{};
  if (query.empty()) return best;
  const auto [zero, certain] = range_of(bits, scores, gaps);
  kernel_task task{.query = query,
                   .table = {},
                   .wanted = {},
                   .zero = zero,
                   .certain = certain,
                   .first = gaps.open + gaps.extend,
                   .extend = gaps.extend};
  const auto of_padding = static_cast<std::int8_t>(std::min(0, scores.least()));
  for (std::size_t a = 0; a != codes; ++a) {
    for (std::size_t b = 0; b != codes; ++b)
      task.table[a * codes + b] = std::max(of_padding, scores.row(static_cast<residue>(a))[b]);
  }
  for (const residue each : query) task.wanted.set(each);
  switch (bits) {
    case width::bits_8: HWY_DYNAMIC_DISPATCH(align_8)(task, subjects, memory, best.data()); break;
    case width::bits_16: HWY_DYNAMIC_DISPATCH(align_16)(task, subjects, memory, best.data()); break;
    default: HWY_DYNAMIC_DISPATCH(align_32)(task, subjects, memory, best.data());
  }
  return best;
}

}  // namespace swsearch
#endif  // HWY_ONCE
