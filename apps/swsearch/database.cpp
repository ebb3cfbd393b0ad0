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

database::database(const database_layout& layout, std::shared_ptr<const void> memory, share of_batches,
                   share of_sequences, const database_size& whole)
    : layout_(layout), memory_(std::move(memory)), of_sequences_(of_sequences), whole_(whole) {
  std::uint64_t column = 0;
  for (std::size_t first = 0; first < layout.order.size(); first += lanes) {
    if (first / lanes % of_batches.of == of_batches.number)
      batches_.push_back({column, static_cast<std::uint32_t>(first)});
    column += columns_for(layout.lengths[layout.order[first]]);
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

batch_view database::batch(std::size_t number) const {
  const auto inside = members(number);
  batch_view made;
  made.residues = layout_.residues.data() + batches_[number].column * lanes;
  made.columns = columns(number);
  for (std::size_t lane = 0; lane != inside.size(); ++lane) made.lengths[lane] = length(inside[lane]);
  return made;
}

std::span<const std::uint32_t> database::members(std::size_t batch) const {
  const std::size_t first = batches_[batch].first;
  return layout_.order.subspan(first, std::min(lanes, layout_.order.size() - first));
}

std::vector<residue> database::residues_of(std::size_t batch, std::size_t lane) const {
  const residue* const from = layout_.residues.data() + batches_[batch].column * lanes + lane;
  std::vector<residue> made(length(members(batch)[lane]));
  for (std::size_t i = 0; i != made.size(); ++i) made[i] = from[i * lanes];
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
  // A block is filled from behind: nothing but what is left needs to be known.
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

  std::vector<std::uint64_t> begins{0};  // of each batch, in columns
  for (std::size_t first = 0; first < made->order.size(); first += lanes)
    begins.push_back(begins.back() + columns_for(made->lengths[made->order[first]]));
  made->columns = std::make_unique_for_overwrite<column[]>(begins.back());
  weir::parallel_for(std::size_t{0}, begins.size() - 1, [&](std::size_t batch) {
    column* const to = made->columns.get() + begins[batch];
    std::fill_n(reinterpret_cast<residue*>(to), (begins[batch + 1] - begins[batch]) * lanes, padding);
    for (std::size_t lane = 0; lane != lanes && batch * lanes + lane != made->order.size(); ++lane) {
      const std::uint32_t number = made->order[batch * lanes + lane];
      for (std::uint32_t i = 0; i != made->lengths[number]; ++i) to[i].of[lane] = residues_[number][i];
    }
  });
  const database_layout layout{
      .lengths = made->lengths,
      .title_ends = made->title_ends,
      .titles = {made->titles.data(), made->titles.size()},
      .order = made->order,
      .residues = {reinterpret_cast<const residue*>(made->columns.get()), begins.back() * lanes}};
  const share of_sequences = of_sequences_;
  *this = database_builder(of_sequences);
  return database(layout, made, {}, of_sequences, whole);
}

}  // namespace swsearch
