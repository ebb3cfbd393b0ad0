// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Compresses standard input to standard output in gzip's format, on all cores. Each piece of the
// input becomes a member of its own, so that the pieces can be compressed at the same time.

#include <weir/io/write_chunks.hpp>
#include <weir/weir.hpp>

#define ZLIB_CONST  // the input of zlib is not changed
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

// The source: standard input in pieces. An empty input is one empty piece, because a file without
// any member is not in gzip's format.
struct pieces {
  bool first = true;

  std::optional<weir::buffer> next() {
    weir::buffer piece(256 * 1024);
    const std::size_t count = std::fread(piece.writable().data(), 1, piece.size(), stdin);
    if (std::ferror(stdin) != 0) throw std::system_error(errno, std::generic_category(), "standard input");
    if (count == 0 && !first) return std::nullopt;
    first = false;
    return std::move(piece).slice(0, count);
  }
};

// A member of the output: header, compressed bytes, check sum, and length.
struct to_member {
  int level;

  weir::buffer operator()(weir::buffer piece) const {
    z_stream stream{};
    constexpr int gzip_format = 15 + 16;  // the largest window, and gzip's header
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_format, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    weir::buffer member(deflateBound(&stream, piece.size()));
    stream.next_in = reinterpret_cast<const Bytef*>(piece.bytes().data());
    stream.avail_in = static_cast<uInt>(piece.size());
    stream.next_out = reinterpret_cast<Bytef*>(member.writable().data());
    stream.avail_out = static_cast<uInt>(member.size());
    deflate(&stream, Z_FINISH);  // the member has room for all of it
    deflateEnd(&stream);
    return std::move(member).slice(0, stream.total_out);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc == 2 ? argv[1] : "-6";
  if (argc > 2 || option.size() != 2 || option[0] != '-' || option[1] < '1' || option[1] > '9') {
    std::cerr << "usage: parallel_gzip [-1 … -9] <INPUT >OUTPUT.gz\n";
    return 2;
  }
  try {
    weir::network net = weir::source(pieces{}).named("read") |
                        weir::farm(to_member{option[1] - '0'}).ordered().named("compress") |
                        weir::write_chunks("-").named("write");
    weir::run(net);
  } catch (const std::exception& error) {
    std::cerr << "parallel_gzip: " << error.what() << '\n';
    return 1;
  }
}
