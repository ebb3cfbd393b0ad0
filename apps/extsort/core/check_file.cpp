// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "check_file.hpp"

#include "chunk_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <span>
#include <system_error>
#include <vector>

namespace extsort {
namespace {

// The number of a record that recgen has made.
std::uint64_t number_of(const binary_records&, const std::byte* at, std::uint64_t size) {
  return size < binary_records::head + 8 ? 0 : loaded<std::uint64_t>(at + binary_records::head);
}
std::uint64_t number_of(const fixed_records& format, const std::byte* at, std::uint64_t size) {
  const std::uint64_t begin = format.key_begin + format.key_size;
  return size < begin + 8 ? 0 : loaded<std::uint64_t>(at + begin);
}
std::uint64_t number_of(const text_lines&, const std::byte*, std::uint64_t) { return 0; }

struct part {
  file_contents found;
  std::vector<std::byte> first, last;  // records
};

template <class Format>
class checking {
 public:
  explicit checking(const Format& format) : format_(format) {}

  part check(const chunk& of) const {
    part made;
    record_view before;
    std::uint64_t offset = 0;
    for (std::uint64_t i = 0; i != of.known.records; ++i) {
      const std::byte* const at = of.begin + offset;
      const record_view present(at, format_.size_of(at, of.known.bytes - offset));
      made.found.sum += XXH3_64bits(at, present.size());
      if (i != 0) compare(before, present, of.place + offset, made.found);
      before = present;
      offset += present.size();
    }
    made.found.records = of.known.records;
    made.found.bytes = of.known.bytes;
    const record_view first(of.begin, format_.size_of(of.begin, of.known.bytes));
    made.first.assign(first.begin(), first.end());
    made.last.assign(before.begin(), before.end());
    return made;
  }

  void compare(record_view before, record_view present, std::uint64_t place, file_contents& found) const {
    const auto order = format_.compare(before, present);
    if (order > 0 && !found.first_disorder) found.first_disorder = place;
    if (order == 0 && !found.first_instability &&
        number_of(format_, before.data(), before.size()) >= number_of(format_, present.data(), present.size()))
      found.first_instability = place;
  }

 private:
  Format format_;
};

template <class Format>
file_contents check(const std::string& name, const Format& format, engine& by, std::size_t memory) {
  const file from = open_file(name, O_RDONLY, false, "read");
  struct stat about {};
  if (::fstat(from.descriptor(), &about) != 0) throw std::system_error(errno, std::generic_category(), name);
  arena space(memory);
  disk_queue disk(false);
  chunk_reader<Format> reader(disk, from, format, 0, static_cast<std::uint64_t>(about.st_size));
  std::vector<std::span<std::byte>> slices;
  std::vector<chunk> chunks(by.slots());
  while (slices.size() != by.slots()) slices.push_back(space.take(rounded_down(memory / by.slots())));
  std::mutex adding;
  std::vector<part> parts;
  const checking<Format> checks(format);
  by.stream(
      by.slots(),
      [&](std::size_t slot) {
        if (reader.is_at_end()) return false;
        chunks[slot] = reader.next(slices[slot]);
        return true;
      },
      [&](std::size_t, std::size_t slot) {
        part made = checks.check(chunks[slot]);
        const std::uint64_t number = chunks[slot].number;
        const std::lock_guard held(adding);
        if (parts.size() <= number) parts.resize(number + 1);
        parts[number] = std::move(made);
      });
  file_contents all;
  const part* before = nullptr;
  for (const part& each : parts) {
    if (before != nullptr) checks.compare(before->last, each.first, all.bytes, all);
    if (!all.first_disorder) all.first_disorder = each.found.first_disorder;
    if (!all.first_instability) all.first_instability = each.found.first_instability;
    all.records += each.found.records;
    all.bytes += each.found.bytes;
    all.sum += each.found.sum;
    before = &each;
  }
  return all;
}

}  // namespace

file_contents check_file(const std::string& name, const record_format& format, engine& by, std::size_t memory) {
  return std::visit([&](const auto& as) { return check(name, as, by, memory); }, format);
}

}  // namespace extsort
