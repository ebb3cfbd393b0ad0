// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_means.hpp"

#include "chunk_reader.hpp"
#include "exchange.hpp"
#include "header.hpp"
#include "peers.hpp"
#include "run_output.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace extsort {
namespace {

constexpr std::size_t index_share = 32;  // an index of frames takes at most this fraction of the memory
constexpr std::size_t least_item = std::size_t{4} << 10;

}  // namespace

std::size_t buffer_for(std::size_t memory) noexcept {
  constexpr std::size_t least = 8 * page, most = std::size_t{2} << 20;
  return rounded_down(std::clamp(memory / 16, least, most)) / (2 * page) * (2 * page);
}

std::size_t workers_with_memory(std::size_t asked, std::size_t memory, const std::optional<run_compression>& as) {
  const std::size_t of_each = run_output::memory_for(buffer_for(0), as) + least_chunk;
  // One more chunk is read while the workers process the others.
  return memory < least_chunk ? 0 : std::min(asked, (memory - least_chunk) / of_each);
}

// Chunks of several snowplows are interleaved in the input, so records keep their numbers.
sort_means::sort_means(const sort_setup& asked, run_method runs, engine& engine, sort_progress& told)
    : setup(asked),
      method(runs),
      by(engine),
      progress(told),
      rules(rules_of_input(setup.format)),
      stored{.format = setup.format,
             .are_numbered = method == run_method::snowplow && by.workers() > 1,
             .are_unique = setup.is_unique},
      stored_rules(rules_of_runs(stored.format, stored.are_numbered)),
      input(setup.chunks_from == nullptr ? input_file(setup.input, setup.direct) : input_file()),
      others(setup.groups.member == nullptr ? nullptr : std::make_unique<peers>(setup.groups)),
      together(others ? std::make_unique<exchange>(*others, setup.groups, setup.format, *rules, setup.is_unique)
                      : nullptr),
      space(setup.temporary, together ? together->writers() + by.workers() : by.workers(), setup.direct),
      reading(setup.by_uring) {
  const std::size_t on_the_way = together ? together->items() * item_of_exchange() : 0;
  if (together && on_the_way + together->writers() * buffer_for(0) > setup.memory / 2) {
    const std::size_t needed = 2 * (together->items() * least_item + together->writers() * buffer_for(0));
    throw too_little_memory(fmt::format(
        "{} groups of {} threads need {} bytes of memory each to exchange records with each other, and have "
        "{}: more memory is needed, or fewer threads",
        others->count(), by.workers(), needed, setup.memory));
  }
  for (const std::string& each : setup.inputs_after) inputs_after.emplace_back(each, setup.direct);
  memory.emplace(setup.memory - on_the_way);
  for (std::size_t i = 0; i != by.workers(); ++i) disks.push_back(std::make_unique<disk_queue>(setup.by_uring));
}

sort_means::~sort_means() = default;

std::size_t sort_means::run_workers() const {
  const std::size_t made = workers_with_memory(by.workers(), memory->left(), compression);
  if (made == 0) refuse_memory();
  return made;
}

void sort_means::refuse_memory() const {
  if (!compression)
    throw too_little_memory(fmt::format("{} bytes of memory are too few for records; raise -m", memory->size()));
  throw too_little_memory(fmt::format(
      "{} bytes can't be compressed with the {} bytes of memory that are left for it; more memory is needed, a lower "
      "level of compression, or none",
      summary.bytes, memory->left()));
}

std::uint64_t sort_means::sample_distance() const noexcept {
  // Samples take only a small share of the memory.
  constexpr std::uint64_t usual = std::uint64_t{64} << 10;
  return std::max(usual, summary.bytes * 2 * sizeof(sample) * 32 / setup.memory);
}

std::size_t sort_means::item_of_exchange() const noexcept {
  // About a twelfth of the memory is for records in transit.
  constexpr std::size_t most = std::size_t{256} << 10;
  return std::clamp(setup.memory / 12 / together->items(), least_item, most);
}

bool sort_means::waits() const noexcept {
  const auto is_on_disk = [](const input_file& each) { return !is_in_memory(each.contents().descriptor()); };
  return setup.chunks_from != nullptr || !space.is_in_memory() || is_on_disk(input) ||
         std::ranges::any_of(inputs_after, is_on_disk);
}

void sort_means::spool_inputs() {
  const auto spool = [&](input_file& each) {
    memory->reset();
    if (each.is_stream()) each.spool(space, reading, memory->take(memory->left()), setup.stop);
    summary.bytes += each.size();
  };
  spool(input);
  for (input_file& each : inputs_after) spool(each);
}

std::string sort_means::take_header() {
  if (setup.header_lines == 0) return {};
  const char end = static_cast<char>(rules->end().value());
  std::string header = read_header(input.contents(), input.size(), setup.header_lines, end);
  input.set_begin(header.size());
  if (!header.empty() && header.back() != end) header += end;
  for (input_file& each : inputs_after) {
    std::string own = read_header(each.contents(), each.size(), setup.header_lines, end);
    each.set_begin(own.size());
    if (!own.empty() && own.back() != end) own += end;
    if (header.empty()) header = own;
    if (!own.empty() && own != header)
      throw std::runtime_error(fmt::format("{} has another header than the inputs in front of it",
                                           weir::support::quoted_name(each.contents().name())));
  }
  return header;
}

void sort_means::release_inputs() noexcept {
  input.release();
  for (const input_file& each : inputs_after) each.release();
}

void sort_means::choose_compression() {
  if (setup.compression == 0) return;
  const std::uint64_t most = setup.memory / index_share / sizeof(std::uint32_t);
  compression = {.level = setup.compression,
                 .frame = std::max(least_block, std::bit_ceil(summary.bytes / std::max<std::uint64_t>(1, most)))};
}

void sort_means::share_out_anew() {
  memory->reset();
  if (!compression) return;
  const std::uint64_t index = summary.bytes / compression->frame * sizeof(std::uint32_t);
  memory->take(std::min<std::uint64_t>(2 * index, 2 * memory->size() / index_share));
}

void sort_means::expect_room(std::uint64_t runs, std::uint64_t output_bytes) {
  // The size of compressed runs is not known in advance.
  space.expect_room(compression ? 0 : runs, memory->size() / by.chunks(by.workers(), waits()), output->edges(),
                    output_bytes);
}

void sort_means::count(std::span<const run> all, std::size_t front) {
  summary.records = 0;
  summary.bytes = 0;
  for (const run& each : all) {
    summary.records += each.records;
    summary.bytes += each.size - front * each.records;
    longest = std::max(longest, each.longest);
  }
}

void sort_means::count_disks() {
  const auto add = [&](const disk_queue& each) {
    summary.waited += each.waited();
    summary.bytes_read += each.bytes_read();
    summary.bytes_written += each.bytes_written();
  };
  for (const auto& each : disks) add(*each);
  add(reading);
}

}  // namespace extsort
