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

/// Every `of`-th element of a list, beginning with number `number`.
struct share {
  std::size_t number = 0;
  std::size_t of = 1;
};

/// Number of sequences and residues in a database.
struct database_size {
  std::uint64_t sequences = 0;
  std::uint64_t residues = 0;
};

/// The parts of a database, in memory or in a mapped file. Sequences are sorted by length, the
/// longest first. Each batch holds the next sequences of this order, as `batch_at` says. The
/// residues of a batch are transposed, as `batch_view` describes, and follow those of the batch
/// before. This is the only copy of the residues.
struct database_layout {
  std::span<const std::uint32_t> lengths;     ///< of the sequences, in the order of the database
  std::span<const std::uint64_t> title_ends;  ///< end of each sequence's title in `titles`
  std::string_view titles;                    ///< the texts behind `>`
  std::span<const std::uint32_t> order;       ///< numbers of the sequences, the longest first
  std::span<const residue> residues;          ///< aligned to `lanes`
};

/// Returns the columns of a batch whose longest sequence has this length.
constexpr std::uint64_t columns_for(std::uint32_t length) {
  return (std::uint64_t{length} + columns_at_once - 1) / columns_at_once * columns_at_once;
}

/// The shape of a batch: the next `lanes` sequences of a layout, or fewer at the end. A sequence of
/// at least `least_cut` residues gets a batch of its own if the batch would otherwise be less than
/// half full. Such a sequence is cut into up to `lanes` pieces of equal length, one for each lane;
/// the last piece may be shorter.
struct batch_shape {
  std::uint32_t sequences;
  bool is_cut;
  std::uint64_t columns;
};
inline constexpr std::uint32_t least_cut = 1 << 16;
/// Returns the shape of the batch that begins with sequence `first` of `order`.
batch_shape batch_at(const database_layout& layout, std::size_t first);

/// The sequences that are searched, ready for the kernels: a whole database, or the share of one
/// group in a cluster. Any number of threads may read it at the same time.
class database {
 public:
  /// @param layout points into `memory`
  /// @param of_batches the batches of the layout that are searched here
  /// @param of_sequences the sequences of the whole database that are in `layout`
  database(const database_layout& layout, std::shared_ptr<const void> memory, share of_batches, share of_sequences,
           const database_size& whole);

  const database_layout& layout() const noexcept { return layout_; }
  /// Returns the size of the whole database.
  const database_size& whole() const noexcept { return whole_; }

  // Functions for the sequences in `layout`, by their number there:
  std::size_t size() const noexcept { return layout_.lengths.size(); }
  std::uint32_t length(std::size_t number) const { return layout_.lengths[number]; }
  /// Returns the text behind `>`; `name` returns its first word.
  std::string_view title(std::size_t number) const;
  std::string_view name(std::size_t number) const;
  /// Returns the sequence's number in the whole database.
  std::uint64_t number_in_whole(std::size_t number) const { return of_sequences_.number + number * of_sequences_.of; }

  // Functions for the batches that are searched here; earlier batches hold longer sequences.
  std::size_t batches() const noexcept { return batches_.size(); }
  bool is_cut(std::size_t batch) const { return batches_[batch].shape.is_cut; }
  std::uint64_t columns(std::size_t batch) const { return batches_[batch].shape.columns; }
  /// Returns the numbers of the sequences in the batch's lanes: fewer than `lanes` in the last
  /// batch, and one if the batch is cut.
  std::span<const std::uint32_t> members(std::size_t batch) const;
  batch_view batch(std::size_t number) const;
  /// Returns a batch. If the batch is cut, each piece is extended by `overlap` residues of the
  /// pieces behind it.
  /// @param more holds the additional residues
  batch_view batch(std::size_t number, std::uint64_t overlap, kernel_memory& more) const;
  /// Returns the residues of the sequence in one lane, in their order. If the batch is cut, returns
  /// those of the whole sequence, whatever the lane.
  std::vector<residue> residues_of(std::size_t batch, std::size_t lane) const;
  /// Does the same for at most `most` residues, starting at `begin`.
  std::vector<residue> residues_of(std::size_t batch, std::size_t lane, std::uint64_t begin, std::uint64_t most) const;

 private:
  struct place {
    std::uint64_t column;  // column of the layout
    std::uint32_t first;   // index in the order
    batch_shape shape;
  };

  database_layout layout_;
  std::shared_ptr<const void> memory_;
  share of_sequences_;
  database_size whole_;
  std::vector<place> batches_;
};

/// Makes a database in memory from sequences that are added one by one. While it works, it needs
/// two bytes for each residue, and the titles.
class database_builder {
 public:
  /// @param of_sequences the sequences of the whole database that will be added
  explicit database_builder(share of_sequences = {}) : of_sequences_(of_sequences) {}

  /// @throws std::length_error if there are more than 2^32 - 9 sequences, or if one is longer than
  /// this
  void add(const sequence& next);
  /// Returns the size of all sequences added so far.
  const database_size& size() const noexcept { return size_; }
  /// Makes the database, on all cores. The builder is empty afterwards.
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
  std::size_t left_ = 0;  // free residues in the last block
};

}  // namespace swsearch
