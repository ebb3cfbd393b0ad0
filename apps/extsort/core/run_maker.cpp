// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run_maker.hpp"

#include "sort_chunk.hpp"

#include <cstddef>
#include <variant>

namespace extsort {
namespace {

template <class Format>
class run_maker_of final : public run_maker {
 public:
  run_maker_of(const Format& format, std::uint64_t sample_distance, bool unique)
      : format_(format), sorter_(format), sample_distance_(sample_distance), is_unique_(unique) {}

  run make(const chunk& of, record_writer& to) override {
    constexpr std::size_t ahead = 16;  // records that are prefetched into the cache
    sorter_.sort(of.begin, of.known, of.words);
    run made;
    std::uint64_t bytes = 0, records = 0;
    record_view last;
    sample_places samples(sample_distance_, of.number);
    for (std::size_t i = 0; i != of.words.size(); ++i) {
      if (i + ahead < of.words.size()) {
        const std::byte* const later = of.begin + sorter_.offset_in(of.words[i + ahead]);
        __builtin_prefetch(later);
        __builtin_prefetch(later + 24);
      }
      const std::uint64_t offset = sorter_.offset_in(of.words[i]);
      const std::byte* const at = of.begin + offset;
      const std::uint64_t size = format_.size_of(at, of.known.bytes - offset);
      if (is_unique_) {
        const record_view present(at, size);
        if (!last.empty() && format_.compare(last, present) == 0) continue;
        last = present;
      }
      if (samples.take(bytes)) made.samples.push_back({format_.word(at, {}), bytes, records});
      to.add(at, size);
      bytes += size;
      ++records;
    }
    made.size = bytes;
    made.records = records;
    made.longest = of.known.longest;
    return made;
  }

 private:
  Format format_;
  chunk_sorter<Format> sorter_;
  std::uint64_t sample_distance_;
  bool is_unique_;
};

}  // namespace

std::unique_ptr<run_maker> make_run_maker(const record_format& format, std::uint64_t sample_distance, bool unique) {
  return std::visit(
      [&]<class Format>(const Format& as) -> std::unique_ptr<run_maker> {
        return std::make_unique<run_maker_of<Format>>(as, sample_distance, unique);
      },
      format);
}

}  // namespace extsort
