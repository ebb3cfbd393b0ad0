// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fasta.hpp"
#include "kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace swsearch {

/// Every `of`-th of some things, from number `number` on.
struct share {
  std::size_t number = 0;
  std::size_t of = 1;
};

/// How much is in a database.
struct database_size {
  std::uint64_t sequences = 0;
  std::uint64_t residues = 0;
};

/// Where the parts of a database lie, in memory or in a file that is mapped. Sequences are sorted
/// by length, the longest first, and each batch has those that follow, as `batch_at` says. Their
/// residues are transposed beside each other, as `batch_view` has them, behind those of the batch
/// before. That is the only copy of their residues.
struct database_layout {
  std::span<const std::uint32_t> lengths;     ///< of the sequences, in the order of the database
  std::span<const std::uint64_t> title_ends;  ///< likewise, in `titles`
  std::string_view titles;                    ///< what stands behind `>`
  std::span<const std::uint32_t> order;       ///< their numbers in it, the longest first
  std::span<const residue> residues;          ///< aligned to `lanes`
};

/// So many columns the batch of a sequence has that is its longest.
constexpr std::uint64_t columns_for(std::uint32_t length) {
  return (std::uint64_t{length} + columns_at_once - 1) / columns_at_once * columns_at_once;
}

/// A batch of a layout: `lanes` sequences after the other, fewer at the end. One that is so much
/// longer than those behind it that the batch would be less than half full has a batch of its own,
/// if it has `least_cut` residues: it is cut into `lanes` pieces of equal length, as far as it
/// goes, one for each lane.
struct batch_shape {
  std::uint32_t sequences;
  bool is_cut;
  std::uint64_t columns;
};
inline constexpr std::uint32_t least_cut = 1 << 16;
/// Of the one that begins with the `first` in `order`.
batch_shape batch_at(const database_layout& layout, std::size_t first);

/// The sequences that are searched, ready for the kernels: all of a database, or the share of one
/// group in a cluster. Read by any number of threads at the same time.
class database {
 public:
  /// @param layout of what lies in `memory`
  /// @param of_batches which batches of it are searched here
  /// @param of_sequences which sequences of the whole database `layout` has
  database(const database_layout& layout, std::shared_ptr<const void> memory, share of_batches, share of_sequences,
           const database_size& whole);

  const database_layout& layout() const noexcept { return layout_; }
  /// The whole database's.
  const database_size& whole() const noexcept { return whole_; }

  // Of the sequences in `layout`, by their number there:
  std::size_t size() const noexcept { return layout_.lengths.size(); }
  std::uint32_t length(std::size_t number) const { return layout_.lengths[number]; }
  /// What stands behind `>`, and its first word.
  std::string_view title(std::size_t number) const;
  std::string_view name(std::size_t number) const;
  /// Its number in the whole database.
  std::uint64_t number_in_whole(std::size_t number) const { return of_sequences_.number + number * of_sequences_.of; }

  // What is searched here; longer sequences are in earlier batches.
  std::size_t batches() const noexcept { return batches_.size(); }
  bool is_cut(std::size_t batch) const { return batches_[batch].shape.is_cut; }
  std::uint64_t columns(std::size_t batch) const { return batches_[batch].shape.columns; }
  /// The numbers of the sequences in its lanes; fewer than `lanes` in the last batch, and one if it
  /// is cut.
  std::span<const std::uint32_t> members(std::size_t batch) const;
  batch_view batch(std::size_t number) const;
  /// If it is cut, each piece goes on with so many residues of those behind it.
  /// @param more holds them
  batch_view batch(std::size_t number, std::uint64_t overlap, kernel_memory& more) const;
  /// Of the sequence in one lane, as they follow each other. If the batch is cut, of the whole
  /// sequence, whatever the lane.
  std::vector<residue> residues_of(std::size_t batch, std::size_t lane) const;
  /// Likewise, from that one on, at most so many.
  std::vector<residue> residues_of(std::size_t batch, std::size_t lane, std::uint64_t begin, std::uint64_t most) const;

 private:
  struct place {
    std::uint64_t column;  // of the layout
    std::uint32_t first;   // of the order
    batch_shape shape;
  };

  database_layout layout_;
  std::shared_ptr<const void> memory_;
  share of_sequences_;
  database_size whole_;
  std::vector<place> batches_;
};

/// Makes a database in memory of one sequence after the other. While it does, it takes twice as
/// many bytes as there are residues, and their titles.
class database_builder {
 public:
  /// @param of_sequences which sequences of the whole database come
  explicit database_builder(share of_sequences = {}) : of_sequences_(of_sequences) {}

  /// @throws std::length_error if there are 2^32 of them, or one of that length
  void add(const sequence& next);
  /// What has come so far.
  const database_size& size() const noexcept { return size_; }
  /// On every core. The builder is empty afterwards.
  database finish(database_size whole);

 private:
  struct memory;

  residue* room_for(std::size_t size);

  share of_sequences_;
  database_size size_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint64_t> title_ends_;
  std::vector<char> titles_;
  std::vector<const residue*> residues_;
  std::vector<std::unique_ptr<residue[]>> blocks_;
  std::size_t left_ = 0;  // in the last block
};

}  // namespace swsearch
