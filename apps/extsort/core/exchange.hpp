// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk_parts.hpp"
#include "chunk_reader.hpp"
#include "engine.hpp"
#include "exchange_options.hpp"
#include "free_slots.hpp"
#include "peers.hpp"
#include "record_writer.hpp"
#include "run_output.hpp"
#include "runs.hpp"
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

// Their headers would take as long to compile as all the rest.
namespace weir {
class context;
template <class T>
class outlet;
}  // namespace weir

namespace extsort {

class record_finder;
struct piece;

/// Memory that an exchange works with, and more that follows from how much there is.
struct exchange_memory {
  std::vector<std::span<std::byte>> chunks = {};
  std::deque<run_output> writing = {};  ///< as many as there are `writers`
  std::size_t item = 0;                 ///< bytes on their way, in one piece
  std::uint64_t sample_distance = 0;
  std::uint64_t longest = 0;  ///< record that can be merged
};

/// Sorting in groups, a sample sort: each group reads its share of the input in chunks, sorts them,
/// and sends every other one what of them is in that one's range of keys, which becomes runs there.
/// Ranges are chosen by samples and are of about equal size, equal keys by where they come from.
/// What belongs to which group, and in which order, follows from the input alone, so that the sort
/// is stable.
///
/// Calls that exchange are made by all groups, as those of `peers`.
class exchange {
 public:
  /// @param others, format and rules outlive this
  exchange(const peers& others, const sort_groups& groups, const record_format& format, const input_rules& rules,
           bool unique);

  /// Runs that are written at the same time.
  std::size_t writers() const noexcept { return groups() * by_.workers; }
  /// Pieces of `exchange_memory::item` bytes that may exist at once in this process.
  std::size_t items() const noexcept {
    return writers() * (2 * waiting + 1 + waiting) + by_.workers * (2 * waiting + 1);
  }

  /// Bytes that went to other groups.
  std::uint64_t sent() const noexcept { return sent_; }
  /// How often all was exchanged.
  std::size_t exchanges() const noexcept { return exchanges_; }

  /// Shares out the input, and chooses the ranges. @param size of the input, or of this group's own
  /// @return bytes of the whole input @throws std::runtime_error if groups see different files
  std::uint64_t begin(disk_queue& disk, const file& input, std::uint64_t size, std::span<std::byte> memory);

  /// @param begins is called before each exchange: there may be more than one
  /// @param sorted gets each chunk of this group's share once it is sorted; by several threads
  /// @return runs of what is in this group's range, in the order of the input @throws bad_record
  std::vector<run> run_all(exchange_memory& memory, const std::function<void()>& begins,
                           const std::function<void(const chunk&)>& sorted);

 private:
  static constexpr std::uint64_t unknown_place = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t waiting = 2;  // pieces, from one worker to one group

  struct reader;
  struct sorter;
  struct store;
  struct open_run {
    run made = {};
    run_output* by = nullptr;
    record_writer* to = nullptr;
  };

  std::size_t groups() const noexcept { return others_.count(); }
  std::uint64_t share_begin() const { return own_input_ ? 0 : begins_[own_]; }
  std::uint64_t share_end() const { return own_input_ || own_ + 1 == groups() ? size_ : begins_[own_ + 1]; }
  // Places in one file decide which of equal records comes first, whoever reads them.
  std::uint64_t rank() const { return own_input_ ? own_ : 0; }

  // exchange_ranges.cpp
  bool is_before(const splitter& a, const splitter& b) const;
  bool is_before(record_view record, std::uint64_t place, const splitter& by) const;
  splitters samples(record_finder& finder) const;
  splitters chosen_from(std::vector<splitters> each) const;
  bool agree();

  // exchange.cpp
  std::vector<run> run_once(exchange_memory& memory, const std::function<void(const chunk&)>& sorted);
  std::optional<std::size_t> read(const weir::context& at);
  void look_for_next_share();
  void sort_and_send(std::size_t slot, chunk_parter& by, weir::outlet<piece>& out);
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
  disk_queue* disk_ = nullptr;
  const file* input_ = nullptr;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> begins_;  // of the shares of one file
  std::uint64_t for_samples_ = 0;      // bytes, of each group
  std::vector<splitter> ranges_;       // but the first: where they begin
  std::atomic<std::uint64_t> sent_ = 0;
  std::size_t exchanges_ = 0;

  // For a run of the network:
  exchange_memory* memory_ = nullptr;
  const std::function<void(const chunk&)>* sorted_ = nullptr;
  std::optional<chunk_reader> reader_;
  std::optional<free_slots> free_;
  std::vector<chunk> chunks_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, open_run> open_;  // by source and chunk
  std::map<std::pair<std::uint64_t, std::uint64_t>, run> made_;
  std::vector<run_output*> unused_;
  std::uint64_t reached_ = unknown_place;  // the first record that was not read
  std::exception_ptr problem_;
};

}  // namespace extsort
