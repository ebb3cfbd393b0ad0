// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include <weir/patterns/parallel_for.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace swsearch {

batch_shape batch_at(const database_layout& layout, std::size_t first) {
  const auto members = layout.order.subspan(first, std::min(lanes, layout.order.size() - first));
  const std::uint32_t longest = layout.lengths[members.front()];
  if (longest >= least_cut) {
    std::uint64_t sum = 0;
    for (const std::uint32_t each : members) sum += layout.lengths[each];
    if (sum < lanes / 2 * std::uint64_t{longest})
      return {1, true, columns_for(static_cast<std::uint32_t>((longest + lanes - 1) / lanes))};
  }
  return {static_cast<std::uint32_t>(members.size()), false, columns_for(longest)};
}

database::database(const database_layout& layout, std::shared_ptr<const void> memory, share of_batches,
                   share of_sequences, const database_size& whole)
    : layout_(layout), memory_(std::move(memory)), of_sequences_(of_sequences), whole_(whole) {
  std::uint64_t column = 0;
  std::size_t number = 0;
  for (std::size_t first = 0; first != layout.order.size(); ++number) {
    const batch_shape shape = batch_at(layout, first);
    if (number % of_batches.of == of_batches.number)
      batches_.push_back({column, static_cast<std::uint32_t>(first), shape});
    column += shape.columns;
    first += shape.sequences;
  }
}

std::string_view database::title(std::size_t number) const {
  const std::uint64_t begin = number == 0 ? 0 : layout_.title_ends[number - 1];
  return layout_.titles.substr(begin, layout_.title_ends[number] - begin);
}

std::string_view database::name(std::size_t number) const {
  const std::string_view whole = title(number);
  return whole.substr(0, whole.find(' '));
}

std::span<const std::uint32_t> database::members(std::size_t batch) const {
  return layout_.order.subspan(batches_[batch].first, batches_[batch].shape.sequences);
}

batch_view database::batch(std::size_t number) const {
  kernel_memory none;
  return batch(number, 0, none);
}

batch_view database::batch(std::size_t number, std::uint64_t overlap, kernel_memory& more) const {
  const auto inside = members(number);
  const std::uint64_t columns = this->columns(number);
  batch_view made;
  made.residues = layout_.residues.data() + batches_[number].column * lanes;
  made.columns = columns;
  if (!is_cut(number)) {
    for (std::size_t lane = 0; lane != inside.size(); ++lane) made.lengths[lane] = length(inside[lane]);
    return made;
  }
  const std::uint64_t whole = length(inside.front());
  overlap = std::min(overlap, whole);
  for (std::size_t lane = 0; lane != lanes && lane * columns < whole; ++lane)
    made.lengths[lane] = static_cast<std::uint32_t>(std::min(whole - lane * columns, columns + overlap));
  if (overlap == 0) return made;
  const std::uint64_t more_columns = columns_for(static_cast<std::uint32_t>(overlap));
  auto* to = reinterpret_cast<residue*>(more.bytes(more_columns * lanes));
  made.more_columns = to;
  for (std::uint64_t i = 0; i != more_columns; ++i, to += lanes) {
    // Column `i` behind a piece is a column of a later piece.
    const auto later = static_cast<std::size_t>(std::min<std::uint64_t>(lanes, 1 + i / columns));
    const residue* const from = made.residues + i % columns * lanes;
    std::fill(std::copy(from + later, from + lanes, to), to + lanes, padding);
  }
  return made;
}

std::vector<residue> database::residues_of(std::size_t batch, std::size_t lane) const {
  return residues_of(batch, lane, 0, std::numeric_limits<std::uint64_t>::max());
}

std::vector<residue> database::residues_of(std::size_t batch, std::size_t lane, std::uint64_t begin,
                                           std::uint64_t most) const {
  const residue* const from = layout_.residues.data() + batches_[batch].column * lanes;
  const std::uint64_t whole = length(members(batch)[is_cut(batch) ? 0 : lane]);
  begin = std::min(begin, whole);
  std::vector<residue> made(std::min(most, whole - begin));
  std::uint64_t column = begin;
  if (is_cut(batch)) {
    lane = begin / columns(batch);
    column = begin % columns(batch);
  }
  for (residue& each : made) {
    each = from[column * lanes + lane];
    if (++column != columns(batch)) continue;
    column = 0;
    ++lane;
  }
  return made;
}

namespace {

constexpr std::size_t block_size = std::size_t{16} << 20;

struct alignas(lanes) column {
  residue of[lanes];
};

}  // namespace

struct database_builder::memory {
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint64_t> title_ends;
  std::vector<char> titles;
  std::vector<std::uint32_t> order;
  std::unique_ptr<column[]> columns;
};

residue* database_builder::room_for(std::size_t size) {
  if (size > left_) {
    left_ = std::max(size, block_size);
    blocks_.push_back(std::make_unique_for_overwrite<residue[]>(left_));
  }
  // A block is filled from its end; only the number of free residues needs to be known.
  left_ -= size;
  return blocks_.empty() ? nullptr : blocks_.back().get() + left_;
}

void database_builder::add(const sequence& next) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - columns_at_once;
  if (lengths_.size() == most) throw std::length_error("more than 4294967287 sequences");
  if (next.residues.size() > most) throw std::length_error(next.name + " has more than 4294967287 residues");
  lengths_.push_back(static_cast<std::uint32_t>(next.residues.size()));
  ++size_.sequences;
  size_.residues += next.residues.size();
  titles_.insert(titles_.end(), next.name.begin(), next.name.end());
  if (!next.description.empty()) {
    titles_.push_back(' ');
    titles_.insert(titles_.end(), next.description.begin(), next.description.end());
  }
  title_ends_.push_back(titles_.size());
  residues_.push_back(std::ranges::copy(next.residues, room_for(next.residues.size())).out - next.residues.size());
}

database database_builder::finish(database_size whole) {
  const auto made = std::make_shared<memory>();
  made->lengths = std::move(lengths_);
  made->title_ends = std::move(title_ends_);
  made->titles = std::move(titles_);
  made->order.resize(made->lengths.size());
  std::iota(made->order.begin(), made->order.end(), 0);
  std::ranges::stable_sort(made->order, std::greater{}, [&](std::uint32_t number) { return made->lengths[number]; });

  database_layout layout{.lengths = made->lengths,
                         .title_ends = made->title_ends,
                         .titles = {made->titles.data(), made->titles.size()},
                         .order = made->order,
                         .residues = {}};
  struct batch_to_fill {
    std::uint64_t begin;  // in columns
    std::size_t first;    // index in the order
    batch_shape shape;
  };
  std::vector<batch_to_fill> batches;
  std::uint64_t columns = 0;
  for (std::size_t first = 0; first != made->order.size(); first += batches.back().shape.sequences) {
    batches.push_back({columns, first, batch_at(layout, first)});
    columns += batches.back().shape.columns;
  }
  made->columns = std::make_unique_for_overwrite<column[]>(columns);
  layout.residues = {reinterpret_cast<const residue*>(made->columns.get()), columns * lanes};
  weir::parallel_for(std::size_t{0}, batches.size(), [&](std::size_t batch) {
    const auto& [begin, first, shape] = batches[batch];
    column* const to = made->columns.get() + begin;
    std::fill_n(reinterpret_cast<residue*>(to), shape.columns * lanes, padding);
    for (std::size_t lane = 0; lane != shape.sequences; ++lane) {
      const std::uint32_t number = made->order[first + lane];
      const residue* const from = residues_[number];
      if (shape.is_cut) {
        for (std::uint32_t i = 0; i != made->lengths[number]; ++i)
          to[i % shape.columns].of[i / shape.columns] = from[i];
      } else {
        for (std::uint32_t i = 0; i != made->lengths[number]; ++i) to[i].of[lane] = from[i];
      }
    }
  });
  const share of_sequences = of_sequences_;
  *this = database_builder(of_sequences);
  return database(layout, made, {}, of_sequences, whole);
}

}  // namespace swsearch
