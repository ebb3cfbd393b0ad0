// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Computes one column at a time, with a strip of the longer sequence in the lanes. Each lane has a
// segment of the strip, and the rows of all segments are computed side by side (Farrar 2007). A gap
// from one segment into the next is not known before the column is complete, and seldom matters.
// Its effect is added afterwards ("lazy F").
//
// No gap opens directly behind a gap of the kind that is added last. An insertion next to a
// deletion costs the same in either order, and all deletions may therefore come first. Scores from
// which a gap opens thus do not depend on the gap from above, and the later addition changes H
// alone.
//
// Numbers represent scores as in kernel.cpp. A column whose scores come close to the limit of a
// width is still right. The next column is computed with twice the bits, and later columns with
// half of them again once all scores are low.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pair.cpp"
#include "pair.hpp"

#include <hwy/foreach_target.h>  // must come before the code below
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace swsearch::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void make_pair_profile(const pair_strip& strip) {
  const std::size_t size = strip.rows * segments;
  for (std::size_t code = 0; code != codes; ++code) {
    if (!strip.wanted[code]) continue;
    std::int8_t* const to = strip.profile + code * size;
    const std::int8_t* const scores = strip.table + code * codes;
#if HWY_TARGET == HWY_SCALAR
    for (std::size_t i = 0; i != size; ++i) to[i] = scores[strip.letters[i]];
#else
    const hn::CappedTag<std::uint8_t, lanes> bytes;
    const hn::RebindToSigned<decltype(bytes)> numbers;
    const auto low = hn::LoadDup128(numbers, scores);
    const auto high = hn::LoadDup128(numbers, scores + 16);
    for (std::size_t i = 0; i != size; i += hn::Lanes(bytes)) {
      // Each index selects from one half of a row, and gives 0 in the other.
      const auto letter = hn::Load(bytes, strip.letters + i);
      const auto in_high = hn::Sub(letter, hn::Set(bytes, 16));
      const auto in_low = hn::Or(letter, hn::AndNot(in_high, hn::Set(bytes, 0x80)));
      hn::Store(hn::Or(hn::TableLookupBytesOr0(low, hn::BitCast(numbers, in_low)),
                       hn::TableLookupBytesOr0(high, hn::BitCast(numbers, in_high))),
                numbers, to + i);
    }
#endif
  }
}

template <class D, class T = hn::TFromD<D>>
hn::Vec<D> scores_at(D d, const std::int8_t* profile) {
  if constexpr (sizeof(T) == 1) {
    return hn::Load(d, profile);
  } else {
    return hn::PromoteTo(d, hn::Load(hn::Rebind<std::int8_t, D>(), profile));
  }
}

template <class T>
class columns_of {
 public:
  explicit columns_of(pair_strip& strip)
      : strip_(strip), h_(static_cast<T*>(strip.h)), e_(static_cast<T*>(strip.e)), size_(strip.rows * segments) {}

  // Computes columns up to the last one, or up to the first that may need more bits or allows
  // fewer.
  void compute() {
    auto best = hn::Set(d, number_of(0));
    const auto certain = hn::Set(d, static_cast<T>(strip_.certain));
    const auto low = hn::Set(d, number_of(strip_.low));
    strip_.is_low = false;
    while (strip_.next != strip_.columns.size() && !strip_.is_low) {
      const std::int32_t above = strip_.border_h[strip_.next];
      if (std::int64_t{above} + strip_.zero > strip_.certain) break;
      const auto present = column(strip_.profile + strip_.columns[strip_.next] * size_);
      best = hn::Max(best, present);
      const T below = add_gaps(number_of(std::max(strip_.border_f[strip_.next], -strip_.first)));
      strip_.border_h[strip_.next] = h_[size_ - 1] - strip_.zero;
      strip_.border_f[strip_.next] = below - strip_.zero;
      strip_.corner = above;
      ++strip_.next;
      if (!hn::AllFalse(d, hn::Gt(present, certain))) break;
      strip_.is_low = above <= strip_.low && hn::AllFalse(d, hn::Gt(present, low));
    }
    T* const of_lanes = beside_;
    hn::Store(best, d, of_lanes);
    strip_.best = std::max(strip_.best, *std::max_element(of_lanes, of_lanes + hn::Lanes(d)) - strip_.zero);
  }

 private:
  static constexpr hn::CappedTag<T, lanes> d{};

  T number_of(std::int32_t score) const { return static_cast<T>(score + strip_.zero); }

  // Computes a column without the gaps from the segment before. @return the best score of each lane
  hn::Vec<hn::CappedTag<T, lanes>> column(const std::int8_t* profile) {
    const std::size_t width = hn::Lanes(d);
    const auto zero = hn::Set(d, static_cast<T>(strip_.zero));
    const auto first = hn::Set(d, static_cast<T>(strip_.first));
    const auto extend = hn::Set(d, static_cast<T>(strip_.extend));
    T* const before = beside_ + lanes;
    before[-1] = number_of(strip_.corner);
    std::memcpy(before, h_ + size_ - segments, segments * sizeof(T));
    auto best0 = zero, best1 = zero;
    for (std::size_t group = 0; group != segments; group += 2 * width) {
      auto diagonal0 = hn::LoadU(d, before + group - 1);
      auto diagonal1 = hn::LoadU(d, before + group + width - 1);
      auto f0 = hn::Sub(zero, first), f1 = f0;
      T* h = h_ + group;
      T* e = e_ + group;
      const std::int8_t* scores = profile + group;
      // The two vectors are independent; neither waits for the other.
#define SWSEARCH_CELL(number, at)                                                          \
  {                                                                                        \
    const auto gap = hn::Load(d, e + at);                                                  \
    const auto pair = hn::Max(hn::Add(diagonal##number, scores_at(d, scores + at)), zero); \
    const auto begun = hn::Max(pair, gap);                                                 \
    const auto opened = hn::Sub(begun, first);                                             \
    diagonal##number = hn::Load(d, h + at);                                                \
    best##number = hn::Max(best##number, begun);                                           \
    hn::Store(hn::Max(begun, f##number), d, h + at);                                       \
    hn::Store(hn::Max(hn::Sub(gap, extend), opened), d, e + at);                           \
    f##number = hn::Max(hn::Sub(f##number, extend), opened);                               \
  }
      for (std::size_t row = 0; row != strip_.rows; ++row) {
        SWSEARCH_CELL(0, 0)
        SWSEARCH_CELL(1, width)
        h += segments;
        e += segments;
        scores += segments;
      }
#undef SWSEARCH_CELL
      hn::StoreU(f0, d, into_ + lanes + group + 1);
      hn::StoreU(f1, d, into_ + lanes + group + width + 1);
    }
    return hn::Max(best0, best1);
  }

  // Extends the gaps that lead out of a segment into the segments behind it. @param f gap into the
  // first segment
  // @return the gap out of the last segment
  T add_gaps(T f) {
    constexpr int rounds = 4;  // each extends gaps by one segment
    T* const into = into_ + lanes;
    T* const passed = passed_ + lanes;
    const T least = static_cast<T>(strip_.zero - strip_.first);
    into[0] = f;
    T out = into[segments];
    for (int round = 0; round != rounds; ++round) {
      if (!add_gaps(round == 0 ? into : passed, passed)) return out;
      passed[0] = least;
      out = std::max(out, passed[segments]);
    }
    // Few gaps are this long, but they may lead through all segments. A gap that enters a segment
    // loses the same amount in it, whatever cells it meets.
    const std::int64_t of_segment = static_cast<std::int64_t>(strip_.rows) * strip_.extend;
    for (std::size_t i = 1; i != segments + 1; ++i)
      into[i] = static_cast<T>(std::max(std::int64_t{into[i - 1]} - of_segment, std::int64_t{into[i]}));
    add_gaps(into, passed);
    return into[segments];
  }

  // @param into gaps into each segment
  // @param passed gets the gaps that lead out of the segments, each in the place of the next
  // segment
  // @return whether there is such a gap
  bool add_gaps(const T* into, T* passed) {
    const std::size_t width = hn::Lanes(d);
    const auto open = hn::Set(d, static_cast<T>(strip_.first - strip_.extend));
    const auto extend = hn::Set(d, static_cast<T>(strip_.extend));
    const auto least = hn::Set(d, static_cast<T>(strip_.zero - strip_.first));
    bool leads_on = false;
    // Goes backwards: values that are passed on replace values that have been read.
    for (std::size_t group = segments; group != 0;) {
      group -= width;
      auto gap = hn::Load(d, into + group);
      std::size_t row = 0;
      for (T* h = h_ + group; row != strip_.rows; ++row, h += segments) {
        const auto present = hn::Load(d, h);
        // Otherwise the gap contributes no more than a gap that opens here.
        if (hn::AllFalse(d, hn::Gt(gap, hn::Sub(present, open)))) break;
        hn::Store(hn::Max(present, gap), d, h);
        gap = hn::Max(hn::Sub(gap, extend), least);
      }
      const bool is_through = row == strip_.rows;
      leads_on = leads_on || is_through;
      hn::StoreU(is_through ? gap : least, d, passed + group + 1);
    }
    return leads_on;
  }

  pair_strip& strip_;
  T* h_;
  T* e_;
  std::size_t size_;
  HWY_ALIGN T beside_[lanes + segments];      // last row of the column before, shifted by a segment
  HWY_ALIGN T into_[2 * lanes + segments];    // gaps into each segment, and out of the last
  HWY_ALIGN T passed_[2 * lanes + segments];  // likewise
};

void pair_columns_8(pair_strip& strip) { columns_of<std::int8_t>(strip).compute(); }
void pair_columns_16(pair_strip& strip) { columns_of<std::int16_t>(strip).compute(); }
void pair_columns_32(pair_strip& strip) { columns_of<std::int32_t>(strip).compute(); }

}  // namespace
}  // namespace swsearch::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace swsearch {

HWY_EXPORT(make_pair_profile);
HWY_EXPORT(pair_columns_8);
HWY_EXPORT(pair_columns_16);
HWY_EXPORT(pair_columns_32);

class pair_aligner {
 public:
  pair_aligner(std::span<const residue> columns, std::span<const residue> strips, const score_matrix& scores,
               const gap_costs& gaps, pair_memory& memory)
      : strips_(strips), scores_(&scores), gaps_(&gaps), memory_(&memory) {
    strip_.columns = columns;
    strip_.first = gaps.open + gaps.extend;
    strip_.extend = gaps.extend;
    for (const residue each : columns) strip_.wanted.set(each);
    memory.h_.assign(columns.size(), 0);
    memory.f_.assign(columns.size(), -strip_.first);
    strip_.border_h = memory.h_.data();
    strip_.border_f = memory.f_.data();
  }

  // @param score_of returns the score of a column's residue and a residue of the strips
  pair_score score(auto&& score_of) {
    const int of_padding = std::min(0, scores_->least());
    for (std::size_t a = 0; a != codes; ++a) {
      for (std::size_t b = 0; b != codes; ++b) {
        strip_.table[a * codes + b] = static_cast<std::int8_t>(
            std::max<int>(of_padding, score_of(static_cast<residue>(a), static_cast<residue>(b))));
      }
    }
    pair_score made;
    for (std::size_t begin = 0, end = 0; begin != strips_.size(); begin = end) {
      end = std::min(begin + memory_->strip_, strips_.size());
      if (!take_strip(strips_.subspan(begin, end - begin))) return {-1, 0, strips_.size()};
      if (strip_.best > made.score) made = {strip_.best, begin, end};
    }
    return made;
  }

 private:
  // @return whether 32 bits were enough
  bool take_strip(std::span<const residue> part) {
    lay_out(part);
    HWY_DYNAMIC_DISPATCH(make_pair_profile)(strip_);
    strip_.corner = 0;
    strip_.best = 0;
    strip_.next = 0;
    width bits = width::bits_8;
    while (!can_use(bits, *scores_, *gaps_)) bits = wider(bits);
    begin(bits);
    for (;;) {
      switch (bits) {
        case width::bits_8: HWY_DYNAMIC_DISPATCH(pair_columns_8)(strip_); break;
        case width::bits_16: HWY_DYNAMIC_DISPATCH(pair_columns_16)(strip_); break;
        default: HWY_DYNAMIC_DISPATCH(pair_columns_32)(strip_);
      }
      if (strip_.next == strip_.columns.size()) return true;
      if (bits == width::bits_32 && !strip_.is_low) return false;
      const width next = strip_.is_low ? narrower(bits) : wider(bits);
      change(std::exchange(bits, next), next);
    }
  }

  static width narrower(width bits) { return bits == width::bits_32 ? width::bits_16 : width::bits_8; }

  void lay_out(std::span<const residue> part) {
    strip_.rows = (part.size() + segments - 1) / segments;
    const std::size_t size = strip_.rows * segments;
    constexpr std::size_t widest = sizeof(std::int32_t);
    std::byte* const bytes = memory_->cells_.bytes(size * (1 + codes + 2 * widest));
    auto* const letters = reinterpret_cast<residue*>(bytes);
    for (std::size_t i = 0; i != size; ++i) {
      const std::size_t from = i % segments * strip_.rows + i / segments;
      letters[i] = from < part.size() ? part[from] : padding;
    }
    strip_.letters = letters;
    strip_.profile = reinterpret_cast<std::int8_t*>(bytes + size);
    strip_.h = bytes + size * (1 + codes);
    strip_.e = bytes + size * (1 + codes + widest);
  }

  void take_numbers(width bits) {
    const number_range range = range_of(bits, *scores_, *gaps_);
    strip_.zero = range.zero;
    strip_.certain = static_cast<std::int32_t>(std::min<std::int64_t>(range.certain, std::int64_t{range.zero} + most));
    // A little less than the bits can hold, which lets them suffice for some columns.
    const bool can_be_narrower = bits != width::bits_8 && can_use(narrower(bits), *scores_, *gaps_);
    strip_.low =
        can_be_narrower ? static_cast<std::int32_t>(most_certain(narrower(bits), *scores_, *gaps_) * 7 / 8) : -1;
  }

  void begin(width bits) {
    take_numbers(bits);
    switch (bits) {
      case width::bits_8: fill<std::int8_t>(); break;
      case width::bits_16: fill<std::int16_t>(); break;
      default: fill<std::int32_t>();
    }
  }

  template <class T>
  void fill() {
    const std::size_t size = strip_.rows * segments;
    std::fill_n(static_cast<T*>(strip_.h), size, static_cast<T>(strip_.zero));
    std::fill_n(static_cast<T*>(strip_.e), size, static_cast<T>(strip_.zero - strip_.first));
  }

  // Converts the state to another number of bits.
  void change(width from, width to) {
    const std::int32_t zero = strip_.zero;
    take_numbers(to);
    const std::int32_t by = strip_.zero - zero;
    for (void* const numbers : {strip_.h, strip_.e}) {
      switch (from) {
        case width::bits_8: change<std::int8_t, std::int16_t>(numbers, by); break;
        case width::bits_16:
          if (to == width::bits_8) {
            change<std::int16_t, std::int8_t>(numbers, by);
          } else {
            change<std::int16_t, std::int32_t>(numbers, by);
          }
          break;
        default: change<std::int32_t, std::int16_t>(numbers, by);
      }
    }
  }

  template <class From, class To>
  void change(void* numbers, std::int32_t by) const {
    const auto* const from = static_cast<const From*>(numbers);
    const std::vector<From> before(from, from + strip_.rows * segments);
    std::ranges::transform(before, static_cast<To*>(numbers), [&](From each) { return static_cast<To>(each + by); });
  }

  static constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 256;  // highest score, in any width

  std::span<const residue> strips_;
  const score_matrix* scores_;
  const gap_costs* gaps_;
  pair_memory* memory_;
  pair_strip strip_{};
};

pair_score align_pair(std::span<const residue> query, std::span<const residue> subject, const score_matrix& scores,
                      const gap_costs& gaps, pair_memory& memory) {
  if (query.size() <= subject.size()) {
    return pair_aligner(query, subject, scores, gaps, memory).score([&](residue column, residue other) {
      return scores(column, other);
    });
  }
  const pair_score made = pair_aligner(subject, query, scores, gaps, memory).score([&](residue column, residue other) {
    return scores(other, column);
  });
  return {made.score, 0, subject.size()};
}

}  // namespace swsearch
#endif  // HWY_ONCE
