// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"
#include "record_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

// How groups agree on the shares of the input, and on the ranges of keys.

namespace extsort {
namespace {

record_view view_of(const splitter& of) {
  return {reinterpret_cast<const std::byte*>(of.record.data()), of.record.size()};
}

}  // namespace

std::uint64_t exchange::begin(disk_queue& disk, const file& input, std::uint64_t size, std::span<std::byte> memory) {
  for_samples_ = memory.size() / groups();
  disk_ = &disk;
  input_ = &input;
  size_ = size;
  record_finder finder(disk, input, rules_, size, memory);
  const std::uint64_t from = own_input_ ? 0 : finder.first_from(size / groups() * own_);
  const std::vector<std::uint64_t> told = others_.told_by_all({size, from});
  begins_.clear();
  std::uint64_t all = own_input_ ? 0 : size;
  for (std::size_t i = 0; i != groups(); ++i) {
    if (own_input_) {
      all += told[2 * i];
      continue;
    }
    if (told[2 * i] != size)
      throw std::runtime_error(
          fmt::format("{}: has {} bytes here, and {} in group {}; all groups must see the same file", input.name(),
                      size, told[2 * i], others_.name(i)));
    begins_.push_back(begins_.empty() ? 0 : std::max(begins_.back(), told[2 * i + 1]));
  }
  ranges_ = others_
                .reduced<splitters>([&] { return samples(finder); },
                                    [&](std::vector<splitters> each) { return chosen_from(std::move(each)); })
                .all;
  return all;
}

bool exchange::is_before(const splitter& a, const splitter& b) const {
  const auto order = rules_.compare(view_of(a), view_of(b));
  return order != 0 ? order < 0 : a.group != b.group ? a.group < b.group : a.place < b.place;
}
// Whether a record of this group's share is in a range before the one that the splitter begins.
bool exchange::is_before(record_view record, std::uint64_t place, const splitter& by) const {
  const auto order = rules_.compare(record, view_of(by));
  if (order != 0 || is_unique_) return order < 0;
  return rank() != by.group ? rank() < by.group : place < by.place;
}

// Returns samples from some hundred places of the share, so that no range is much larger than
// another in any order of the input; they are only a small part of the share.
splitters exchange::samples(record_finder& finder) const {
  constexpr std::size_t places = 512, at_a_place = 8, distance = page, window = 4 * page;
  constexpr std::uint64_t least_bytes = std::uint64_t{256} << 10, most_bytes = std::uint64_t{2} << 20;
  splitters made;
  const std::uint64_t begin = share_begin(), size = share_end() - begin;
  const std::uint64_t steps = std::min<std::uint64_t>(places, size / distance + 1);
  // All places have the same limit, so that all samples stand for the same number of bytes.
  const std::uint64_t most = std::min(std::clamp(size / 64, least_bytes, most_bytes), for_samples_) / steps;
  for (std::uint64_t i = 0; i != steps && size != 0; ++i) {
    std::uint64_t taken = 0;
    finder.look_around(begin + size / steps * i, window, at_a_place, [&](record_view record, std::uint64_t place) {
      const std::uint64_t takes = sizeof(splitter) + record.size();
      if (place >= begin + size || (taken != 0 && taken + takes > most)) return;
      taken += takes;
      made.all.push_back({rank(), place, {reinterpret_cast<const char*>(record.data()), record.size()}});
    });
  }
  made.stands_for = made.all.empty() ? 0 : size / made.all.size();
  return made;
}

// Returns ranges of about equal size for all groups. @param each the samples of each group
splitters exchange::chosen_from(std::vector<splitters> each) const {
  struct candidate {
    std::uint64_t bytes;
    splitter* of;
  };
  std::vector<candidate> all;
  std::uint64_t known = 0;
  for (splitters& some : each) {
    for (splitter& one : some.all) all.push_back({some.stands_for, &one});
    known += some.stands_for * some.all.size();
  }
  std::ranges::sort(all, [&](const candidate& a, const candidate& b) { return is_before(*a.of, *b.of); });
  splitters made;
  std::uint64_t before = 0;
  for (const candidate& next : all) {
    if (made.all.size() + 1 == groups()) break;
    if (before >= known / groups() * (made.all.size() + 1) && before != 0) made.all.push_back(std::move(*next.of));
    before += next.bytes;
  }
  return made;
}

// Whether each share begins where the one before ends; if not, corrects the shares.
// @throws bad_record
bool exchange::agree() {
  enum : std::uint64_t { good, again, bad };
  const numbers verdict = others_.reduced<numbers>(
      [&] {
        return numbers{{reached_, problem_ != nullptr && reached_ == unknown_place ? 1U : 0U}};
      },
      [&](std::vector<numbers> each) {
        std::vector<std::uint64_t> begins = begins_;
        for (std::size_t i = 0; i != groups(); ++i) {
          if (each[i].values[1] != 0) return numbers{{bad, i}};
          if (own_input_ || i + 1 == groups() || begins_[i + 1] == each[i].values[0]) continue;
          begins[i + 1] = each[i].values[0];
          for (std::size_t k = i + 2; k < groups(); ++k) begins[k] = std::max(begins[k], begins[k - 1]);
          begins.insert(begins.begin(), again);
          return numbers{begins};
        }
        return numbers{{good}};
      });
  if (verdict.values[0] == good) return true;
  if (verdict.values[0] == bad) {
    others_.reduced<numbers>(
        [&]() -> numbers {
          if (verdict.values[1] == own_) std::rethrow_exception(problem_);
          return {};
        },
        [](const std::vector<numbers>&) { return numbers{}; });
    throw std::logic_error("a share that makes no sense was taken for a good one");
  }
  begins_.assign(verdict.values.begin() + 1, verdict.values.end());
  return false;
}

}  // namespace extsort
