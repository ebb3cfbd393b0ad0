// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run_codec.hpp"

#include "arena.hpp"
#include "record_writer.hpp"

#define ZSTD_STATIC_LINKING_ONLY  // for its use of memory
#include <zstd.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace extsort {
namespace {

ZSTD_compressionParameters parameters_of(const run_compression& as) { return ZSTD_getCParams(as.level, as.frame, 0); }

std::size_t context_size(const run_compression& as) {
  return rounded_up(ZSTD_estimateCCtxSize_usingCParams(parameters_of(as)));
}

}  // namespace

void frame_index::add(std::size_t bytes) {
  if (sizes_.size() % step == 0) begins_.push_back(end_);
  sizes_.push_back(static_cast<std::uint32_t>(bytes));
  end_ += bytes;
}

std::uint64_t frame_index::begin_of(std::size_t frame) const noexcept {
  if (frame == sizes_.size()) return end_;
  std::uint64_t begin = begins_[frame / step];
  for (std::size_t i = frame / step * step; i != frame; ++i) begin += sizes_[i];
  return begin;
}

std::size_t frame_bound(std::size_t bytes) noexcept { return ZSTD_compressBound(bytes); }

std::size_t frame_encoder::memory_for(const run_compression& as) {
  return context_size(as) + rounded_up(frame_bound(as.frame) + record_slack);
}

frame_encoder::frame_encoder(const run_compression& as, std::span<std::byte> memory)
    : by_(ZSTD_initStaticCCtx(memory.data(), context_size(as))), made_(memory.subspan(context_size(as))) {
  if (by_ == nullptr) throw std::logic_error("zstd wants more memory than it said");
  const ZSTD_compressionParameters chosen = parameters_of(as);
  // Parameters are set one by one, since the shorter end of a run would otherwise get others, which
  // need more memory.
  for (const auto& [which, value] : {std::pair{ZSTD_c_windowLog, static_cast<int>(chosen.windowLog)},
                                     {ZSTD_c_chainLog, static_cast<int>(chosen.chainLog)},
                                     {ZSTD_c_hashLog, static_cast<int>(chosen.hashLog)},
                                     {ZSTD_c_searchLog, static_cast<int>(chosen.searchLog)},
                                     {ZSTD_c_minMatch, static_cast<int>(chosen.minMatch)},
                                     {ZSTD_c_targetLength, static_cast<int>(chosen.targetLength)},
                                     {ZSTD_c_strategy, static_cast<int>(chosen.strategy)},
                                     {ZSTD_c_checksumFlag, 1}}) {
    const std::size_t set = ZSTD_CCtx_setParameter(by_, which, value);
    if (ZSTD_isError(set) != 0) throw std::logic_error(std::string("zstd: ") + ZSTD_getErrorName(set));
  }
}

std::span<const std::byte> frame_encoder::encode(std::span<const std::byte> bytes) {
  const std::size_t size = ZSTD_compress2(by_, made_.data(), made_.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) throw std::logic_error(std::string("zstd: ") + ZSTD_getErrorName(size));
  return made_.first(size);
}

std::size_t frame_decoder::memory_for() noexcept { return rounded_up(ZSTD_estimateDCtxSize()); }

frame_decoder::frame_decoder(std::span<std::byte> memory) : by_(ZSTD_initStaticDCtx(memory.data(), memory_for())) {
  if (by_ == nullptr) throw std::logic_error("zstd wants more memory than it said");
}

const char* frame_decoder::decode(std::span<const std::byte> frame, std::span<std::byte> to) noexcept {
  const std::size_t size = ZSTD_decompressDCtx(by_, to.data(), to.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) != 0) return ZSTD_getErrorName(size);
  return size == to.size() ? nullptr : "it has another size than it had";
}

}  // namespace extsort
