// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parted_sort.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace extsort {

/// A rank that sorts: it receives chunks from rank 0, and sends sorted records back.
class worker final : public chunk_source {
 public:
  std::uint64_t input_size() override;
  std::size_t next(std::span<std::byte> memory) override;
  bool begins_again() override;
  void give(std::span<const run> sorted, disk_queue& disk, std::span<std::byte> memory) override;

 private:
  bool has_told_room_ = false;
  bool begins_again_ = false;
};

}  // namespace extsort
