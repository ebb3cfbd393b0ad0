// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/ports/host.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// Finds out when a loop ends whose members lie in several groups: each has a `loop` for its own,
/// and tells the arbiter of it. Called under that loop's lock, by any thread; neither blocks nor
/// calls the loop back.
class loop_arbiter {
 public:
  /// Nothing is on its way here: worth to ask all parts.
  virtual void part_is_quiet() noexcept = 0;
  /// The heads of this part have answered.
  virtual void part_has_answered() noexcept = 0;

 protected:
  ~loop_arbiter() = default;
};

/// A loop while it runs: finds out when nothing is on its way in it any more, and closes it then.
///
/// *Members* are the nodes of the loop, *heads* those of them to which its feedback channels lead.
/// The loop is quiet when every channel into a member is empty, those from outside have been
/// closed, and no member has anything left to send. Then each head in it is asked once
/// (`behaviour::quiet`), also those of the loops inside it; if that sent nothing into the loop, it
/// is closed, which ends its feedback channels. A loop inside another one is not closed before that
/// one, and then without asking: whatever its heads had to send, they could send while it would
/// still go round.
///
/// **Who may call what.** What builds it: one thread, before the run. `look`, `asks`, `answer`,
/// `left`: the runner of a member. `closed`, `over_limit`: anybody. `note_completed`, `compare`,
/// `ask`, `close`: the thread of its arbiter, if it has one.
///
/// **Invariant.** An item counts as completed when `process` has returned, so all that it sent is
/// then counted as written, or lies in a spill, which `host::spilling` shows. The loop is quiet if
/// for every channel the completed items, read first, are as many as the written ones, read last:
/// suppose that one item were still on its way. It was sent while another was processed (or by a
/// `start` that had not returned: `host::reactive`). If that one is among those read as completed,
/// then the acquire that read it also shows what it sent: the number of written items would be
/// larger. If not, it was itself still on its way, and so on, back to an item from outside, all of
/// which were read as completed. (Mattern's four counters, for channels.)
///
/// **No missed end.** A member that runs out of input executes a full fence between its last
/// completion and `look`. Of two that do so at the same time, at least one sees the other's
/// completion. A source outside closes its channel and then notifies the member behind it, which
/// looks in its turn. While heads are being asked nobody else decides; whoever reopens the loop
/// looks again after a fence.
///
/// **In several groups.** A channel that is cut counts where its producer is: an item is completed
/// there when its consumer in the other group has completed it. So no item is between the groups
/// that isn't counted, and the same invariant holds of all parts together if the completed items of
/// all are read (`note_completed`) before the written ones of any (`compare`): what a completed
/// item sent was written before its completion was told. A part that has said that it is quiet says
/// nothing more until it is compared; if it is not quiet then, it says so again as soon as it is.
class loop {
 public:
  /// What `compare` finds.
  struct tally {
    bool quiet;          ///< as `note_completed` saw it, and nothing was written since
    bool quiet_now;      ///< worth to begin again
    std::uint64_t sent;  ///< items that were ever written to channels into members, if quiet
  };

  loop(std::string path, std::size_t byte_limit) : path_(std::move(path)), byte_limit_(byte_limit) {}
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  void add_member(host& member) { members_.push_back(&member); }
  void add_head(host& head) { heads_.push_back(&head); }
  /// A head, of this loop or one inside it, to be asked. @return its number
  std::size_t add_asked(host& head);
  /// A channel into a member.
  /// @param from_outside its producer is no member
  /// @param around the loop that it closes, or null
  void add_channel(channel& into, bool from_outside, const loop* around);

  /// The loop has members in other groups.
  void decided_by(loop_arbiter& arbiter) { arbiter_ = &arbiter; }

  void note_completed() noexcept;
  tally compare() noexcept;
  /// Asks the heads of this part.
  void ask() noexcept;
  /// It has ended.
  void close() noexcept;

  /// A member has nothing to do. Executes a full fence.
  void look() noexcept;

  /// Whether the head of this number is being asked now.
  bool asks(std::size_t number) noexcept;
  /// The head was asked, and has sent what it wanted to.
  void answer(std::size_t number) noexcept;
  /// The head has ended, and will not answer any more.
  void left(std::size_t number) noexcept;

  /// Whether nothing can be sent into it any more. Acquire.
  bool closed() const noexcept { return stage_.load(std::memory_order_acquire) == stage::closed; }

  /// Whether what lies in its feedback channels is more than it may hold.
  bool over_limit() const noexcept;

  const std::string& path() const noexcept { return path_; }
  std::size_t byte_limit() const noexcept { return byte_limit_; }

 private:
  using indices = std::vector<channel::index>;
  enum class stage : std::uint32_t {
    open,
    reported,  // this part is quiet, and the arbiter knows it
    asking,
    closed
  };
  struct question {
    host* head;
    bool open = false;
    bool gone = false;
  };

  struct entry {
    channel* from_outside;
    const loop* around;  // its own loop, a larger one, or null
  };

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
  std::vector<host*> members_;
  std::vector<host*> heads_;
  std::vector<entry> entries_;
  std::vector<channel*> into_members_;
  std::vector<channel*> feedback_;
  std::atomic<stage> stage_{stage::open};

  std::mutex mutex_;  // over all below, and changes of stage_
  std::vector<question> questions_;
  indices completed_;        // as one look reads it
  indices completed_noted_;  // as the arbiter had it noted
  std::uint64_t sent_when_asked_ = 0;
};

}  // namespace weir
