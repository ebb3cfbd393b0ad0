// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
//   bench_extsort_lines FILE
//
// Prints S's records as lines of the same length each: the ten digits of the key, letters for the
// payload, an end of line.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// `u64 key | u32 length`, little-endian. A line has room for the key even if the payload is empty.
constexpr std::size_t header = 12;
constexpr std::size_t digits = 10;

void print(std::istream& from, std::ostream& to) {
  static_assert(std::endian::native == std::endian::little);
  std::array<char, header> head;
  std::string line;
  while (from.read(head.data(), head.size())) {
    std::uint64_t key = 0;
    std::uint32_t length = 0;
    std::memcpy(&key, head.data(), sizeof key);
    std::memcpy(&length, head.data() + sizeof key, sizeof length);
    line.resize(header + length);
    if (!from.read(line.data() + digits + 1, length)) throw std::runtime_error("the last record is cut off");
    for (std::size_t at = digits; at-- != 0; key /= 10) line[at] = static_cast<char>('0' + key % 10);
    line[digits] = ' ';
    for (std::size_t at = digits + 1; at + 1 < line.size(); ++at)
      line[at] = static_cast<char>('a' + static_cast<unsigned char>(line[at]) % 26);
    line.back() = '\n';
    to.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
  to.flush();
  if (!to) throw std::runtime_error("can't write");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: bench_extsort_lines FILE\n";
    return 2;
  }
  std::ios::sync_with_stdio(false);
  std::vector<char> buffer(std::size_t{1} << 20);
  std::ifstream from;
  from.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  from.open(argv[1], std::ios::binary);
  try {
    if (!from) throw std::runtime_error("can't open it");
    print(from, std::cout);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
}
