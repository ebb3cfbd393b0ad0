// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/decoder.hpp"
#include "io/encoder.hpp"

#include <zlib.h>

#include <algorithm>
#include <climits>
#include <new>
#include <stdexcept>
#include <string>

namespace weir::io {
namespace {

constexpr int largest_window = 15;
constexpr int as_gzip = 16;  // added to the window size: selects a gzip header and trailer
constexpr std::size_t room = std::size_t{64} * 1024;

uInt at_most(std::size_t size) noexcept { return static_cast<uInt>(std::min<std::size_t>(size, UINT_MAX)); }

class gunzip final : public decoder {
 public:
  gunzip() {
    if (inflateInit2(&stream_, largest_window + as_gzip) != Z_OK) throw std::bad_alloc();
  }
  ~gunzip() override { inflateEnd(&stream_); }

  progress decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    if (between_) {
      // Tapes and block devices pad data with zeros.
      const auto next = std::find_if(from.begin(), from.end(), [](std::byte b) { return b != std::byte{0}; });
      if (next != from.begin() || from.empty()) return {static_cast<std::size_t>(next - from.begin()), 0};
      if (*next != std::byte{0x1f}) throw std::runtime_error("something other than gzip follows the compressed data");
      inflateReset(&stream_);
      between_ = false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data()));
    stream_.avail_in = at_most(from.size());
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());
    stream_.avail_out = at_most(to.size());
    const uInt given = stream_.avail_in;
    const uInt wanted = stream_.avail_out;
    switch (inflate(&stream_, Z_NO_FLUSH)) {
      case Z_STREAM_END: between_ = true; break;
      case Z_OK:
      case Z_BUF_ERROR: break;
      case Z_MEM_ERROR: throw std::bad_alloc();
      default:
        throw std::runtime_error("the gzip data is corrupt (" +
                                 std::string(stream_.msg != nullptr ? stream_.msg : "unknown error") + ")");
    }
    return {given - stream_.avail_in, wanted - stream_.avail_out};
  }

  void end() const override {
    if (!between_) throw std::runtime_error("the gzip data is truncated");
  }

 private:
  z_stream stream_{};
  bool between_ = false;  // one member has ended, and no other has begun
};

class gzip final : public encoder {
 public:
  explicit gzip(int level) {
    if (level < 0 || level > Z_BEST_COMPRESSION) throw std::invalid_argument("gzip has no such level; use 1 to 9");
    const int memory = 8;
    const int chosen = level == 0 ? Z_DEFAULT_COMPRESSION : level;
    if (deflateInit2(&stream_, chosen, Z_DEFLATED, largest_window + as_gzip, memory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~gzip() override { deflateEnd(&stream_); }

  void encode(std::span<const std::byte> from, std::vector<std::byte>& to) override {
    while (!from.empty()) {
      const uInt some = at_most(from.size());
      run(from.first(some), to, Z_NO_FLUSH);
      from = from.subspan(some);
    }
  }
  void end(std::vector<std::byte>& to) override { run({}, to, Z_FINISH); }

 private:
  void run(std::span<const std::byte> from, std::vector<std::byte>& to, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data()));
    stream_.avail_in = static_cast<uInt>(from.size());
    do {
      const std::size_t before = to.size();
      to.resize(before + room);
      stream_.next_out = reinterpret_cast<Bytef*>(to.data() + before);
      stream_.avail_out = room;
      deflate(&stream_, flush);
      to.resize(before + room - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
};

}  // namespace

std::unique_ptr<decoder> gzip_decoder() { return std::make_unique<gunzip>(); }
std::unique_ptr<encoder> gzip_encoder(int level) { return std::make_unique<gzip>(level); }

}  // namespace weir::io
