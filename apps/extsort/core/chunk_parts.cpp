// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "chunk_parts.hpp"

#include "record_writer.hpp"
#include "sort_chunk.hpp"

#include <algorithm>
#include <cstring>
#include <variant>

namespace extsort {
namespace {

template <class Format>
class chunk_parter_of final : public chunk_parter {
 public:
  chunk_parter_of(const Format& format, bool unique) : format_(format), sorter_(format), is_unique_(unique) {}

  void sort(const chunk& of) override { sorter_.sort(of.begin, of.known, of.words); }

  record_view record(const chunk& of, std::uint64_t number) const override {
    const std::uint64_t offset = sorter_.offset_in(of.words[number]);
    const std::byte* const at = of.begin + offset;
    return {at, static_cast<std::size_t>(format_.size_of(at, of.known.bytes - offset))};
  }

  std::size_t take(const chunk& of, chunk_part& from, std::span<std::byte> room,
                   std::vector<sample>& samples) const override {
    constexpr std::size_t ahead = 12;  // records that are prefetched into the cache
    std::byte* to = room.data();
    std::byte* const end = to + room.size();
    while (from.at != from.end && to != end) {
      if (from.at + ahead < from.end) __builtin_prefetch(of.begin + sorter_.offset_in(of.words[from.at + ahead]));
      const record_view present = chunk_parter_of::record(of, from.at);
      if (from.inside == 0) {
        if (is_unique_) {
          if (!from.last.empty() && format_.compare(from.last, present) == 0) {
            ++from.at;
            continue;
          }
          from.last = present;
        }
        if (from.samples.take(from.sent))
          samples.push_back({format_.word(present.data(), {}), from.sent, from.records});
        ++from.records;
        from.longest = std::max<std::uint64_t>(from.longest, present.size());
      }
      const std::size_t left = present.size() - from.inside;
      if (from.inside == 0 && static_cast<std::size_t>(end - to) >= left + record_slack) {
        record_writer::copy(to, present.data(), left);
        to += left;
        from.sent += left;
        ++from.at;
        continue;
      }
      const std::size_t some = std::min(left, static_cast<std::size_t>(end - to));
      std::memcpy(to, present.data() + from.inside, some);
      to += some;
      from.sent += some;
      from.inside = some == left ? 0 : from.inside + some;
      if (from.inside == 0) ++from.at;
    }
    return static_cast<std::size_t>(to - room.data());
  }

 private:
  Format format_;
  chunk_sorter<Format> sorter_;
  bool is_unique_;
};

}  // namespace

std::unique_ptr<chunk_parter> make_chunk_parter(const record_format& format, bool unique) {
  return std::visit(
      [&]<class Format>(const Format& as) -> std::unique_ptr<chunk_parter> {
        return std::make_unique<chunk_parter_of<Format>>(as, unique);
      },
      format);
}

}  // namespace extsort
