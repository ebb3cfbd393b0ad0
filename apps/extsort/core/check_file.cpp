// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "check_file.hpp"

#include "chunk_reader.hpp"
#include "header.hpp"
#include "record_rules.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>
#include <variant>
#include <vector>

namespace extsort {
namespace {

std::uint64_t sum_of(record_view record) noexcept { return XXH3_64bits(record.data(), record.size()); }

// Returns the number of a record that recgen has made.
std::uint64_t number_of(const binary_records&, const std::byte* at, std::uint64_t size) {
  return size < binary_records::head + 8 ? 0 : loaded<std::uint64_t>(at + binary_records::head);
}
std::uint64_t number_of(const fixed_records& format, const std::byte* at, std::uint64_t size) {
  const std::uint64_t begin = format.key_begin + format.key_size;
  return size < begin + 8 ? 0 : loaded<std::uint64_t>(at + begin);
}
template <char End>
std::uint64_t number_of(const lines_ending_with<End>&, const std::byte*, std::uint64_t) {
  return 0;
}

// Checks consecutive records. Any number of threads may call.
class record_checks {
 public:
  virtual ~record_checks() = default;
  // Checks all records of a chunk, except their order relative to other chunks.
  virtual file_contents check(const chunk& of) const = 0;
  // Checks the order of two records. @param place of the later one @param found gets the result
  virtual void compare(record_view before, record_view present, std::uint64_t place, file_contents& found) const = 0;
};

template <class Format>
class checks_of final : public record_checks {
 public:
  explicit checks_of(const Format& format) : format_(format) {}

  file_contents check(const chunk& of) const override {
    file_contents found;
    record_view before;
    std::uint64_t offset = 0;
    for (std::uint64_t i = 0; i != of.known.records; ++i) {
      const std::byte* const at = of.begin + offset;
      const record_view present(at, format_.size_of(at, of.known.bytes - offset));
      found.sum += sum_of(present);
      if (i != 0) checks_of::compare(before, present, of.place + offset, found);
      before = present;
      offset += present.size();
    }
    found.records = of.known.records;
    found.bytes = of.known.bytes;
    return found;
  }

  void compare(record_view before, record_view present, std::uint64_t place, file_contents& found) const override {
    const auto order = format_.compare(before, present);
    if (order > 0 && !found.first_disorder) found.first_disorder = place;
    if (order != 0) return;
    if (!found.first_repetition) found.first_repetition = place;
    if (!found.first_instability &&
        number_of(format_, before.data(), before.size()) >= number_of(format_, present.data(), present.size()))
      found.first_instability = place;
  }

 private:
  Format format_;
};

void add(file_contents& all, const file_contents& part) {
  const auto take_earlier = [](std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& from) {
    if (from && (!to || *from < *to)) to = from;
  };
  all.records += part.records;
  all.bytes += part.bytes;
  all.sum += part.sum;
  take_earlier(all.first_disorder, part.first_disorder);
  take_earlier(all.first_repetition, part.first_repetition);
  take_earlier(all.first_instability, part.first_instability);
}

std::unique_ptr<const record_checks> checks_for(const record_format& format) {
  return std::visit(
      []<class Format>(const Format& as) -> std::unique_ptr<const record_checks> {
        return std::make_unique<checks_of<Format>>(as);
      },
      format);
}

}  // namespace

file_contents check_file(const file& from, std::uint64_t begin, std::uint64_t end, const record_format& format,
                         engine& by, arena& space, disk_queue& disk, reading_on goes_on, std::uint64_t longest,
                         std::size_t longest_kept) {
  const auto keep = [longest_kept](record_view record) {
    return record.size() > longest_kept ? std::string()
                                        : std::string(reinterpret_cast<const char*>(record.data()), record.size());
  };
  const bool waits = !is_in_memory(from.descriptor());
  const std::size_t least_slice = std::max(least_chunk, chunk_memory(longest));
  std::size_t workers = by.workers();
  // There is one more slice, for the last record of the chunk before.
  const auto slices_of = [&](std::size_t count) { return by.chunks(count, waits) + 1; };
  while (workers > 1 && space.left() / slices_of(workers) < least_slice) --workers;
  const std::size_t slice = rounded_down(space.left() / slices_of(workers));
  const auto slices = space.take(by.chunks(workers, waits), slice);
  const std::span<std::byte> kept = space.take(slice);
  const auto rules = rules_of_input(format);
  const auto checks = checks_for(format);
  chunk_reader reader(disk, from, *rules, begin, end);
  record_view last;
  file_contents between;  // results between chunks
  std::atomic<bool> is_enough = false;
  file_contents all;
  by.stream(chunk_stream<file_contents>{
      .workers = workers,
      .waits = waits,
      .memory = slices,
      .read = [&](std::span<std::byte> free) -> std::optional<chunk> {
        if (is_enough || reader.is_at_end()) return std::nullopt;
        const chunk present = reader.next(free);
        const record_view first(present.begin, rules->size_of(present.begin, present.known.bytes));
        if (last.empty()) {
          between.first = keep(first);
        } else {
          checks->compare(last, first, present.place, between);
        }
        const record_view final(present.begin + present.known.last, present.known.bytes - present.known.last);
        std::ranges::copy(final, kept.begin());
        last = kept.first(final.size());
        return present;
      },
      .work =
          [&](std::size_t, const chunk& some) {
            file_contents found = checks->check(some);
            if (found.first_disorder && goes_on == reading_on::no) is_enough = true;
            return found;
          },
      .collect = [&](const file_contents& found) { add(all, found); }});
  add(all, between);
  all.first = std::move(between.first);
  all.last = keep(last);
  all.workers = workers;
  return all;
}

std::uint64_t sum_of(const chunk& of, const record_format& format) noexcept {
  return std::visit(
      [&](const auto& as) {
        std::uint64_t sum = 0;
        for (std::uint64_t offset = 0; offset != of.known.bytes;) {
          const std::uint64_t size = as.size_of(of.begin + offset, of.known.bytes - offset);
          sum += sum_of(record_view(of.begin + offset, size));
          offset += size;
        }
        return sum;
      },
      format);
}

file_contents check_file(const std::string& name, const record_format& format, engine& by, std::size_t memory,
                         reading_on goes_on, std::uint64_t header_lines) {
  const file from = open_file(name, O_RDONLY | O_NONBLOCK, false, "read");  // does not wait for the writer of a pipe
  struct stat about {};
  if (::fstat(from.descriptor(), &about) != 0)
    throw std::system_error(errno, std::generic_category(), "can't read " + weir::support::quoted_name(name));
  if (!S_ISREG(about.st_mode))
    throw std::runtime_error(weir::support::quoted_name(name) +
                             " is no regular file; only regular files can be checked");
  arena space(memory);
  disk_queue disk(false);
  const auto size = static_cast<std::uint64_t>(about.st_size);
  const auto end = static_cast<char>(rules_of_input(format)->end().value_or(std::byte{}));
  return check_file(from, read_header(from, size, header_lines, end).size(), size, format, by, space, disk, goes_on);
}

std::optional<std::size_t> first_overlap(std::span<const std::pair<std::string, std::string>> contents,
                                         const record_format& format, bool unique) {
  const auto rules = rules_of_input(format);
  const std::string* before = nullptr;
  for (std::size_t i = 0; i != contents.size(); ++i) {
    const auto& [first, last] = contents[i];
    if (before != nullptr && !first.empty()) {
      const auto bytes_of = [](const std::string& record) { return std::as_bytes(std::span(record)); };
      const auto order = rules->compare(bytes_of(*before), bytes_of(first));
      if (order > 0 || (unique && order == 0)) return i;
    }
    if (!last.empty()) before = &last;
  }
  return std::nullopt;
}

}  // namespace extsort
