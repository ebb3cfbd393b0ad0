// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/item/bytes.hpp"

#include "node_behaviour.hpp"
#include "pauses.hpp"
#include "task.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

// The part of node_behaviour that sends.

namespace ff::detail {

using weir::detail::channel;
using weir::detail::out_port;

// Returns the word for a consumer that rests, in place of one that ends it.
void* node_behaviour::word_for(void* what, std::size_t consumer) const noexcept {
  if (number_of(what) != go_out && number_of(what) != eosw) return what;
  const rest* const of = consumer < about_.consumers.size() ? about_.consumers[consumer].resting.get() : nullptr;
  if (of == nullptr || !of->freezes.load(std::memory_order_relaxed)) return what;
  return reinterpret_cast<void*>(number_of(what) == go_out ? rest_word : rest_word_to_all);
}

// Only after the word was sent.
void node_behaviour::count_word(const void* what, std::size_t consumer) noexcept {
  if (number_of(what) == rest_word || number_of(what) == rest_word_to_all)
    about_.consumers[consumer].resting->words.fetch_add(1, std::memory_order_relaxed);
}

bool node_behaviour::send(void* what, int id, unsigned long attempts) {
  interrupt();
  const bool is_sent = try_send(what, id, attempts);
  if (calls_back && is_sent && about_.node != nullptr && is_task(what)) about_.node->callbackOut(farm());
  return is_sent;
}

bool node_behaviour::try_send(void* what, int id, unsigned long attempts) {
  if (what == nullptr) throw std::invalid_argument(sends_null);
  if (outputs == 0 || asks_for_waits(what) || number_of(what) == flush) return true;
  if (id >= 0) {
    if (static_cast<std::size_t>(id) >= outputs) {
      throw std::out_of_range("sends to consumer " + std::to_string(id) + ", but has " + std::to_string(outputs));
    }
    if (attempts != for_ever && about_.skips_full) return try_put(what, static_cast<std::size_t>(id));
    put(what, static_cast<std::size_t>(id));
    return true;
  }
  if (!is_task(what)) {  // words are not left to weir's choice
    const std::size_t to = outputs == 1 ? 0 : next_consumer();
    if (attempts != for_ever && about_.skips_full) return try_put(what, to);
    put(what, to);
    return true;
  }
  if (outputs == 1 || (about_.demand != 0 && about_.is_on_demand && attempts == for_ever && !has_victim())) {
    if (attempts != for_ever && about_.skips_full) return try_put(what, 0);
    put_to_only(what);
    return true;
  }
  if (!about_.skips_full || about_.chooses) {
    put(what, next_consumer());
    return true;
  }
  const std::size_t first = next_;
  const std::size_t width = about_.feedback_out != 0 ? about_.feedback_out : outputs;
  for (std::size_t i = 0; i != width; ++i) {
    const std::size_t to = next_consumer();
    if (try_put(what, to)) return true;
  }
  if (attempts != for_ever) return false;
  if (about_.demand != 0) {
    put_to_only(what);  // waits for whichever consumer has room first
    return true;
  }
  next_ = first;
  put(what, next_consumer());
  return true;
}

std::size_t node_behaviour::next_consumer() {
  if (about_.chooses || has_victim()) {
    const std::size_t chosen = lowering::choose(*about_.lb);
    if (chosen >= outputs)
      throw std::out_of_range("the load balancer chose worker " + std::to_string(chosen) + " of " +
                              std::to_string(outputs));
    return chosen;
  }
  const std::size_t width = about_.feedback_out != 0 ? about_.feedback_out : outputs;
  const std::size_t now = next_;
  next_ = now + 1 < width ? now + 1 : 0;
  return now;
}

// A consumer that has ended takes nothing, and what it should get is dropped.
template <class Send>
void drop_if_lost(const weir::detail::ports& at, Send&& send) {
  try {
    send();
  } catch (const weir::stopped&) {
    if (at.stopping()) throw;
  }
}

void node_behaviour::put_to_only(void* what) {
  if (outputs == 0) return;
  out_port& port = *out_;
  if (port.has_room()) [[likely]] {
    channel::writer slots = port.write();
    put_task(slots.item(), what);
    slots.done();
  } else {
    drop_if_lost(*at_, [&] {
      const task item{what};
      const out_port::place to = port.acquire(&item);
      put_task(to.slot, what);
      port.commit(to);
    });
    return;
  }
  port.after_write();
}

void node_behaviour::put(void* what, std::size_t consumer) {
  if (!is_task(what)) what = word_for(what, consumer);
  drop_if_lost(*at_, [&] {
    const task item{what};
    out_port& port = *out_;
    const out_port::place to = port.acquire(&item, consumer);
    put_task(to.slot, what);
    port.commit(to);
    count_word(what, consumer);
    tell_order(what, consumer);
  });
}

// Only after the task was sent: the collector waits for the results of the consumer it is told.
void node_behaviour::tell_order(const void* what, std::size_t consumer) {
  if (!about_.tells_order || (!is_task(what) && number_of(what) != rest_word_to_all)) return;
  out_port& order = at_->out(order_port);
  const out_port::place to = order.acquire(&consumer);
  std::memcpy(to.slot, &consumer, sizeof consumer);
  order.commit(to);
}

bool node_behaviour::try_put(void* what, std::size_t consumer) {
  out_port& port = *out_;
  // A task must not overtake what waits for the same consumer.
  if (port.spilled() && !port.drain()) return false;
  if (!is_task(what)) what = word_for(what, consumer);
  const task item{what};
  const out_port::place to = port.try_acquire(&item, consumer);
  if (to.slot == nullptr) return port.channel_to(consumer).abandoned();  // what it should get is dropped
  put_task(to.slot, what);
  port.commit(to);
  count_word(what, consumer);
  tell_order(what, consumer);
  return true;
}

void node_behaviour::broadcast(void* what) {
  interrupt();
  const std::size_t width = about_.feedback_out != 0 && !is_end(what) ? about_.feedback_out : outputs;
  if (what == nullptr) throw std::invalid_argument(sends_null);
  if (asks_for_waits(what)) return;
  const bool leaves = std::any_of(about_.consumers.begin(), about_.consumers.end(),
                                  [](const consumer& each) { return each.is_elsewhere; });
  if (is_task(what) && leaves) return broadcast_copies(what, width);
  for (std::size_t i = 0; i != width; ++i) put(what, i);
}

// A task is freed when it has gone to another process. So each consumer elsewhere gets a copy, and
// those in this process share another copy. Tasks that go to other processes have a codec.
void node_behaviour::broadcast_copies(void* what, std::size_t width) {
  const weir::item_codec* const codec = at_->out(tasks_port).type().codec();
  weir::byte_sink sink;
  const task item{what};
  codec->encode(&item, sink);
  const weir::buffer bytes = std::move(sink).joined();
  const auto copy = [&] {
    weir::byte_source in(bytes);
    void* made = nullptr;
    codec->decode(&made, in);
    return task_in(&made);
  };
  void* shared = nullptr;
  for (std::size_t i = 0; i != width; ++i) {
    if (out_->channel_to(i).abandoned()) continue;
    const bool is_elsewhere = about_.consumers[i].is_elsewhere;
    if (!is_elsewhere && shared == nullptr) shared = copy();
    put(is_elsewhere ? copy() : shared, i);
  }
}

void node_behaviour::propagate_end() {
  interrupt();
  for (std::size_t i = 0; i != outputs; ++i) put(FF_EOS, i);
}

int node_behaviour::next_free(bool wait) {
  interrupt();
  if (outputs == 0) return -1;
  out_port& port = *out_;
  const std::size_t width = about_.feedback_out != 0 ? about_.feedback_out : outputs;
  for (pauses pause;; pause.wait(*at_)) {
    for (std::size_t i = 0; i != width && (!port.spilled() || port.drain()); ++i) {
      const std::size_t to = next_consumer();
      weir::detail::channel& data = port.channel_to(to);
      if (data.has_room() || data.abandoned()) return static_cast<int>(to);
    }
    if (!wait) return -1;
  }
}

}  // namespace ff::detail
