// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../weir_parts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Items that own memory. A source fills each item, a worker of a farm reads all of it, and a sink
/// reads its first byte and destroys it. The contenders differ in the origin of the memory, and in
/// its deallocation.
namespace weir_bench {

using bytes = std::vector<unsigned char>;

/// A record as a parser makes it: one allocation for each field, and one for the record itself if
/// it is on the heap.
struct record {
  std::array<std::string, 16> fields;
};

inline void fill(bytes& item, std::size_t size, std::int64_t number) {
  item.assign(size, static_cast<unsigned char>(number));
}
inline void fill(record& item, std::size_t size, std::int64_t number) {
  for (std::string& field : item.fields) field.assign(size, static_cast<char>(number));
}
template <std::size_t Size>
void fill(std::array<unsigned char, Size>& item, std::size_t, std::int64_t number) {
  item.fill(static_cast<unsigned char>(number));
}

inline unsigned char first_byte(const record& item) { return static_cast<unsigned char>(item.fields.front().front()); }
template <class Bytes>
unsigned char first_byte(const Bytes& item) {
  return item.front();
}

/// Reads every byte; the work of a worker for one item.
template <class Bytes>
std::uint64_t read_all(const Bytes& item) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + sizeof sum <= item.size(); at += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, item.data() + at, sizeof word);
    sum += word;
  }
  return sum;
}
inline std::uint64_t read_all(const record& item) {
  std::uint64_t sum = 0;
  for (const std::string& field : item.fields) sum += read_all(field);
  return sum;
}

/// Returns the object behind a pointer, or the item itself.
template <class Item>
decltype(auto) inside(Item& item) {
  if constexpr (requires { *item; }) {
    return *item;
  } else {
    return (item);
  }
}

inline options heap_options(int argc, char** argv) {
  return options(argc, argv,
                 {{"items", 1'000'000}, {"size", 80}, {"fields", 0}, {"capacity", 0}, {"workers", 4}, {"threads", 0}});
}

/// Streams the items that `make()` returns, each of which holds a `bytes`, a `record` or an array,
/// and prints the result line. `capacity` items fit into a channel; 0: weir chooses.
template <class Make>
void stream(const char* contender, const options& given, const Make& make) {
  using item = std::invoke_result_t<const Make&>;
  const auto size = static_cast<std::size_t>(given["size"]);
  const std::int64_t items = given["items"];
  const auto run = [&](std::int64_t count) {
    tally seen;
    tally sum;
    const auto read = weir::source([&make, size, count, next = std::int64_t{0}]() mutable -> std::optional<item> {
      if (next == count) return std::nullopt;
      item made = make();
      fill(inside(made), size, next++);
      return made;
    });
    auto work = weir::farm(
        [](item one) {
          const std::uint64_t all = read_all(std::as_const(inside(one)));
          __asm__ __volatile__("" : : "r"(all));
          return one;
        },
        static_cast<std::size_t>(given["workers"]));
    auto write = weir::sink([&](item one) {
      ++seen.value;
      sum.value += first_byte(std::as_const(inside(one)));
    });
    if (const auto capacity = static_cast<std::size_t>(given["capacity"]); capacity != 0) {
      work = work.capacity(capacity);
      write = write.capacity(capacity);
    }
    const duration took = timed_run(read | work | write, executor_for(given["threads"]));
    verify("count", seen.value, count);
    verify("sum", sum.value, count / 256 * (255 * 256 / 2) + (count % 256) * (count % 256 - 1) / 2);
    return took;
  };
  run(items / 4);
  print_result("heap_items", contender, items, run(items));
}

/// The same with items on the heap, as in ordinary programs: vectors of bytes, or records held by
/// unique pointers.
inline int heap_main(int argc, char** argv, const char* contender) {
  const options given = heap_options(argc, argv);
  if (given["fields"] != 0) {
    stream(contender, given, [] { return std::make_unique<record>(); });
  } else {
    stream(contender, given, [] { return bytes(); });
  }
  return 0;
}

}  // namespace weir_bench
