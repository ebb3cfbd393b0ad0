// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include "records.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace extsort {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() noexcept {
    std::uint64_t made = state_ += 0x9e3779b97f4a7c15;
    made = (made ^ made >> 30) * 0xbf58476d1ce4e5b9;
    made = (made ^ made >> 27) * 0x94d049bb133111eb;
    return made ^ made >> 31;
  }
  // Returns a number below `limit`, which is at most 2^32.
  std::uint64_t below(std::uint64_t limit) noexcept { return (next() >> 32) * limit >> 32; }

 private:
  std::uint64_t state_;
};

std::uint64_t key_of(const generator_setup& setup, std::uint64_t number, random_numbers& random) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 32;
  switch (setup.keys) {
    case key_distribution::zipf: {
      const double share = static_cast<double>(random.next() >> 11) / static_cast<double>(std::uint64_t{1} << 53);
      return static_cast<std::uint64_t>(std::exp(share * 32 * std::log(2.0)));
    }
    case key_distribution::sorted: return number;
    case key_distribution::reversed: return setup.records - 1 - number;
    case key_distribution::nearly: return number + random.below(100'000);
    case key_distribution::equal: return 42;
    case key_distribution::few: return random.below(16) * (limit / 16);
    default: return random.below(limit);
  }
}

template <class T>
void store(std::byte*& to, const T& value) {
  std::memcpy(to, &value, sizeof value);
  to += sizeof value;
}

void fill(std::byte*& to, std::size_t size, random_numbers& random) {
  std::byte* const end = to + size;
  while (end - to >= 8) store(to, random.next());
  const std::uint64_t last = random.next();
  std::memcpy(to, &last, static_cast<std::size_t>(end - to));
  to = end;
}

}  // namespace

std::uint64_t expected_size(const generator_setup& setup) noexcept {
  constexpr double most = 1e18;  // larger than any disk, and less than 2^64
  const double payload = (8.0 + std::max<std::uint32_t>(setup.payload_limit, 9) - 1) / 2;
  const double size = setup.fixed_size != 0 ? static_cast<double>(setup.fixed_size) : binary_records::head + payload;
  return static_cast<std::uint64_t>(std::min(most, static_cast<double>(setup.records) * size));
}

std::vector<std::byte> generate_block(const generator_setup& setup, std::uint64_t block) {
  constexpr std::size_t of_number = 8, of_fixed_key = 10;
  const std::uint64_t first = block * records_in_block;
  const std::uint64_t last = std::min(setup.records, first + records_in_block);
  const std::size_t payload_most = std::max<std::uint32_t>(setup.payload_limit, of_number + 1) - 1;
  const std::size_t most = setup.fixed_size != 0 ? setup.fixed_size : binary_records::head + payload_most;
  std::vector<std::byte> made((last - first) * most);
  std::byte* to = made.data();
  random_numbers random(random_numbers(setup.seed ^ block * 0xd1342543de82ef95).next());
  for (std::uint64_t number = first; number != last; ++number) {
    const std::uint64_t key = key_of(setup, number, random);
    if (setup.fixed_size != 0) {
      store(to, __builtin_bswap64(setup.keys == key_distribution::uniform ? random.next() : key));
      store(to, static_cast<std::uint16_t>(setup.keys == key_distribution::uniform ? random.next() : 0));
      store(to, number);
      fill(to, setup.fixed_size - of_fixed_key - of_number, random);
    } else {
      const std::size_t payload = of_number + random.below(payload_most - of_number + 1);
      store(to, key);
      store(to, static_cast<std::uint32_t>(payload));
      store(to, number);
      fill(to, payload - of_number, random);
    }
  }
  made.resize(static_cast<std::size_t>(to - made.data()));
  return made;
}

}  // namespace extsort
