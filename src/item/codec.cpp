// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/item/codec.hpp"

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include <cstdint>
#include <cstring>

namespace weir {
namespace {

std::size_t read_size(byte_source& in) {
  std::uint64_t size = 0;
  in.read(size);
  if (size > in.left()) throw codec_error("a length in the bytes is larger than they are");
  return static_cast<std::size_t>(size);
}

}  // namespace

void detail::append_bytes(byte_sink& out, const void* first, std::size_t count) { out.append(first, count); }

void detail::read_bytes(byte_source& in, void* to, std::size_t count) { std::memcpy(to, in.take(count).data(), count); }

void codec<std::string>::encode(const std::string& item, byte_sink& out) {
  append(out, static_cast<std::uint64_t>(item.size()));
  out.append(item.data(), item.size());
}

std::string codec<std::string>::decode(byte_source& in) {
  const auto bytes = in.take(read_size(in));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void codec<buffer>::encode(const buffer& item, byte_sink& out) {
  append(out, static_cast<std::uint64_t>(item.size()));
  out.append(item);
}

buffer codec<buffer>::decode(byte_source& in) { return in.take_buffer(read_size(in)); }

}  // namespace weir
