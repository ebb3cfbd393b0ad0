// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Blurs a picture (PGM or PPM, binary, 8 bits) with a Gaussian of 5 x 5 pixels. The picture streams
// through the network in bands of rows, so it may be larger than memory.

#include <weir/io/write_chunks.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr long reach = 2;                     // rows above and below a pixel on which it depends
constexpr unsigned weights[]{1, 4, 6, 4, 1};  // of 16, in both directions

struct band {
  std::string header;  // of the file, in front of the first band
  long width, pixel;   // pixels of a row, bytes of a pixel
  long above, rows;    // rows in front of those to be blurred; rows to be blurred
  std::string bytes;   // all rows
};
std::size_t owned_bytes(const band& b) noexcept { return b.bytes.capacity(); }  // weir limits their sum in a channel

// The source: bands of a file, with those rows above and below that their pixels depend on.
struct read_bands {
  std::string path;
  std::ifstream in{};
  std::string header{}, held{};
  long width = 0, height = 0, pixel = 0, done = 0, first_held = 0;
  void require(bool holds, const char* else_it) const {
    if (!holds) throw std::runtime_error(path + ": " + else_it);
  }
  long number() {
    long n = 0;
    for (std::string comment; in >> std::ws && in.peek() == '#';) std::getline(in, comment);
    require(in >> n && n > 0 && n < 1'000'000, "is no binary PGM or PPM");
    return n;
  }
  void start() {
    in.open(path, std::ios::binary);
    require(in.good(), "can't be read");
    header = {static_cast<char>(in.get()), static_cast<char>(in.get())};
    require(header == "P5" || header == "P6", "is no binary PGM or PPM");
    pixel = header == "P5" ? 1 : 3;
    width = number();
    height = number();
    require(number() == 255 && in.get(), "has pixels that are not of 8 bits");
    header += '\n' + std::to_string(width) + ' ' + std::to_string(height) + "\n255\n";
  }
  std::optional<band> next() {
    if (done == height) return std::nullopt;
    const long rows = std::min(64L, height - done), row = width * pixel;
    const long first = std::max(0L, done - reach), last = std::min(height, done + rows + reach);
    held.erase(0, static_cast<std::size_t>((first - first_held) * row));
    const std::size_t kept = held.size();
    held.resize(static_cast<std::size_t>((last - first) * row));
    require(!!in.read(held.data() + kept, static_cast<long>(held.size() - kept)), "ends too early");
    first_held = first;
    done += rows;
    return band{std::exchange(header, {}), width, pixel, done - rows - first, rows, held};
  }
};

weir::buffer blurred(const band& b) {
  const long row = b.width * b.pixel, last = std::ssize(b.bytes) / row - 1;
  weir::buffer made(b.header.size() + static_cast<std::size_t>(b.rows * row));
  auto* to = std::ranges::copy(b.header, reinterpret_cast<char*>(made.writable().data())).out;
  for (long y = b.above; y != b.above + b.rows; ++y) {
    std::vector<unsigned> down(row);
    for (long i = -reach; i <= reach; ++i) {
      const char* from = &b.bytes[std::clamp(y + i, 0L, last) * row];
      for (unsigned& each : down) each += weights[i + reach] * static_cast<unsigned char>(*from++);
    }
    for (long x = 0; x != row; ++x) {
      const long first = x % b.pixel, end = row - b.pixel + first;  // the same colour of the outermost pixels
      unsigned sum = 128;
      for (long i = -reach; i <= reach; ++i) sum += weights[i + reach] * down[std::clamp(x + i * b.pixel, first, end)];
      *to++ = static_cast<char>(sum / 256);
    }
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: image_blur INPUT OUTPUT\n";
    return 2;
  }
  weir::run(weir::source(read_bands{argv[1]}).named("read") | weir::farm(&blurred).ordered().named("blur") |
            weir::write_chunks(argv[2]).named("write"));
} catch (const std::exception& error) {
  std::cerr << "image_blur: " << error.what() << '\n';
  return 1;
}
