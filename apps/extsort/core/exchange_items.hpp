// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/item/buffer.hpp>
#include <weir/item/bytes.hpp>
#include <weir/item/codec.hpp>

#include "runs.hpp"
#include "splitters.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace extsort {

/// A part of the sorted records of a chunk that go to one group. May begin and end within a record.
struct piece {
  std::uint64_t source = 0;   ///< number of the sending group
  std::uint64_t chunk = 0;    ///< number of its chunk
  std::uint64_t records = 0;  ///< in the last piece: number in all pieces; else 0
  std::uint64_t longest = 0;  ///< likewise, bytes of the longest record
  bool is_last = false;
  std::vector<sample> samples;
  weir::buffer bytes;
};

}  // namespace extsort

namespace weir {

/// @throws codec_error, as below, if the bytes are malformed
template <>
struct codec<extsort::numbers> {
  static void encode(const extsort::numbers& item, byte_sink& out) {
    append(out, std::uint64_t{item.values.size()});
    out.append(std::as_bytes(std::span(item.values)));
  }
  static extsort::numbers decode(byte_source& in) {
    std::uint64_t count = 0;
    in.read(count);
    if (count > in.left() / sizeof(std::uint64_t)) throw codec_error("there are fewer numbers than are said to be");
    extsort::numbers item;
    item.values.resize(static_cast<std::size_t>(count));
    for (std::uint64_t& each : item.values) in.read(each);
    return item;
  }
};

template <>
struct codec<extsort::splitters> {
  static void encode(const extsort::splitters& item, byte_sink& out) {
    append(out, item.stands_for);
    append(out, std::uint64_t{item.all.size()});
    for (const extsort::splitter& each : item.all) {
      append(out, each.group);
      append(out, each.place);
      codec<std::string>::encode(each.record, out);
    }
  }
  static extsort::splitters decode(byte_source& in) {
    extsort::splitters item;
    std::uint64_t count = 0;
    in.read(item.stands_for);
    in.read(count);
    for (; count != 0; --count) {
      extsort::splitter& each = item.all.emplace_back();
      in.read(each.group);
      in.read(each.place);
      each.record = codec<std::string>::decode(in);
    }
    return item;
  }
};

template <>
struct codec<extsort::piece> {
  static void encode(const extsort::piece& item, byte_sink& out) {
    append(out, item.source);
    append(out, item.chunk);
    append(out, item.records);
    append(out, item.longest);
    append(out, item.is_last);
    append(out, std::uint64_t{item.samples.size()});
    for (const extsort::sample& each : item.samples) append(out, each);
    codec<buffer>::encode(item.bytes, out);
  }
  static extsort::piece decode(byte_source& in) {
    extsort::piece item;
    in.read(item.source);
    in.read(item.chunk);
    in.read(item.records);
    in.read(item.longest);
    in.read(item.is_last);
    std::uint64_t samples = 0;
    in.read(samples);
    for (; samples != 0; --samples) in.read(item.samples.emplace_back());
    item.bytes = codec<buffer>::decode(in);
    return item;
  }
};

}  // namespace weir
