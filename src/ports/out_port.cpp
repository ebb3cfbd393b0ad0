// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/ports/out_port.hpp"

#include "ports/route.hpp"
#include "ports/routes/leaf.hpp"
#include "ports/routes/lent_slots.hpp"
#include "ports/spill.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace weir::detail {
namespace {

using detail::leaf;

// A sender waits in place once its spill holds at least this many bytes of slots and this many
// items.
constexpr std::size_t spill_bytes = std::size_t{64} * 1024;
constexpr std::size_t spill_items_least = 64;

// The position of a port whose policy must decide: it never has a slot.
constinit write_position no_slots;

// Not in the function that uses it: a child that is forked during its initialisation would wait for
// ever.
constinit const std::vector<leaf*> no_leaves;

}  // namespace

out_port::out_port(const out_port_description& about, host& owner, const std::vector<tag::word>& current) noexcept
    : item_sender(&no_slots, &owner.sleeping()),
      type_(about.type),
      tag_words_(about.tag_words),
      copier_(*about.type),
      header_(slots_of(*about.type, about.tag_words).header),
      stride_(slots_of(*about.type, about.tag_words).size),
      current_(&current),
      run_(&no_slots),
      owner_(&owner),
      asleep_(&owner.sleeping()) {}

out_port::~out_port() = default;

void out_port::route(const policy_tree& tree, const std::function<target(channel_id)>& lookup) {
  width_ = tree.is_leaf() ? 1 : tree.children.size();
  detail::route_tree made = detail::make_routes(*this, tree, lookup);
  if (made.root == nullptr) return;
  routes_ = std::make_unique<detail::route_tree>(std::move(made));
  width_ = routes_->consumers.size();
  dirty_.reserve(routes_->leaves.size() + routes_->doors.size());
  if (routes_->leaves.size() != 1) return;
  leaf& only = *routes_->leaves.front();
  internal_ = only.data().internal();
  if (&only.consumer().state == &owner_->state) {
    asleep_ = &sleepers::nobody();
    sleeping_ = &owner_->called();
  }
}

// ---- sending ----

void out_port::relay(void* to, void (*take)(void* to, void* item)) {
  relay_to_ = to;
  relay_ = take;
  width_ = 1;
  if (passage_ == nullptr) passage_ = std::make_unique<channel>(slots_of(*type_, tag_words_), std::size_t{1});
  passage_->grant(1);
}

out_port::place out_port::acquire_to_relay() {
  if (owner_->refuses_to_send()) throw stopped{};
  return {passage_->next_item(), nullptr};
}

out_port::place out_port::acquire(const void* item) {
  if (relay_ != nullptr) return acquire_to_relay();
  if (routes_ == nullptr) throw stopped{};  // `check` refuses such a graph; a behaviour may still try to send
  return acquire(*routes_->root, item);
}

out_port::place out_port::acquire(const void* item, std::size_t index) {
  if (index >= width_) {
    throw std::out_of_range("send_to(" + std::to_string(index) + "), but there are " + std::to_string(width_) +
                            " consumers");
  }
  if (relay_ != nullptr) return acquire_to_relay();
  return acquire(*routes_->consumers[index], item);
}

// Lets the routes decide on an item while nothing is spilled. If that throws, the item is not sent,
// and leaves no choice behind.
template <class Decide>
auto out_port::decide(Decide&& by) {
  try {
    return by();
  } catch (...) {
    routes_->root->forget();
    throw;
  }
}

out_port::place out_port::acquire(detail::route& to, const void* item) {
  if (owner_->refuses_to_send()) throw stopped{};
  reset_position();
  if (!spilled()) {
    if (const place at = decide([&] { return to.try_put(item); }); at.slot != nullptr) return at;
  }
  return add_to_spill(to, item);
}

out_port::place out_port::try_acquire(const void* item, std::size_t index) {
  if (owner_->refuses_to_send()) throw stopped{};
  reset_position();
  return consumer(index).try_put(item);
}

out_port::place out_port::try_acquire(const void* item, bool& closed) {
  closed = false;
  if (relay_ != nullptr) return acquire_to_relay();
  if (routes_ == nullptr || owner_->refuses_to_send()) throw stopped{};
  detail::route& root = *routes_->root;
  reset_position();
  const auto put_if_ready = [&] { return root.ready(item) ? root.put(item) : place{nullptr, nullptr}; };
  if (!spilled()) {
    if (const place at = decide(put_if_ready); at.slot != nullptr) return at;
  }
  // If this thread also runs the consumer, no other thread will ever make room.
  if (asleep_ == &sleepers::nobody() && owner_->let_those_behind_run() && drain()) {
    if (owner_->refuses_to_send()) throw stopped{};
    reset_position();
    if (const place at = decide(put_if_ready); at.slot != nullptr) return at;
  }
  closed = gone(root);
  if (!spilled()) root.forget();  // otherwise the choices belong to the first waiting item
  return {nullptr, nullptr};
}

void out_port::commit(place at) {
  if (relay_ != nullptr) {
    const std::unique_ptr<void, void (*)(void*)> item(
        at.slot, type_->destroy != nullptr ? type_->destroy : [](void*) {});
    relay_(relay_to_, at.slot);
    return;
  }
  if (at.to == nullptr) {
    if (spill_->commit()) owner_->wait_in_place();
    return;
  }
  if (at.to != lent_) return static_cast<leaf*>(at.to)->commit();
  write().done();
  lent_->send();
}

void out_port::send_relocated(void* from) {
  if (has_run()) [[likely]] {
    {
      channel::writer slots = write();
      copier_.relocate(tagged(slots.item()), from);
      slots.done();
    }
    after_write();
    return;
  }
  place to;
  try {
    if (routes_ != nullptr && !spilled()) {
      if (owner_->refuses_to_send()) throw stopped{};
      reset_position();
      if (decide([&] { return routes_->root->try_send(from); })) return;
      to = add_to_spill(*routes_->root, from);
    } else {
      to = acquire(from);
    }
  } catch (...) {
    if (type_->destroy != nullptr) type_->destroy(from);
    throw;
  }
  copier_.relocate(to.slot, from);
  commit(to);
}

void out_port::send_punctuation() { commit(acquire(nullptr)); }

std::size_t out_port::try_send_copies(std::size_t index, const std::byte* items, std::size_t count) {
  if (owner_->refuses_to_send()) throw stopped{};
  if (lent_ != nullptr) reset_position();
  leaf& to = consumer(index);
  std::size_t sent = 0;
  while (sent != count && to.ready(items)) {
    const std::size_t some = to.data().position().room(stride_, count - sent);
    to.mark();
    to.data().write().copy(items, some);
    items += some * stride_;
    sent += some;
    if (asleep_->any()) [[unlikely]]
      to.wake_early();
  }
  return sent;
}

std::size_t out_port::send_copies_in_run(const std::byte* items, std::size_t count) {
  if (!has_run() || lent_ != nullptr) return 0;
  const std::size_t some = room_in_run(count);
  write().copy(items, some);
  after_write();
  return some;
}

// `acquire` must decide on the next item of the node's code, and refuses it. A batch that has begun
// keeps its slots.
void out_port::hold_next() noexcept {
  if (owner_->refuses_to_send()) position_ = &no_slots;
}

void out_port::wake_early() noexcept {
  hold_next();
  if (lent_ != nullptr) return lent_->send();
  if (asleep_->any()) position_leaf_->wake_early();
}

// ---- for the routes ----

void out_port::lead_to(leaf& to) noexcept {
  run_ = &to.data().position();
  if (tag_words_ == 0) position_ = run_;
  position_leaf_ = &to;
}

void out_port::lend_through(detail::lent_slots& from) noexcept {
  lent_ = &from;
  sleeping_ = &sleepers::somebody();
}

out_port::place out_port::lent_place() noexcept {
  position_ = run_ = &lent_->position();
  return {next_in_run(), lent_};
}

// Most items that a policy decides on find the position there already. Then it is not written,
// because the code of the node loads it next.
void out_port::reset_position() noexcept {
  if (run_ != &no_slots) position_ = run_ = &no_slots;
}

// ---- the spill ----

bool out_port::spilled() const noexcept { return spill_ != nullptr && !spill_->empty(); }

out_port::place out_port::add_to_spill(detail::route& to, const void* item) {
  if (gone(to)) {
    if (!spilled()) to.forget();  // the choice belonged to this item
    throw stopped{};
  }
  if (spill_ == nullptr) spill_ = std::make_unique<detail::spill>(*type_, tag_words_, *owner_, most_spilled());
  return {tagged(spill_->add(to), item == nullptr), nullptr};
}

std::size_t out_port::most_spilled() const noexcept {
  std::size_t most = std::max(spill_items_least, (spill_bytes - 1) / type_->size + 1);
  if (owner_->has_core && !type_->owns_unknown()) return most;
  // Waiting costs little here, or is better than unbounded memory. So the spill holds at most twice
  // the capacity of each channel, which may be few items that own much memory.
  for (const leaf* each : routes_->leaves) {
    const channel& data = each->data();
    if (data.capacity() == channel::unbounded) continue;
    const auto capacity = static_cast<std::size_t>(std::min<channel::index>(data.capacity(), data.waiting_most()));
    most = std::min(most, 2 * std::min(capacity, most));
  }
  return most;
}

bool out_port::drain() {
  if (!spilled()) return true;
  // The routes move the position; lent slots must not remain there.
  const struct at_the_end {
    out_port& port;
    ~at_the_end() { port.reset_position(); }
  } reset{*this};
  reset_position();
  while (spilled()) {
    if (owner_->stopping()) throw stopped{};
    const void* const item = spill_->first();
    detail::route& to = spill_->first_route();
    if (!to.ready(item)) {
      if (!gone(to)) return false;
      if (!drops_lost_items_) throw stopped{};
      spill_->drop_first();
      continue;
    }
    const place at = to.put(item);
    spill_->move_first(at.slot);
    commit(at);
    spill_->pop();
  }
  take_back_requests();  // else consumers may notify it again and again while it goes on
  return true;
}

bool out_port::ask_for_room() {
  if (!spilled()) return true;
  detail::route& to = spill_->first_route();
  const void* const item = spill_->first();
  // The room that was asked for may be available already, but checking again may have lowered a
  // fill limit. So the port asks a second time and then waits: every channel that could take the
  // item was full after the fence, and its consumer will notify.
  try {
    for (int look = 0; look != 2; ++look) {
      take_back_requests();
      bool due = to.ask(item);
      native_atomics::fence_full();  // pairs with the one before offer_room(true)
      due = due || std::any_of(asked_.begin(), asked_.end(),
                               [](const channel* data) { return data->room_is_due() || data->abandoned(); });
      if (!due) return false;
      if (to.ready(item) || gone(to)) {
        take_back_requests();
        return true;
      }
    }
    return false;
  } catch (...) {  // from the author's function; drain() will meet the exception again, where it can be reported
    take_back_requests();
    return true;
  }
}

void out_port::take_back_requests() noexcept {
  for (channel* data : asked_) data->want_no_room();
  asked_.clear();
}

void out_port::discard() noexcept {
  if (routes_ != nullptr) routes_->root->forget();
  spill_.reset();
}

// A node further downstream waits for each tagged item. If one consumer has ended, the items that
// it was given are lost, so the node can't continue.
bool out_port::gone(const detail::route& to) const noexcept {
  if (tag_words_ == 0) return to.all_gone();
  return std::ranges::any_of(routes_->leaves, [](const leaf* each) { return each->data().abandoned(); });
}

bool out_port::abandoned() const noexcept { return routes_ == nullptr || gone(*routes_->root); }

// ---- the engine ----

bool out_port::publish() noexcept {
  for (leaf* each : dirty_) each->data().publish();
  return !dirty_.empty();
}

void out_port::notify_consumers() noexcept {
  for (leaf* each : dirty_) each->flushed();
  dirty_.clear();
  reset_position();
}

void out_port::begin_finish() noexcept {
  reset_position();
  for (leaf* each : leaves()) {
    if (each->closes_loop()) each->data().position().revoke();
  }
}

void out_port::close() noexcept {
  reset_position();
  for (leaf* each : leaves()) each->data().close();
  native_atomics::fence_full();
  for (leaf* each : leaves()) each->consumer().notify(cause::input);
}

void out_port::close(std::size_t index) noexcept {
  reset_position();
  leaf& to = consumer(index);
  to.data().close();
  native_atomics::fence_full();
  to.consumer().notify(cause::input);
}

void out_port::offer() noexcept {
  for (leaf* each : leaves()) {
    if (each->data().has_written() && each->consumer().state.waits_for(cause::input)) {
      each->consumer().notify(cause::input);
    }
  }
}

std::uint64_t out_port::completed() const noexcept {
  std::uint64_t count = 0;
  for (const leaf* each : leaves()) count += each->data().completed();
  return count;
}

bool out_port::watch_completion(std::uint64_t seen) noexcept {
  for (leaf* each : leaves()) each->data().want_completion();
  native_atomics::fence_full();
  return completed() != seen;
}

std::uint64_t out_port::sent() const noexcept {
  std::uint64_t count = 0;
  for (const leaf* each : leaves()) count += each->data().written();
  return count;
}

channel& out_port::channel_to(std::size_t index) const noexcept { return consumer(index).data(); }

leaf& out_port::consumer(std::size_t index) const noexcept { return *routes_->consumers[index]->as_leaf(); }

const std::vector<leaf*>& out_port::leaves() const noexcept { return routes_ != nullptr ? routes_->leaves : no_leaves; }

// ---- the interface for the code of a node ----

void item_sender::wake_early() noexcept { static_cast<out_port*>(this)->wake_early(); }
item_sender::place item_sender::acquire(const void* item) { return static_cast<out_port*>(this)->acquire(item); }
item_sender::place item_sender::acquire(const void* item, std::size_t index) {
  return static_cast<out_port*>(this)->acquire(item, index);
}
item_sender::place item_sender::try_acquire(const void* item, bool& closed) {
  return static_cast<out_port*>(this)->try_acquire(item, closed);
}
void item_sender::commit(place at) { static_cast<out_port*>(this)->commit(at); }
std::size_t item_sender::width() const noexcept { return static_cast<const out_port*>(this)->width(); }

}  // namespace weir::detail
