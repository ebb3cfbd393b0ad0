// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/channel/mutex.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

/// Detects the end of a loop whose members lie in several groups. Each group has a `loop` for its
/// part, which reports to the arbiter. The part calls these functions under its lock, from any
/// thread. They must neither block nor call the loop.
class WEIR_API loop_arbiter {
 public:
  /// No items are under way in this part: the arbiter may ask all parts.
  virtual void part_is_quiet() noexcept = 0;
  /// The heads of this part have answered.
  virtual void part_has_answered() noexcept = 0;

 protected:
  ~loop_arbiter() = default;
};

/// A loop while it runs. It detects when no items are under way in the loop any more, and then
/// closes the loop.
///
/// *Members* are the nodes of the loop. *Heads* are the members that its feedback channels lead to.
/// The loop is quiet when every channel into a member is empty, the channels from outside are
/// closed, and no member has anything left to send. Then each head in the loop is asked once
/// (`behaviour::quiet`), including the heads of loops inside it. If that sends nothing into the
/// loop, the loop is closed, which ends its feedback channels. An inner loop is not closed before
/// the outer loop, and is then closed without asking: its heads could send all that they had to
/// send while the outer loop was still running.
///
/// **Callers.** One thread builds the loop before the run. The runner of a member calls `look`,
/// `asks`, `answer` and `left`. Any thread calls `closed` and `over_limit`. The thread of its
/// arbiter, if it has one, calls `note_completed`, `compare`, `ask` and `close`.
///
/// **Invariant.** An item counts as completed when `process` has returned. By then all items that
/// it has caused are counted as written, or lie in a spill, which `host::spilling` shows. The loop
/// is quiet if for every channel the number of completed items, read first, equals the number of
/// written items, read last. Proof: suppose that one item were still under way. It was sent while
/// another item was processed (or by a `start` that had not returned: `host::reactive`). If the
/// other item is among those read as completed, the acquire that read it also shows the items that
/// it sent, and the number of written items would be larger. If not, the other item was itself
/// still under way. The same argument applies to it, and so on, back to an item from outside; all
/// of these were read as completed. (Mattern's four counters, for channels.)
///
/// **No missed end.** A member that runs out of input executes a full fence between its last
/// completion and `look`. If two members do so at the same time, at least one sees the other's
/// completion. A source outside closes its channel and then notifies the member behind it, which
/// calls `look` in turn. While heads are being asked, no other thread decides. The thread that
/// answers last may reopen the loop; it then calls `look` again itself. The arbiter's thread looks
/// again after a fence.
///
/// **In several groups.** A channel that is cut counts in its producer's group: an item is
/// completed there when its consumer in the other group has completed it. No item between the
/// groups is left uncounted. The invariant holds for all parts together if the completed items of
/// all parts are read (`note_completed`) before the written items of any part (`compare`): the
/// items that a completed item sent were written before its completion was reported. A part that
/// has reported that it is quiet reports nothing more until `compare` is called. If it is not quiet
/// then, it reports again as soon as it is.
///
/// @tparam Host a node as the loop sees it: see `host::reactive`, `spilling` and `notify`
template <class Atomics, class Host>
class WEIR_API basic_loop {
 public:
  using channel_type = basic_channel<Atomics>;

  /// Result of `compare`.
  struct tally {
    bool quiet;          ///< as `note_completed` read it, and nothing has been written since
    bool quiet_now;      ///< quiet at this moment: the arbiter may begin again
    std::uint64_t sent;  ///< total number of items written to channels into members, if quiet
  };

  basic_loop(std::string path, std::size_t byte_limit) : path_(std::move(path)), byte_limit_(byte_limit) {}
  basic_loop(const basic_loop&) = delete;
  basic_loop& operator=(const basic_loop&) = delete;

  void add_member(Host& member) { members_.push_back(&member); }
  void add_head(Host& head) { heads_.push_back(&head); }
  /// Adds a head, of this loop or of a loop inside it, that must be asked. @return its number
  std::size_t add_asked(Host& head);
  /// Adds a channel that leads to a member.
  /// @param from_outside whether its producer is not a member
  /// @param around the loop that the channel closes, or null
  void add_channel(channel_type& into, bool from_outside, const basic_loop* around);

  /// Says that the loop has members in other groups, and that `arbiter` decides when it ends.
  void decided_by(loop_arbiter& arbiter) { arbiter_ = &arbiter; }

  void note_completed() noexcept;
  tally compare() noexcept;
  /// Asks the heads of this part.
  void ask() noexcept;
  /// Closes the loop: it has ended.
  void close() noexcept;

  /// To be called when a member has nothing to do. Executes a full fence.
  void look() noexcept;

  /// Returns whether the head with this number is being asked now.
  bool asks(std::size_t number) noexcept;
  /// Says that the head was asked, and has sent all that it wanted to send. The caller then calls
  /// `look` again, when the head has nothing to do.
  void answer(std::size_t number) noexcept;
  /// Says that the head has ended and will not answer any more. The caller then calls `look`.
  void left(std::size_t number) noexcept;

  /// Returns whether nothing can be sent into the loop any more. Relaxed: every consumer has itself
  /// completed all that was sent to it before, so a closed loop has no news for anybody. That holds
  /// for a loop inside, too: its members are members of this one, and its heads were asked for this
  /// one.
  bool closed() const noexcept { return stage_.load(std::memory_order_relaxed) == stage::closed; }

  /// Returns whether the feedback channels hold more bytes than allowed.
  bool over_limit() const noexcept;

  const std::string& path() const noexcept { return path_; }
  std::size_t byte_limit() const noexcept { return byte_limit_; }

 private:
  using index = typename channel_type::index;
  using indices = std::vector<index>;
  template <class T>
  using plain = typename Atomics::template plain<T>;

  static constexpr index gone = channel_type::never;  // the consumer takes no more items: items there are discarded

  enum class stage : std::uint32_t {
    open,
    reported,  // this part is quiet, and the arbiter knows it
    asking,
    closed
  };
  struct question {
    Host* head;
    bool open = false;
    bool gone = false;
  };

  struct channel_from_outside {
    channel_type* channel;
    const basic_loop* around;  // the loop itself, an outer loop, or null
  };

  bool look_once() noexcept;
  bool is_closed_to_the_outside() const noexcept;
  void read_completed(indices& completed) const noexcept;
  std::optional<std::uint64_t> sent_if_quiet_at(const indices& completed) const noexcept;
  std::optional<std::uint64_t> sent_if_quiet() noexcept;
  void be_quiet(std::uint64_t sent) noexcept;
  void ask_heads() noexcept;
  void decide() noexcept;
  void end() noexcept;

  const std::string path_;
  const std::size_t byte_limit_;
  loop_arbiter* arbiter_ = nullptr;
  std::vector<Host*> members_;
  std::vector<Host*> heads_;
  std::vector<channel_from_outside> from_outside_;
  std::vector<channel_type*> into_members_;
  std::vector<channel_type*> feedback_;
  typename Atomics::template atomic<stage> stage_{stage::open};

  plain<indices> completed_noted_;  // as `note_completed` has read it; used by the arbiter's thread only

  typename Atomics::mutex mutex_;  // guards all members below, and changes of stage_ (but see `close`)
  plain<std::vector<question>> questions_;
  plain<indices> completed_;  // as the last check has read it
  plain<std::uint64_t> sent_when_asked_{0};
};

extern template class basic_loop<native_atomics, host>;
using loop = basic_loop<native_atomics, host>;

}  // namespace weir::detail
