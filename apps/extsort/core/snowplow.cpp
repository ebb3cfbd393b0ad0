// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// Runs by batched replacement selection (Larson 2003, "External sorting: run formation revisited";
// Knuth's snowplow, TAOCP 3, 5.4.1; S, appendix). Chunks are sorted, each by itself, and kept in
// memory as mini runs, which are merged into the present run. As soon as enough records have been
// written, the next chunk is stored: its records whose keys are not less than the last one written
// take part in the present run, the others wait for the next run. Runs are therefore about twice as
// long as memory if keys are random, and the result is one run if they are sorted.
//
// Batches have two advantages: a tree over mini runs fits into the cache, unlike a heap of all
// records, and records are sorted by words (sort_chunk.hpp) before. Pages of sorted records are
// used up from their beginning, so memory for records of any size does not fragment: see
// mini_run.hpp.
//
// The method is stable. Let a come before b, with equal keys.
// - Both are in one chunk: their equal keys were compared with the same last record, so both are in
//   one mini run, where the chunk's sort, which is stable, has left them in their order.
// - Both are in one run, from different chunks: if a has been written when b is read, a precedes b.
//   Otherwise the tree takes the record of the earlier mini run first.
// - b is never in an earlier run than a. If a had to wait for run r + 1, its key was less than the
//   last key written into run r. This last key only grows, so if b is read while run r is still
//   being written, b has to wait, too.
//
// So of the runs of one snowplow, the one with the lower number goes first. With several snowplows,
// whose chunks are interleaved, the number of the chunk has to decide: see numbered_records.hpp.

#include "snowplow.hpp"

#include "engine.hpp"
#include "loser_tree.hpp"
#include "mini_run.hpp"
#include "numbered_records.hpp"
#include "sort_chunk.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

namespace extsort {
namespace {

template <class Format>
class snowplow_of final : public snowplow {
 public:
  snowplow_of(const Format& format, std::span<std::byte> memory, run_output& to, const snowplow_setup& setup)
      : format_(format),
        setup_(setup),
        number_(setup.first_run),
        sorter_(format),
        pool_(memory.first(memory.size() - page)),  // more bytes than a record has may be read
        to_(&to),
        tree_(format) {}
  snowplow_of(const snowplow_of&) = delete;
  snowplow_of& operator=(const snowplow_of&) = delete;

  std::vector<run> add(const chunk& of) override {
    if (of.number < least_number_) throw std::logic_error("chunks come in another order than they were read");
    least_number_ = of.number + 1;
    sorter_.sort(of.begin, of.known, of.words);
    std::size_t wanted = rounded_up(of.known.bytes + of.known.bytes / 16) / page + 2;
    while (!store(of)) {
      if (pool_.free() == pool_.size()) throw std::logic_error("a chunk has no room in all of the memory");
      put_out(std::max(wanted, pool_.free() + 1));
      wanted = 0;
    }
    return std::exchange(complete_, {});
  }
  std::vector<run> finish() override {
    put_out(pool_.size());
    end_run();
    return std::exchange(complete_, {});
  }

 private:
  using mini = mini_run<Format>;
  using numbered = numbered_records<Format>;

  record_view record(const chunk& of, std::uint64_t word) const noexcept {
    const std::uint64_t offset = sorter_.offset_in(word);
    const std::byte* const at = of.begin + offset;
    return {at, static_cast<std::size_t>(format_.size_of(at, of.known.bytes - offset))};
  }

  // @return false: there is no room
  bool store(const chunk& of) {
    if (pool_.free() * page < of.known.bytes) return false;
    const auto first =
        last_.empty() ? of.words.begin() : std::ranges::partition_point(of.words, [&](std::uint64_t word) {
          return format_.compare(record(of, word), last_) < 0;
        });
    mini later(format_, pool_, of.number), now(format_, pool_, of.number);
    const std::span<const std::uint64_t> before(of.words.begin(), first), behind(first, of.words.end());
    if (!reserve(of, before, later) || !reserve(of, behind, now)) {
      later.release(pool_);
      now.release(pool_);
      return false;
    }
    fill(of, before, later, next_);
    fill(of, behind, now, present_);
    open();
    return true;
  }

  bool reserve(const chunk& of, std::span<const std::uint64_t> words, mini& in) {
    return std::ranges::all_of(words, [&](std::uint64_t word) { return in.reserve(pool_, record(of, word).size()); });
  }

  void fill(const chunk& of, std::span<const std::uint64_t> words, mini& made, std::vector<mini>& to) {
    constexpr std::size_t ahead = 12;  // records that are prefetched into the cache
    if (words.empty()) return;
    for (std::size_t i = 0; i != words.size(); ++i) {
      if (i + ahead < words.size()) __builtin_prefetch(of.begin + sorter_.offset_in(words[i + ahead]));
      const record_view each = record(of, words[i]);
      made.add(each.data(), each.size());
    }
    made.begin();
    to.push_back(std::move(made));
  }

  // Builds the tree over the mini runs of the present run.
  void open() {
    std::erase_if(present_, [](const mini& each) { return each.is_at_end(); });
    std::vector<mini*> cursors;
    cursors.reserve(present_.size());
    for (mini& each : present_) cursors.push_back(&each);
    tree_.open(cursors);
  }

  // Writes records until `pages` pages are free.
  void put_out(std::size_t pages) {
    while (pool_.free() < pages) {
      if (tree_.is_at_end()) {
        end_run();
        if (next_.empty()) return;
        present_ = std::exchange(next_, {});
        open();
        continue;
      }
      mini& first = tree_.first();
      const record_view present(first.at(), static_cast<std::size_t>(first.size()));
      if (!setup_.is_unique || last_.empty() || format_.compare(last_, present) != 0) write(first.number(), present);
      last_ = present;
      if (left_) pool_.give_back(*left_);
      left_ = first.next();
      tree_.replay();
    }
  }

  void write(std::uint64_t number, record_view present) {
    constexpr std::uint64_t a_while = 1 << 21;  // bytes
    if (writer_ == nullptr) {
      writer_ = &to_->begin();
      samples_ = {setup_.sample_distance, number_};
    }
    if (samples_.take(made_.size))
      made_.samples.push_back({format_.word(present.data(), {}), made_.size, made_.records});
    std::uint64_t size = present.size();
    if (setup_.is_numbered) {
      const auto as = static_cast<typename numbered::number>(number);
      std::memcpy(head_.data(), &as, sizeof as);
      writer_->add(head_.data(), sizeof as);
      size += sizeof as;
    }
    writer_->add(present.data(), present.size());
    made_.size += size;
    made_.longest = std::max(made_.longest, size);
    ++made_.records;
    if ((written_ += size) < a_while) return;
    written_ = 0;
    if (setup_.stop.stop_requested()) throw interrupted();
  }

  void end_run() {
    last_ = {};
    if (left_) pool_.give_back(*std::exchange(left_, std::nullopt));
    present_.clear();
    if (writer_ == nullptr) return;
    to_->end(made_);
    writer_ = nullptr;
    complete_.push_back(std::exchange(made_, {}));
    ++number_;
  }

  Format format_;
  snowplow_setup setup_;
  std::uint64_t number_;  // number of the present run
  chunk_sorter<Format> sorter_;
  page_pool pool_;
  run_output* to_;
  record_writer* writer_ = nullptr;   // writer of the present run, once it has a record
  std::vector<mini> present_, next_;  // mini runs of the present and the next run, in the order of chunks
  loser_tree<Format, mini> tree_;     // over `present_`
  record_view last_;                  // the last record written into the present run; stays in memory:
  std::optional<extent> left_;        // extent of `last_`, if it has no other records
  std::array<std::byte, numbered::number_size + record_slack> head_{};  // number in front of a record
  run made_;                                                            // the present run
  std::uint64_t written_ = 0;                                           // bytes since the last check for a stop request
  sample_places samples_;
  std::vector<run> complete_;  // runs that no call has returned yet
  std::uint64_t least_number_ = 0;
};

}  // namespace

std::unique_ptr<snowplow> make_snowplow(const record_format& format, std::span<std::byte> memory, run_output& to,
                                        const snowplow_setup& setup) {
  return std::visit(
      [&]<class Format>(const Format& as) -> std::unique_ptr<snowplow> {
        return std::make_unique<snowplow_of<Format>>(as, memory, to, setup);
      },
      format);
}

}  // namespace extsort
