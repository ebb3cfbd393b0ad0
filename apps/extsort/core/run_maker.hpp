// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk_reader.hpp"
#include "record_writer.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>

namespace extsort {

/// Makes runs of chunks. For one thread at a time.
template <class Format>
class run_maker {
 public:
  /// @param sample_distance bytes of a run between two samples @param unique leaves out all but the first of records with equal keys
  run_maker(const Format& format, std::uint64_t sample_distance, bool unique)
      : format_(format), sorter_(format), sample_distance_(sample_distance), is_unique_(unique) {}

  /// Sorts what is in the chunk's memory, and writes it; `to` is not finished. @return all of it but where it is
  run make(const chunk& of, record_writer& to) {
    constexpr std::size_t ahead = 16;  // records that are on their way into the cache
    sorter_.sort(of.begin, of.known, of.words);
    run made;
    made.longest = of.known.longest;
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
      if (samples.take(made.size)) made.samples.push_back({format_.word(at, {}), made.size, made.records});
      to.add(at, size);
      made.size += size;
      ++made.records;
    }
    return made;
  }

 private:
  Format format_;
  chunk_sorter<Format> sorter_;
  std::uint64_t sample_distance_;
  bool is_unique_;
};

}  // namespace extsort
