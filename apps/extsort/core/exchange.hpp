// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk_parts.hpp"
#include "chunk_reader.hpp"
#include "engine.hpp"
#include "peers.hpp"
#include "record_writer.hpp"
#include "run_output.hpp"
#include "runs.hpp"
#include "sort_file.hpp"
#include "splitters.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

// Declared here, since their headers would take as long to compile as all the rest.
namespace weir {
template <class T>
class outlet;
}  // namespace weir

namespace extsort {

class record_finder;
struct piece;

/// Memory that an exchange uses, and sizes that depend on it.
struct exchange_memory {
  std::vector<std::span<std::byte>> chunks = {};
  std::deque<run_output> writing = {};  ///< one for each of the `writers`
  std::uint64_t sample_distance = 0;
  std::uint64_t longest = 0;  ///< longest record that can be merged
};

/// Sorting in groups, a sample sort. Each group reads its share of the input in chunks, sorts each
/// chunk, and sends every group the records in that group's range of keys, which become runs there.
/// Samples determine ranges of about equal size; equal keys are divided by their place in the
/// input. The group of a record, and its order there, depend only on the input, so the sort is
/// stable.
///
/// Functions that exchange must be called by all groups, as those of `peers`.
class exchange {
 public:
  /// @param others, setup and rules outlive this object
  /// @throws too_little_memory
  exchange(const peers& others, const sort_setup& setup, const input_rules& rules);

  /// Returns the number of runs that are written at the same time.
  std::size_t writers() const noexcept { return groups() * by_.workers; }
  /// Returns the most bytes of records that are in transit at once in this process. They are taken
  /// from the memory of the setup.
  std::size_t in_transit() const noexcept { return pieces() * piece_size_; }

  /// Returns the bytes sent to other groups.
  std::uint64_t sent() const noexcept { return sent_; }
  /// Returns the number of exchanges of the whole input.
  std::size_t exchanges() const noexcept { return exchanges_; }

  /// Divides the input into shares, and chooses the ranges. @param size of the input, or of this
  /// group's own
  /// @return bytes of the whole input @throws std::runtime_error if groups see different files
  std::uint64_t begin(disk_queue& disk, const file& input, std::uint64_t size, std::span<std::byte> memory);

  /// Exchanges all records.
  /// @param begins is called before each exchange: there may be more than one
  /// @param sorted gets each chunk of this group's share once it is sorted; from several threads
  /// @return runs of this group's range, in the order of the input @throws bad_record
  std::vector<run> run_all(exchange_memory& memory, const std::function<void()>& begins,
                           const std::function<void(const chunk&)>& sorted);

 private:
  static constexpr std::uint64_t unknown_place = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t waiting = 2;  // capacity in pieces, from one worker to one group

  struct reader;
  struct sorter;
  struct store;
  struct open_run {
    run made = {};
    run_output* by = nullptr;
    record_writer* to = nullptr;
  };

  std::size_t groups() const noexcept { return others_.count(); }
  // Returns the most pieces that exist at once in this process.
  std::size_t pieces() const noexcept {
    return writers() * (2 * waiting + 1 + waiting) + by_.workers * (2 * waiting + 1);
  }
  std::uint64_t share_begin() const { return own_input_ ? 0 : begins_[own_]; }
  std::uint64_t share_end() const { return own_input_ || own_ + 1 == groups() ? size_ : begins_[own_ + 1]; }
  // With one input file the place decides the order of equal records, whichever group reads them.
  std::uint64_t rank() const { return own_input_ ? own_ : 0; }

  // exchange_ranges.cpp
  bool is_before(const splitter& a, const splitter& b) const;
  bool is_before(record_view record, std::uint64_t place, const splitter& by) const;
  splitters samples(record_finder& finder) const;
  splitters chosen_from(std::vector<splitters> each) const;
  bool agree();

  // exchange.cpp
  std::vector<run> run_once(exchange_memory& memory, const std::function<void(const chunk&)>& sorted);
  std::optional<chunk> read(std::span<std::byte> free);
  void look_for_next_share();
  void sort_and_send(const chunk& of, chunk_parter& by, weir::outlet<piece>& out);
  std::vector<chunk_part> parts_of(const chunk& of, const chunk_parter& by) const;
  piece taken(const chunk& of, const chunk_parter& by, chunk_part& from) const;
  void write(const piece& some);

  const peers& others_;
  std::size_t own_;
  weir::group_member* member_;
  bool own_input_;
  const record_format& format_;
  const input_rules& rules_;
  engine_options by_;
  bool is_unique_;
  std::size_t piece_size_;  // bytes
  disk_queue* disk_ = nullptr;
  const file* input_ = nullptr;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> begins_;  // beginnings of the shares of one file
  std::uint64_t for_samples_ = 0;      // bytes, of each group
  std::vector<splitter> ranges_;       // beginnings of all ranges but the first
  std::atomic<std::uint64_t> sent_ = 0;
  std::size_t exchanges_ = 0;

  // State of a run of the network:
  exchange_memory* memory_ = nullptr;
  const std::function<void(const chunk&)>* sorted_ = nullptr;
  std::optional<chunk_reader> reader_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, open_run> open_;  // key: source and chunk
  std::map<std::pair<std::uint64_t, std::uint64_t>, run> made_;
  std::vector<run_output*> unused_;
  std::uint64_t reached_ = unknown_place;  // place of the first record that was not read
  std::exception_ptr problem_;
};

}  // namespace extsort
