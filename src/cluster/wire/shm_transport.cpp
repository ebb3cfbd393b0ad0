// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Two processes share a region. For each direction it contains a ring of entries, each with a frame
// or a part of one, and blocks. The encoder writes a payload into a block (`new_frame`), and the
// receiver decodes it there: it is not copied on its way. A payload that was written elsewhere is
// copied into blocks, in parts.
//
// **Invariants.** A block belongs to the side that cleared its bit in `free_blocks` until an entry
// names it. Then it belongs to the receiver until the receiver sets its bit again. The first blocks
// are for payloads that are written there; they may wait in a queue, or be kept by the receiver.
// The other blocks are for copies. They are taken while an entry is written, and free again once
// the receiver's I/O thread has seen that entry, so a frame that waits in a queue for one gets it.
// taken <= written <= taken + ring_entries.
//
// **Memory orders.** Storing `written` releases the entry and the contents of its block; the
// receiver's acquire of `written` lets it read both. Storing `taken`, and setting a bit of
// `free_blocks`, release the receiver's reads; the sender's acquire of either lets it write there
// again. A receiver that is about to sleep sets `receiver_sleeps`, and looks again; a sender that
// has stored `written` looks at `receiver_sleeps`. Both have a full fence in between, so at least
// one sees the store of the other. The same holds for `sender_waits`. A side that finds the other
// asleep sends it a byte over the connection that the other waits on.
#include "cluster/wire/shm_transport.hpp"

#include "weir/detail/channel/atomics.hpp"

#include "cluster/wire/shm_region.hpp"
#include "run/yield.hpp"

#include <asio/post.hpp>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::cluster {
namespace {

using namespace shm;

// The receiver keeps no more blocks, and none for a smaller payload; otherwise it copies the
// payload.
constexpr int blocks_kept_most = 32;
constexpr std::size_t kept_least = 2048;
// Number of looks of a receiver before it sleeps.
constexpr int looks = 64;
constexpr int yields = 8;
constexpr int entries_at_once = 64;  // after these, others get their turn on the I/O thread

// Tells the other side to look. Any thread. Has a descriptor of its own, because kept blocks may
// outlive the socket.
class waker {
 public:
  explicit waker(int socket) : socket_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {
    if (socket_ < 0) throw std::system_error(errno, std::generic_category(), "dup");
  }
  waker(const waker&) = delete;
  waker& operator=(const waker&) = delete;
  ~waker() { ::close(socket_); }
  void ring() const noexcept {
    const char byte = 0;
    // If there is no room for the byte, enough of them are under way.
    static_cast<void>(::send(socket_, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT));
  }

 private:
  int socket_;
};

// One direction, for one side. Any thread.
class shared_blocks {
 public:
  shared_blocks(std::shared_ptr<shm_region> region, direction& of, std::shared_ptr<const waker> other)
      : region_(std::move(region)), of_(&of), other_(std::move(other)) {}

  direction& operator*() const noexcept { return *of_; }
  direction* operator->() const noexcept { return of_; }
  std::byte* memory(unsigned index) const noexcept { return of_->block[index]; }

  /// Takes a free block whose bit is in `among`; returns `blocks` if none is free.
  unsigned take(std::uint64_t among) const noexcept {
    std::uint64_t free = of_->free_blocks.load(std::memory_order_relaxed);
    while ((free & among) != 0) {
      const auto first = static_cast<unsigned>(std::countr_zero(free & among));
      if (of_->free_blocks.compare_exchange_weak(free, free & ~(std::uint64_t{1} << first), std::memory_order_acquire,
                                                 std::memory_order_relaxed)) {
        return first;
      }
    }
    return blocks;
  }
  void give_back(unsigned index) const noexcept {
    of_->free_blocks.fetch_or(std::uint64_t{1} << index, std::memory_order_release);
  }

  // Called when the receiver has made room.
  void tell_sender() const noexcept {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (of_->sender_waits.load(std::memory_order_relaxed) != 0 && of_->sender_waits.exchange(0) != 0) other_->ring();
  }
  // Called when the sender has written.
  void tell_receiver() const noexcept {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (of_->receiver_sleeps.load(std::memory_order_relaxed) != 0 && of_->receiver_sleeps.exchange(0) != 0)
      other_->ring();
  }

 private:
  std::shared_ptr<shm_region> region_;
  direction* of_;
  std::shared_ptr<const waker> other_;
};

// The sender's block, until it is written.
struct own_block {
  shared_blocks of;
  unsigned index;
  bool was_sent = false;
  void operator()(std::byte*) const noexcept {
    if (!was_sent) of.give_back(index);
  }
};

// The receiver's block, while it is kept.
struct kept_block {
  shared_blocks of;
  unsigned index;
  std::shared_ptr<std::atomic<int>> kept;
  void operator()(std::byte*) const noexcept {
    kept->fetch_sub(1, std::memory_order_relaxed);
    of.give_back(index);
    of.tell_sender();
  }
};

class shm_transport final : public transport, public std::enable_shared_from_this<shm_transport> {
 public:
  shm_transport(std::shared_ptr<shm_region> region, bool made_here, asio::ip::tcp::socket socket, std::size_t largest)
      : socket_(std::move(socket)),
        waker_(std::make_shared<const waker>(socket_.native_handle())),
        out_(region, region->contents->directions[made_here ? 0 : 1], waker_),
        in_(region, region->contents->directions[made_here ? 1 : 0], waker_),
        largest_(largest),
        written_(out_->written.load(std::memory_order_relaxed)),
        taken_(in_->taken.load(std::memory_order_relaxed)) {
    std::error_code none;
    socket_.set_option(asio::ip::tcp::no_delay(true), none);
    socket_.non_blocking(true, none);
  }

  void begin(std::weak_ptr<user> who) override {
    user_ = std::move(who);
    wait_for_bell();
    take();
  }

  byte_sink new_frame() override {
    const unsigned index = out_.take(~bits_for_copies);
    if (index == blocks) return {};
    std::byte* const memory = out_.memory(index);
    return byte_sink(buffer(std::shared_ptr<std::byte[]>(memory, own_block{out_, index}), memory, block_bytes));
  }

  std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept override {
    for (std::size_t done = 0;;) {
      while (done != frames.size() && put(*frames[done])) ++done;
      out_.tell_receiver();
      if (done == frames.size()) return done;
      waits_.store(true, std::memory_order_relaxed);
      out_->sender_waits.store(1, std::memory_order_release);  // the side that clears it knows that this one waits
      std::atomic_thread_fence(std::memory_order_seq_cst);
      if (!has_room_for(*frames[done])) return done;
      waits_.store(false, std::memory_order_relaxed);
      out_->sender_waits.store(0, std::memory_order_relaxed);
    }
  }

  void end() noexcept override {
    if (std::exchange(over_, true)) return;
    ::shutdown(socket_.native_handle(), SHUT_RDWR);
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      std::error_code none;
      self->socket_.cancel(none);
    });
  }

 private:
  class in_region final : public arrived_frame {
   public:
    in_region(const frame_header& header, std::span<const std::byte> payload, const shm_transport& of, unsigned block)
        : arrived_frame(header, payload), of_(of), block_(block) {}
    buffer keep() override {
      const bool in_place = block_ < blocks - blocks_for_copies && payload().size() >= kept_least &&
                            of_.kept_->load(std::memory_order_relaxed) < blocks_kept_most;
      if (!in_place) return buffer(std::string_view(reinterpret_cast<const char*>(payload().data()), payload().size()));
      of_.kept_->fetch_add(1, std::memory_order_relaxed);
      was_kept = true;
      std::byte* const first = of_.in_.memory(block_);
      return {std::shared_ptr<std::byte[]>(first, kept_block{of_.in_, block_, of_.kept_}), first, payload().size()};
    }
    bool was_kept = false;

   private:
    const shm_transport& of_;
    unsigned block_;
  };

  // ---- sending ----

  bool has_free_entry() noexcept {
    if (written_ - taken_seen_ == ring_entries) taken_seen_ = out_->taken.load(std::memory_order_acquire);
    return written_ - taken_seen_ != ring_entries;
  }

  // Returns the block that contains the whole payload, if there is one.
  own_block* block_of(const outgoing_frame& frame) const noexcept {
    auto* const held = std::get_deleter<own_block>(frame.payload.memory().holder());
    const bool whole = held != nullptr && &*held->of == &*out_ && frame.payload.copied() == frame.payload.size();
    return whole ? held : nullptr;
  }

  bool has_room_for(const outgoing_frame& frame) noexcept {
    if (!has_free_entry()) return false;
    return frame.payload.size() <= within_most || block_of(frame) != nullptr ||
           (out_->free_blocks.load(std::memory_order_relaxed) & bits_for_copies) != 0;
  }

  void publish(const outgoing_frame& frame, std::size_t length, unsigned block) noexcept {
    ring_entry& next = out_->ring[written_ % ring_entries];
    next.header = frame.header;
    next.length = static_cast<std::uint32_t>(length);
    next.block = block;
    out_->written.store(++written_, std::memory_order_release);
  }

  static void copy_part(const byte_sink& from, std::size_t skip, std::byte* to, std::size_t count) noexcept {
    from.for_each_part([&](std::span<const std::byte> part) {
      const std::size_t skipped = std::min(skip, part.size());
      const std::size_t some = std::min(count, part.size() - skipped);
      if (some != 0) std::memcpy(to, part.data() + skipped, some);
      skip -= skipped;
      to += some;
      count -= some;
    });
  }

  // @return whether the frame was written completely
  bool put(outgoing_frame& frame) noexcept {
    const std::size_t size = frame.payload.size();
    if (size <= within_most) {
      if (!has_free_entry()) return false;
      copy_part(frame.payload, 0, out_->ring[written_ % ring_entries].within, size);
      publish(frame, size, blocks);
      return true;
    }
    if (own_block* const here = block_of(frame)) {
      if (!has_free_entry()) return false;
      here->was_sent = true;
      publish(frame, size, here->index);
      return true;
    }
    while (copied_ != size) {
      if (!has_free_entry()) return false;
      const unsigned block = out_.take(bits_for_copies);
      if (block == blocks) return false;
      const std::size_t some = std::min(block_bytes, size - copied_);
      copy_part(frame.payload, copied_, out_.memory(block), some);
      copied_ += some;
      publish(frame, some, block);
    }
    copied_ = 0;
    return true;
  }

  // ---- receiving ----

  void wait_for_bell() {
    socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](std::error_code problem) {
      if (self->over_) return;
      std::array<char, 256> bytes;
      const ssize_t got = ::recv(self->socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        problem = std::error_code(errno, std::system_category());
      }
      if (got > 0 && self->waits_.exchange(false)) {
        if (const auto to = self->user_.lock()) to->has_room();
      }
      const bool gone = got == 0 || problem;
      self->has_gone_ = gone;
      self->take();
      if (self->over_) return;
      if (gone) return self->lose(problem ? problem.message() : "it has closed the connection");
      self->wait_for_bell();
    });
  }

  bool has_arrived() const noexcept { return in_->written.load(std::memory_order_acquire) != taken_; }

  bool has_arrived_after_a_moment() const noexcept {
    for (int look = 0; look != looks + yields; ++look) {
      if (has_arrived()) return true;
      if (look < looks) {
        detail::pause_thread();
      } else if (detail::yield_to_others()) {
        break;
      }
    }
    return has_arrived();
  }

  void take() noexcept {
    const auto to = user_.lock();
    if (to == nullptr || over_) return;
    in_->receiver_sleeps.store(0, std::memory_order_relaxed);
    try {
      for (int i = 0;;) {
        if (has_arrived()) {
          const bool others_turn = !has_gone_ && ++i == entries_at_once;
          if (others_turn) {
            if (std::exchange(goes_on_, true)) break;
            asio::post(socket_.get_executor(), [self = shared_from_this()] {
              self->goes_on_ = false;
              self->take();
            });
            break;
          }
          take_one(*to);
          if (over_) return;
          continue;
        }
        in_.tell_sender();
        if (has_gone_) return;
        if (has_arrived_after_a_moment()) continue;
        in_->receiver_sleeps.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (!has_arrived()) return;
        in_->receiver_sleeps.store(0, std::memory_order_relaxed);
      }
      in_.tell_sender();
    } catch (const std::exception& problem) {
      lose(problem.what(), loss_cause::damaged);
    }
  }

  void take_one(user& to) {
    ring_entry next;  // a copy: the checked values can't change any more
    std::memcpy(&next, &in_->ring[taken_ % ring_entries], sizeof next);
    next.header.has_checksum = false;
    const bool within = next.block == blocks;
    if (next.block > blocks || next.length > (within ? within_most : block_bytes) || !is_frame_type(next.header.type)) {
      throw protocol_error("what arrived is not a frame of weir");
    }
    if (next.header.length > largest_) {
      throw protocol_error("a frame of " + std::to_string(next.header.length) + " bytes arrived; the limit is " +
                           std::to_string(largest_));
    }
    const std::span<const std::byte> part(within ? next.within : in_.memory(next.block), next.length);
    bool was_kept = false;
    if (!assembling_ && next.length == next.header.length) {
      in_region what(next.header, part, *this, next.block);
      to.arrived(what);
      was_kept = what.was_kept;
    } else {
      assemble(to, next.header, part);
    }
    if (!within && !was_kept) in_.give_back(next.block);
    in_->taken.store(++taken_, std::memory_order_release);
    if (!assembling_ || assembled_ != assembling_->length) return;
    const frame_header header = *std::exchange(assembling_, std::nullopt);
    const buffer payload = std::move(assembly_);
    frame_in_buffer what(header, payload);
    to.arrived(what);
  }

  void assemble(user& to, const frame_header& header, std::span<const std::byte> part) {
    if (!assembling_) {
      assembling_ = header;
      assembly_ = buffer(header.length);
      assembled_ = 0;
    }
    if (part.empty() || part.size() > assembling_->length - assembled_) {
      throw protocol_error("the parts of a frame are not that frame");
    }
    std::memcpy(assembly_.writable().data() + assembled_, part.data(), part.size());
    assembled_ += part.size();
    to.is_heard();
  }

  void lose(const std::string& why, loss_cause cause = loss_cause::broken) noexcept {
    if (over_) return;
    end();
    if (const auto to = user_.lock()) to->is_lost(why, cause);
  }

  asio::ip::tcp::socket socket_;
  const std::shared_ptr<const waker> waker_;
  const shared_blocks out_;
  const shared_blocks in_;
  const std::size_t largest_;
  std::atomic<bool> waits_{false};                                                        // the writer waits for room
  const std::shared_ptr<std::atomic<int>> kept_ = std::make_shared<std::atomic<int>>(0);  // kept blocks of the peer

  // Used only by the writer:
  std::uint64_t written_;
  std::uint64_t taken_seen_ = 0;
  std::size_t copied_ = 0;  // bytes of the payload of the first frame

  // I/O thread:
  std::weak_ptr<user> user_;
  std::uint64_t taken_;
  std::optional<frame_header> assembling_;  // header of a frame that arrives in parts
  buffer assembly_;
  std::size_t assembled_ = 0;
  bool goes_on_ = false;   // `take` is about to be called
  bool has_gone_ = false;  // the other side has gone
  bool over_ = false;
};

}  // namespace

std::shared_ptr<transport> shm_memory::use(asio::ip::tcp::socket waker, std::size_t largest) && {
  return std::make_shared<shm_transport>(std::move(region_), made_here_, std::move(waker), largest);
}

}  // namespace weir::cluster
