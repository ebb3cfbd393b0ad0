// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "worker.hpp"

#include "messages.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace extsort {

std::uint64_t worker::input_size() { return received_value<std::uint64_t>(0); }

std::size_t worker::next(std::span<std::byte> memory) {
  if (!has_told_room_) send_value(std::uint64_t{memory.size()}, 0);
  has_told_room_ = true;
  const auto size = received_value<std::uint64_t>(0);
  begins_again_ = size == forget;
  if (begins_again_ || size == 0) return 0;
  if (size > memory.size()) throw std::logic_error("a chunk is larger than there is room for");
  receive_bytes(memory.first(size), 0);
  return size;
}

bool worker::begins_again() { return begins_again_; }

void worker::give(std::span<const run> sorted, disk_queue& disk, std::span<std::byte> memory) {
  const std::size_t block = received_value<std::uint64_t>(0);
  result_head head;
  std::vector<sample> samples;
  for (const run& each : sorted) {
    for (const sample& one : each.samples)
      samples.push_back({one.word, head.size + one.offset, head.records + one.before});
    head.size += each.size;
    head.records += each.records;
    head.longest = std::max(head.longest, each.longest);
  }
  head.samples = samples.size();
  send_value(head, 0);
  send_bytes(std::as_bytes(std::span(samples)), 0);

  struct run_block {
    const run* of;
    std::uint64_t begin;
    std::size_t size;
  };
  std::vector<run_block> to_send;
  for (const run& each : sorted) {
    for (std::uint64_t at = 0; at < each.size; at += block)
      to_send.push_back({&each, at, static_cast<std::size_t>(std::min<std::uint64_t>(block, each.size - at))});
  }
  // A block is read while the one before is sent.
  const std::array<std::span<std::byte>, 2> blocks{memory.first(block), memory.subspan(block, block)};
  std::array<transfer, 2> reading;
  const auto begin = [&](std::size_t number) {
    if (number >= to_send.size()) return;
    const run_block& of = to_send[number];
    disk.read(reading[number % 2], *of.of->in, of.of->begin + of.begin, blocks[number % 2].data(), rounded_up(of.size));
  };
  try {
    begin(0);
    for (std::size_t i = 0; i != to_send.size(); ++i) {
      begin(i + 1);
      if (disk.finish(reading[i % 2]) < to_send[i].size)
        throw std::runtime_error("a temporary file has become shorter");
      send_bytes(blocks[i % 2].first(to_send[i].size), 0);
    }
  } catch (...) {
    for (transfer& each : reading) disk.abandon(each);
    throw;
  }
}

}  // namespace extsort
