// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/frame.hpp"
#include "cluster/wire/read_frames.hpp"
#include "cluster/wire/tls_transport.hpp"

#include <asio/buffer.hpp>
#include <asio/post.hpp>
#include <asio/ssl/error.hpp>
#include <asio/write.hpp>

#include <exception>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::cluster {
namespace {

class over_tls final : public transport, public std::enable_shared_from_this<over_tls> {
 public:
  over_tls(std::unique_ptr<tls_stream> stream, std::size_t largest) : stream_(std::move(stream)), reader_(largest) {}

  void begin(std::weak_ptr<user> who) override {
    user_ = std::move(who);
    read();
  }

  // Only one batch is under way at a time.
  std::size_t write(std::span<const std::shared_ptr<outgoing_frame>> frames) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      if (!batch_.empty()) {
        waits_ = true;
        return 0;
      }
      batch_.assign(frames.begin(), frames.end());
    }
    asio::post(stream_->get_executor(), [self = shared_from_this()] { self->write_batch(); });
    return frames.size();
  }

  void end() noexcept override {
    if (std::exchange(over_, true)) return;
    // The last frames written, such as the reason for the end, are still sent.
    asio::post(stream_->get_executor(), [self = shared_from_this()] {
      if (!self->is_writing_) self->close();
    });
  }

 private:
  void close() {
    std::error_code none;
    stream_->lowest_layer().shutdown(asio::socket_base::shutdown_both, none);
    stream_->lowest_layer().cancel(none);
  }

  void write_batch() {
    is_writing_ = true;
    headers_.clear();
    headers_.reserve(batch_.size());
    std::vector<asio::const_buffer> parts;
    for (const auto& each : batch_) {
      headers_.push_back(encode(each->header));
      parts.emplace_back(headers_.back().data(), headers_.back().size());
      each->payload.for_each_part(
          [&](std::span<const std::byte> part) { parts.emplace_back(part.data(), part.size()); });
    }
    asio::async_write(*stream_, parts, [self = shared_from_this()](std::error_code problem, std::size_t) {
      self->is_writing_ = false;
      if (self->over_) return self->close();
      if (problem) return;  // the reader notices the end
      bool writer_waited = false;
      {
        const std::lock_guard lock(self->mutex_);
        self->batch_.clear();
        writer_waited = std::exchange(self->waits_, false);
      }
      if (!writer_waited) return;
      if (const auto to = self->user_.lock()) to->has_room();
    });
  }

  void read() {
    const std::span<std::byte> room = reader_.room();
    stream_->async_read_some(asio::buffer(room.data(), room.size()),
                             [self = shared_from_this()](std::error_code problem, std::size_t got) {
                               if (!self->over_) self->take(problem, got);
                             });
  }

  void take(std::error_code problem, std::size_t got) {
    const auto to = user_.lock();
    if (to == nullptr) return;
    try {
      reader_.put(got);
      if (got != 0) to->is_heard();
      hand_over_frames(reader_, *to, over_);
      if (over_) return;
      const bool closed = problem == asio::error::eof || problem == asio::ssl::error::stream_truncated;
      if (closed) return lose("it has closed the connection");
      if (problem) return lose(problem.message());
      read();
    } catch (const std::exception& wrong) {
      lose(wrong.what(), loss_cause::damaged);
    }
  }

  void lose(const std::string& why, loss_cause cause = loss_cause::broken) noexcept {
    if (over_) return;
    end();
    if (const auto to = user_.lock()) to->is_lost(why, cause);
  }

  const std::unique_ptr<tls_stream> stream_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<outgoing_frame>> batch_;  // under way; emptied by the I/O thread
  bool waits_ = false;                                  // the writer waits

  // I/O thread:
  std::vector<frame_bytes> headers_;
  std::weak_ptr<user> user_;
  frame_reader reader_;
  bool is_writing_ = false;
  bool over_ = false;
};

}  // namespace

std::shared_ptr<transport> tls_transport(std::unique_ptr<tls_stream> stream, std::size_t largest) {
  return std::make_shared<over_tls>(std::move(stream), largest);
}

}  // namespace weir::cluster
