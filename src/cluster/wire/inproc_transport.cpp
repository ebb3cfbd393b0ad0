// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/inproc_transport.hpp"

#include "cluster/wire/random_bytes.hpp"

#include <asio/post.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <string>

namespace weir::cluster {
namespace {

// With this many frames, the writer waits.
constexpr std::size_t frames_most = 256;

class end_of_pipe final : public transport, public std::enable_shared_from_this<end_of_pipe> {
 public:
  explicit end_of_pipe(asio::any_io_executor executor) : executor_(std::move(executor)) {}
  end_of_pipe(const end_of_pipe&) = delete;
  end_of_pipe& operator=(const end_of_pipe&) = delete;
  ~end_of_pipe() override {
    if (const auto other = other_.lock()) other->note_end();
  }
  void connect(const std::shared_ptr<end_of_pipe>& other) { other_ = other; }

  void begin(std::weak_ptr<user> who) override {
    {
      const std::lock_guard lock(mutex_);
      user_ = std::move(who);
      has_begun_ = true;
    }
    take();
  }

  std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept override {
    const auto to = other_.lock();
    return to == nullptr ? 0 : to->put(frames);
  }

  void end() noexcept override {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(over_, true)) return;
      arrived_.clear();
    }
    if (const auto other = other_.lock()) other->note_end();
  }

 private:
  // ---- called by the other end ----

  std::size_t put(std::span<const std::shared_ptr<outgoing_frame>> frames) {
    const std::lock_guard lock(mutex_);
    if (over_) return 0;  // the writer's end is notified
    const std::size_t taken = std::min(frames.size(), frames_most - std::min(frames_most, arrived_.size()));
    arrived_.insert(arrived_.end(), frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(taken));
    writer_waits_ = writer_waits_ || taken != frames.size();
    wake();
    return taken;
  }
  void note_end() {
    const std::lock_guard lock(mutex_);
    other_is_over_ = true;
    wake();
  }
  void note_room() {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    asio::post(executor_, [self = shared_from_this()] {
      if (const auto to = self->told()) to->has_room();
    });
  }

  // ---- its own ----

  // Under the lock. Once this end is over, its executor may have been destroyed.
  void wake() {
    if (over_ || !has_begun_ || std::exchange(is_awake_, true)) return;
    asio::post(executor_, [self = shared_from_this()] { self->take(); });
  }
  std::shared_ptr<user> told() {
    const std::lock_guard lock(mutex_);
    return over_ ? nullptr : user_.lock();
  }

  void take() {
    if (const auto to = told()) {
      std::deque<std::shared_ptr<outgoing_frame>> frames;
      bool writer_waited = false;
      bool lost = false;
      {
        const std::lock_guard lock(mutex_);
        frames.swap(arrived_);
        writer_waited = std::exchange(writer_waits_, false);
        lost = other_is_over_;
        is_awake_ = !frames.empty();
      }
      if (writer_waited) {
        if (const auto other = other_.lock()) other->note_room();
      }
      try {
        for (const auto& each : frames) {
          const buffer payload = std::move(each->payload).joined();
          frame_in_buffer what(each->header, payload);
          to->arrived(what);
          if (told() == nullptr) return;
        }
      } catch (const std::exception& problem) {
        end();
        return to->is_lost(problem.what(), loss_cause::damaged);
      }
      if (!frames.empty()) {  // gives others their turn on this thread
        const std::lock_guard lock(mutex_);
        if (!over_) asio::post(executor_, [self = shared_from_this()] { self->take(); });
      } else if (lost) {
        end();
        to->is_lost("it has closed the connection", loss_cause::broken);
      }
    }
  }

  const asio::any_io_executor executor_;
  std::weak_ptr<end_of_pipe> other_;
  std::mutex mutex_;  // guards the members that follow
  std::weak_ptr<user> user_;
  std::deque<std::shared_ptr<outgoing_frame>> arrived_;
  bool has_begun_ = false;
  bool is_awake_ = false;  // `take` runs, or is about to
  bool writer_waits_ = false;
  bool over_ = false;
  bool other_is_over_ = false;
};

struct waiting_offer {
  asio::any_io_executor executor;
  std::shared_ptr<transport> taken;  // end of the side that offers
};

std::mutex offers_mutex;
std::map<inproc_token, waiting_offer>& offers() {
  static std::map<inproc_token, waiting_offer> all;
  return all;
}

}  // namespace

std::pair<std::shared_ptr<transport>, std::shared_ptr<transport>> inproc_transports(asio::any_io_executor one,
                                                                                    asio::any_io_executor other) {
  auto first = std::make_shared<end_of_pipe>(std::move(one));
  auto second = std::make_shared<end_of_pipe>(std::move(other));
  first->connect(second);
  second->connect(first);
  return {first, second};
}

inproc_offer::inproc_offer(asio::any_io_executor executor) {
  fill_with_random(token_);
  const std::lock_guard lock(offers_mutex);
  offers().emplace(token_, waiting_offer{std::move(executor), nullptr});
}
inproc_offer::~inproc_offer() {
  const std::lock_guard lock(offers_mutex);
  offers().erase(token_);
}
std::shared_ptr<transport> inproc_offer::taken() const {
  const std::lock_guard lock(offers_mutex);
  return offers().at(token_).taken;
}

std::shared_ptr<transport> take_inproc_offer(const inproc_token& token, asio::any_io_executor executor) {
  const std::lock_guard lock(offers_mutex);
  const auto found = offers().find(token);
  if (found == offers().end() || found->second.taken != nullptr) return nullptr;
  auto [theirs, own] = inproc_transports(found->second.executor, std::move(executor));
  found->second.taken = std::move(theirs);
  return own;
}

}  // namespace weir::cluster
