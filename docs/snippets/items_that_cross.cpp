// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: north: 2 values, 5 bytes

// The codec of docs/how-to/items-that-cross.md, and its test.

#include <weir/item/buffer.hpp>
#include <weir/item/bytes.hpp>
#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

struct measurement {
  std::string station;
  std::vector<float> values;
  weir::buffer raw;
};

template <>
struct weir::codec<measurement> {
  static void encode(const measurement& item, weir::byte_sink& out) {
    codec<std::string>::encode(item.station, out);
    weir::append(out, item.values.size());
    out.append(item.values.data(), item.values.size() * sizeof(float));
    codec<weir::buffer>::encode(item.raw, out);
  }
  static measurement decode(weir::byte_source& in) {
    measurement item;
    item.station = codec<std::string>::decode(in);
    std::size_t count = 0;
    in.read(count);
    // Checks that the bytes are there before that much memory is allocated.
    if (count > in.left() / sizeof(float)) throw weir::codec_error("more values than bytes");
    item.values.resize(count);
    for (float& each : item.values) in.read(each);
    item.raw = codec<weir::buffer>::decode(in);
    return item;
  }
};

// Returns the item after it was encoded and decoded.
template <class T>
T there_and_back(const T& item) {
  weir::byte_sink out;
  weir::codec<T>::encode(item, out);
  const weir::buffer bytes = std::move(out).joined();
  weir::byte_source in(bytes);
  T decoded = weir::codec<T>::decode(in);
  if (in.left() != 0) throw weir::codec_error("bytes are left");
  return decoded;
}

int main() {
  const measurement back = there_and_back(measurement{"north", {1.5F, 2.5F}, weir::buffer("bytes")});
  std::cout << back.station << ": " << back.values.size() << " values, " << back.raw.size() << " bytes\n";
}
