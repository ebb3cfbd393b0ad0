// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/decoder.hpp"
#include "io/encoder.hpp"

#include <zstd.h>

#include <new>
#include <stdexcept>
#include <string>

namespace weir::io {
namespace {

class unzstd final : public decoder {
 public:
  unzstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~unzstd() override { ZSTD_freeDStream(stream_); }

  progress decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    if (between_ && from.empty()) return {0, 0};
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(left) != 0U) {
      throw std::runtime_error("the zstd data is corrupt (" + std::string(ZSTD_getErrorName(left)) + ")");
    }
    between_ = left == 0;
    return {in.pos, out.pos};
  }

  void end() const override {
    if (!between_) throw std::runtime_error("the zstd data is truncated");
  }

 private:
  ZSTD_DStream* stream_;
  bool between_ = false;  // one frame has ended, and no other has begun
};

class zstd final : public encoder {
 public:
  explicit zstd(int level) : stream_(ZSTD_createCStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    if (level > ZSTD_maxCLevel() || level < 0) {
      ZSTD_freeCStream(stream_);
      throw std::invalid_argument("zstd has no such level; use 1 to " + std::to_string(ZSTD_maxCLevel()));
    }
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  ~zstd() override { ZSTD_freeCStream(stream_); }

  void encode(std::span<const std::byte> from, std::vector<std::byte>& to) override {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    while (in.pos != in.size) run(in, to, ZSTD_e_continue);
  }
  void end(std::vector<std::byte>& to) override {
    ZSTD_inBuffer none{nullptr, 0, 0};
    while (run(none, to, ZSTD_e_end) != 0) {
    }
  }

 private:
  std::size_t run(ZSTD_inBuffer& in, std::vector<std::byte>& to, ZSTD_EndDirective how) {
    const std::size_t before = to.size();
    to.resize(before + ZSTD_CStreamOutSize());
    ZSTD_outBuffer out{to.data() + before, to.size() - before, 0};
    const std::size_t left = ZSTD_compressStream2(stream_, &out, &in, how);
    if (ZSTD_isError(left) != 0U) throw std::runtime_error("zstd: " + std::string(ZSTD_getErrorName(left)));
    to.resize(before + out.pos);
    return left;
  }

  ZSTD_CStream* stream_;
};

}  // namespace

std::unique_ptr<decoder> zstd_decoder() { return std::make_unique<unzstd>(); }
std::unique_ptr<encoder> zstd_encoder(int level) { return std::make_unique<zstd>(level); }

}  // namespace weir::io
