// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/ports/out_port.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace weir {
namespace {

// Maximum number of items in one grant, and so in one publication. Measured: 256 costs a tenth less
// than 64.
constexpr std::size_t grant_most = 256;
// The same limit if a send takes longer, so that consumers find fewer items at a time.
constexpr std::size_t grant_most_slow = 1024;
// Limits of the balancing policy: the work that a consumer gets at once, and the work that waits
// for it. They keep a consumer's backlog from leaving other consumers idle for long at the end of a
// stream.
constexpr std::uint64_t run_nanoseconds = 10'000;
constexpr std::uint64_t window_nanoseconds = 200'000;
// Window of a consumer before its cost per item is known.
constexpr std::uint64_t window_unknown = 8;
// A sender waits in place once its spill holds at least this many bytes of slots and this many
// items, or items that own this many bytes.
constexpr std::size_t spill_bytes = std::size_t{64} * 1024;
constexpr std::size_t spill_items_least = 64;
// Limit on the memory that the items in a channel own, and the number of items that must fit
// anyway.
constexpr std::uint64_t owned_bytes_most = std::uint64_t{2} * 1024 * 1024;
constexpr std::uint64_t items_that_own_least = 2;

// Size of the slots that are lent to the code of a node if each item goes to several channels.
constexpr std::size_t lent_bytes = 512;

constexpr std::size_t unchosen = std::numeric_limits<std::size_t>::max();

// The cursor of a port whose policy must decide: it never has room.
channel::producer_side no_cursor;

}  // namespace

/// A node of the policy tree, with its state for this producer.
struct out_port::route_node {
  policy rule;
  std::vector<std::unique_ptr<route_node>> children;
  std::size_t next = 0;  // round_robin: the next child; balance, on_demand: the child that was found ready
  // balance, on_demand: the children in the order of preference, near ones before far ones, and the
  // child of each kind to try first.
  std::vector<std::size_t> order;
  std::size_t near = 0;
  std::size_t first_near = 0;
  std::size_t first_far = 0;
  std::size_t chosen = unchosen;  // by_key, custom: the choice for the current item, kept while the item waits
  bool chooses_below = false;     // a rule below this one is by_key or custom

  // Members of a leaf:
  channel* data = nullptr;
  host* consumer = nullptr;
  const loop* around = nullptr;                // the loop that the channel closes
  bool adaptive = false;                       // whether its parent balances by cost
  std::uint64_t window_most = channel::never;  // limit set by the rule of its parent
  std::uint64_t item_bytes = 1;                // recent mean size of an item, including the memory that it owns
  bool by_bytes = false;                       // whether the memory that its items own limits the channel
  bool direct = false;                         // whether items may follow each other here without asking the policy
  bool dirty = false;                          // whether items were written since the last flush

  bool far = false;  // whether all of its consumers are in other groups

  // For a leaf whose channel is addressed: the consumer that the relay behind it must give the item
  // to.
  bool addressed = false;
  tag::word address = tag::outside;

  // Members of the root if relays stand for some of its consumers: each consumer by number, and
  // leaves that hold the address of a consumer behind a relay.
  std::vector<route_node*> consumers;
  std::vector<std::unique_ptr<route_node>> doors;

  bool is_leaf() const noexcept { return data != nullptr; }

  void note_item_bytes(std::uint64_t bytes) noexcept {
    item_bytes = item_bytes == 1 ? bytes : (3 * item_bytes + bytes) / 4;
  }

  // Returns the number of items assigned and not completed. Items left by a consumer that has ended
  // are discarded, so they do not count.
  std::uint64_t outstanding() const noexcept {
    if (is_leaf()) {
      return data->abandoned() ? 0 : data->producer.written.load(std::memory_order_relaxed) - data->completed();
    }
    std::uint64_t sum = 0;
    for (const auto& child : children) sum += child->outstanding();
    return sum;
  }
};

/// Slots that the port lends to the code of its node through the cursor, if each item goes to
/// several channels. The code fills them like slots of a channel and calls `hurry_cursor` after
/// each item, which copies the item to the channels.
///
/// While slots are lent, the same number of slots is granted in each channel, all leaves are marked
/// as written, and nothing is spilled. For this reason no copy has to wait. Code that changes this
/// state first takes the slots back by `reset_cursor`.
struct out_port::lent_slots {
  std::unique_ptr<std::byte[]> memory;
  std::size_t most;                           // number of slots
  std::vector<channel::producer_side*> to{};  // the cursor of each channel
  std::byte* next = nullptr;                  // the first slot that has not been copied
  channel::producer_side cursor;
};

out_port::out_port(const out_port_description& about, host& owner, const std::vector<tag::word>& current) noexcept
    : item_sender(&no_cursor, &owner.sleeping()),
      type_(about.type),
      words_(about.words),
      copies_(about.type->trivially_copyable && about.type->size == sizeof(std::uint64_t)),
      header_(slots_of(*about.type, about.words).header),
      stride_(slots_of(*about.type, about.words).size),
      current_(&current),
      run_(&no_cursor),
      owner_(&owner),
      asleep_(&owner.sleeping()) {}

out_port::~out_port() = default;

namespace {

// Numbers the consumers for `send_to`, if relays stand for some of them.
void number_consumers(out_port::route_node& root, const policy_tree& tree) {
  std::size_t count = 0;
  bool relayed = false;
  for (const policy_tree& child : tree.children) {
    relayed = relayed || !child.stands_for.empty();
    count += std::max<std::size_t>(child.stands_for.size(), 1);
  }
  if (!relayed) return;
  root.consumers.resize(count);
  for (std::size_t child = 0; child != tree.children.size(); ++child) {
    std::uint64_t behind = 0;
    for (const std::size_t number : tree.children[child].stands_for) {
      const out_port::route_node& leaf = *root.children[child];
      auto door = std::make_unique<out_port::route_node>();
      door->data = leaf.data;
      door->consumer = leaf.consumer;
      door->addressed = true;
      door->address = tag::numbered(behind++);
      root.consumers.at(number) = door.get();
      root.doors.push_back(std::move(door));
    }
  }
  auto free = root.consumers.begin();
  for (std::size_t child = 0; child != tree.children.size(); ++child) {
    if (!tree.children[child].stands_for.empty()) continue;
    free = std::find(free, root.consumers.end(), nullptr);
    *free = root.children[child].get();
  }
}

// Returns whether an author's function in the tree chooses the consumer of an item.
bool chooses(const policy_tree& tree) {
  return tree.rule.kind == distribution::by_key || tree.rule.kind == distribution::custom ||
         std::any_of(tree.children.begin(), tree.children.end(), chooses);
}

}  // namespace

void out_port::route(const policy_tree& tree, const std::function<target(channel_id)>& lookup) {
  const auto build = [&](auto& self, const policy_tree& from, bool direct, const policy* parent,
                         std::size_t siblings) -> std::unique_ptr<route_node> {
    auto node = std::make_unique<route_node>();
    if (from.is_leaf()) {
      const target to = lookup(from.leaf);
      node->data = to.data;
      node->consumer = to.consumer;
      node->around = to.around;
      node->far = to.far;
      node->by_bytes = to.chosen && type_->owned != nullptr;
      node->addressed = !from.stands_for.empty();
      node->direct = direct && !node->addressed;
      if (parent != nullptr && parent->kind == distribution::on_demand) {
        node->window_most = parent->depth;
        node->data->set_window(std::min<channel::index>(node->data->window(), parent->depth));
      }
      node->adaptive = parent != nullptr && parent->kind == distribution::balance && siblings > 1;
      leaves_.push_back(node.get());
      return node;
    }
    node->rule = from.rule;
    node->chooses_below = std::any_of(from.children.begin(), from.children.end(), chooses);
    const bool sharing = from.rule.kind == distribution::balance || from.rule.kind == distribution::on_demand;
    for (const policy_tree& child : from.children) {
      const bool only = from.children.size() == 1;
      node->children.push_back(self(self, child, direct && (sharing || only),
                                    only && !child.is_leaf() ? parent : &from.rule,
                                    only ? siblings : from.children.size()));
    }
    node->order.resize(node->children.size());
    std::iota(node->order.begin(), node->order.end(), std::size_t{0});
    const auto far_ones =
        std::ranges::stable_partition(node->order, [&](std::size_t child) { return !node->children[child]->far; });
    node->near = node->first_far = static_cast<std::size_t>(far_ones.begin() - node->order.begin());
    node->far = node->near == 0;
    return node;
  };
  width_ = tree.is_leaf() ? 1 : tree.children.size();
  if (!tree.is_leaf() && tree.children.empty()) return;  // not connected
  root_ = build(build, tree, true, nullptr, 1);
  spill_most_ = std::max(spill_items_least, (spill_bytes - 1) / type_->size + 1);
  if (!owner_->has_core || type_->owns_unknown()) {
    // Waiting costs little here, or is better than unbounded memory. So the spill holds at most
    // twice the capacity of each channel, which may be few items that own much memory.
    for (const route_node* leaf : leaves_) {
      if (leaf->data->capacity() == channel::unbounded) continue;
      spill_most_ = std::min(spill_most_, 2 * std::min(leaf->data->capacity(), spill_most_));
    }
  }
  number_consumers(*root_, tree);
  if (!root_->consumers.empty()) width_ = root_->consumers.size();
  internal_ = leaves_.size() == 1 && leaves_.front()->data->internal();
  if (leaves_.size() == 1 && &leaves_.front()->consumer->state == &owner_->state) {
    asleep_ = &sleepers::nobody();
    sleeping_ = &owner_->called();
  }
  const bool flat = !root_->is_leaf() && std::all_of(root_->children.begin(), root_->children.end(),
                                                     [](auto& child) { return child->is_leaf(); });
  flat_choice_ = flat && (tree.rule.kind == distribution::by_key || tree.rule.kind == distribution::custom);
  flat_broadcast_ = flat && tree.rule.kind == distribution::broadcast && root_->consumers.empty();
  if (flat_broadcast_ && leaves_.size() > 1 && words_ == 0 && type_->trivially_copyable && type_->owned == nullptr &&
      stride_ <= lent_bytes && type_->alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    const std::size_t most = lent_bytes / stride_;
    lent_ = std::make_unique<lent_slots>(std::make_unique<std::byte[]>(most * stride_), most);
    for (const route_node* leaf : leaves_) lent_->to.push_back(&leaf->data->producer);
    dirty_.reserve(leaves_.size());
    sleeping_ = &sleepers::somebody();
  }
}

// ---- sending ----

void out_port::relay(void* to, void (*take)(void* to, void* item)) {
  relay_to_ = to;
  relay_ = take;
  width_ = 1;
  make_spill(1);
  spill_->grant(1);
}

out_port::place out_port::acquire_to_relay() {
  if (owner_->refuses_to_send()) throw stopped{};
  return {spill_->producer.at, nullptr};
}

out_port::place out_port::acquire(const void* item) {
  if (relay_ != nullptr) return acquire_to_relay();
  if (root_ == nullptr) throw stopped{};  // `check` refuses such a graph; a behaviour may still try to send
  if (spill_count_ != 0) return acquire(*root_, item);
  // Does the same as acquire(*root_, item), but without the tree, because it runs for every item
  // under by_key or broadcast.
  if (flat_choice_) {
    route_node* const leaf = choose_flat(item);
    if (leaf == nullptr) return spill(*root_, item);
    return {tagged(leaf->data->producer.at, item), leaf};
  }
  if (flat_broadcast_ && item != nullptr) {
    if (owner_->refuses_to_send()) throw stopped{};
    for (route_node* leaf : leaves_) {
      if (leaf->data->producer.at == leaf->data->producer.limit && !extend(*leaf, item)) return spill(*root_, item);
    }
    if (lent_ != nullptr) {
      lend();
      return {lent_->cursor.at, lent_.get()};
    }
    const bool tell = asleep_->any();
    for (std::size_t i = 0; i + 1 < leaves_.size(); ++i) {
      route_node& leaf = *leaves_[i];
      mark(leaf);
      void* const copy = tagged(leaf.data->producer.at, item);
      if (copies_) {
        std::memcpy(copy, item, sizeof(std::uint64_t));
      } else {
        type_->copy(copy, item);
      }
      leaf.data->producer.commit(stride_);
      if (tell) [[unlikely]]
        hurry(&leaf);
    }
    mark(*leaves_.back());
    return {tagged(leaves_.back()->data->producer.at, item), leaves_.back()};
  }
  return acquire(*root_, item);
}

// Returns the leaf that the author's function chooses, with a slot for the item. Returns null if
// there is no slot now.
out_port::route_node* out_port::choose_flat(const void* item) {
  if (owner_->refuses_to_send()) throw stopped{};
  route_node& leaf = *root_->children[choose(*root_, item)];
  if (leaf.data->producer.at == leaf.data->producer.limit && !extend(leaf, item)) return nullptr;
  root_->chosen = unchosen;
  mark(leaf);
  return &leaf;
}

out_port::place out_port::acquire(const void* item, std::size_t index) {
  if (index >= width_) {
    throw std::out_of_range("send_to(" + std::to_string(index) + "), but there are " + std::to_string(width_) +
                            " consumers");
  }
  if (relay_ != nullptr) return acquire(item);
  if (!root_->consumers.empty()) return acquire(*root_->consumers[index], item);
  return acquire(consumer(index), item);
}

out_port::place out_port::try_acquire(const void* item, std::size_t index) {
  if (owner_->refuses_to_send()) throw stopped{};
  reset_cursor();
  route_node& leaf = consumer(index);
  return ready(leaf, item) ? put(leaf, item) : place{nullptr, nullptr};
}

out_port::place out_port::acquire(route_node& node, const void* item) {
  if (owner_->refuses_to_send()) throw stopped{};
  reset_cursor();
  if (spill_count_ != 0 || !ready(node, item)) return spill(node, item);
  return put(node, item);
}

bool out_port::ready(route_node& node, const void* item) {
  if (node.is_leaf()) return node.data->producer.at != node.data->producer.limit || extend(node, item);
  switch (node.rule.kind) {
    case distribution::balance:
    case distribution::on_demand:
      return one_ready(node, item, 0, node.near, node.first_near) ||
             one_ready(node, item, node.near, node.order.size(), node.first_far);
    case distribution::round_robin: return ready(*node.children[node.next], item);
    case distribution::by_key:
    case distribution::custom: return ready(*node.children[choose(node, item)], item);
    case distribution::broadcast:
      return std::all_of(node.children.begin(), node.children.end(), [&](auto& child) { return ready(*child, item); });
  }
  return false;
}

// Tries the children from `begin` to `end` in their order, starting at `first`. Leaves `first` at
// the child that is ready.
bool out_port::one_ready(route_node& node, const void* item, std::size_t begin, std::size_t end, std::size_t& first) {
  for (std::size_t tried = begin; tried != end; ++tried) {
    if (first >= end) first = begin;
    node.next = node.order[first];
    route_node& child = *node.children[node.next];
    const bool assignable = node.rule.kind == distribution::balance || child.outstanding() < node.rule.depth;
    if (assignable && ready(child, item)) return true;
    ++first;
  }
  return false;
}

// Returns the choice for the current item. The choice is made once, also if the item waits or is
// tried with other children meanwhile. An item whose function throws is not sent and leaves no
// choice behind.
std::size_t out_port::choose(route_node& node, const void* item) {
  if (node.chosen != unchosen) return node.chosen;
  if (item == nullptr) return node.chosen = 0;  // a marker: any consumer passes it on
  const std::size_t width = node.children.size();
  try {
    const std::size_t chosen = node.rule.choose(item, width);
    if (chosen < width) return node.chosen = chosen;
    throw std::out_of_range("the distribution function chose consumer " + std::to_string(chosen) + " of " +
                            std::to_string(width));
  } catch (...) {
    forget(*root_);
    throw;
  }
}

void out_port::mark(route_node& leaf) {
  if (leaf.dirty) return;
  leaf.dirty = true;
  dirty_.push_back(&leaf);
}

// To be called only after ready(node, item) has returned true.
out_port::place out_port::put(route_node& node, const void* item) {
  if (node.is_leaf()) {
    mark(node);
    if (node.direct) {
      run_ = &node.data->producer;
      if (words_ == 0) cursor_ = run_;
      cursor_leaf_ = &node;
    }
    if (!node.addressed) return {tagged(node.data->producer.at, item), &node};
    void* const at = tagged(node.data->producer.at + (node.data->layout().header - header_), item);
    tag::of(at, words_) = node.address;
    return {at, &node};
  }
  switch (node.rule.kind) {
    case distribution::balance:
    case distribution::on_demand: {
      ++(node.children[node.next]->far ? node.first_far : node.first_near);
      const place at = put(*node.children[node.next], item);
      if (node.chooses_below) forget(node);  // forgets choices made below children that were tried in vain
      return at;
    }
    case distribution::round_robin: {
      route_node& child = *node.children[node.next];
      node.next = (node.next + 1) % node.children.size();
      return put(child, item);
    }
    case distribution::by_key:
    case distribution::custom: return put(*node.children[std::exchange(node.chosen, unchosen)], item);
    case distribution::broadcast: break;
  }
  for (std::size_t i = 0; i + 1 < node.children.size(); ++i) {
    const place copy = put(*node.children[i], item);
    type_->copy(copy.slot, item);
    commit(copy);
  }
  return put(*node.children.back(), item);
}

// Moves an item or a marker, with its tag.
void out_port::relocate(void* to, void* from) noexcept {
  for (std::size_t i = 0; i != words_; ++i) tag::of(to, i) = tag::of(from, i);
  if (words_ == 0 || !tag::is_marker(from)) type_->relocate(to, from);
}

std::size_t out_port::try_send_copies(std::size_t index, const std::byte* items, std::size_t count) {
  if (owner_->refuses_to_send()) throw stopped{};
  if (lent_ != nullptr) reset_cursor();
  route_node& leaf = consumer(index);
  channel::producer_side& to = leaf.data->producer;
  std::size_t sent = 0;
  while (sent != count && ready(leaf, items)) {
    const std::size_t some = to.room(stride_, count - sent);
    mark(leaf);
    std::memcpy(to.at, items, some * stride_);
    to.commit(stride_, some);
    items += some * stride_;
    sent += some;
    if (asleep_->any()) [[unlikely]]
      hurry(&leaf);
  }
  return sent;
}

std::size_t out_port::send_copies_in_run(const std::byte* items, std::size_t count) {
  if (!has_run() || lent_ != nullptr) return 0;
  const std::size_t some = run_->room(stride_, count);
  std::memcpy(run_->at, items, some * stride_);
  run_->commit(stride_, some);
  after_cursor_write();
  return some;
}

void out_port::send_relocated(void* from) {
  if (run_->at != run_->limit) [[likely]] {
    type_->relocate(run_->at + header_, from);
    send_in_run();
    return;
  }
  if (flat_choice_ && spill_count_ == 0) {
    send_chosen(from);
    return;
  }
  place to;
  try {
    to = acquire(from);
  } catch (...) {
    if (type_->destroy != nullptr) type_->destroy(from);
    throw;
  }
  type_->relocate(to.slot, from);
  commit(to);
}

// Lends the node the number of slots that are granted in every channel, which is at least one. The
// spill is empty here.
void out_port::lend() noexcept {
  std::size_t room = lent_->most;
  for (route_node* leaf : leaves_) {
    mark(*leaf);
    room = leaf->data->producer.room(stride_, room);
  }
  lent_->cursor.at = lent_->next = lent_->memory.get();
  lent_->cursor.limit = lent_->cursor.at + room * stride_;
  cursor_ = run_ = &lent_->cursor;
}

// Copies the next lent item to all channels.
void out_port::send_lent() noexcept {
  const std::byte* const item = std::exchange(lent_->next, lent_->next + stride_);
  if (copies_) {
    std::uint64_t word;
    std::memcpy(&word, item, sizeof word);
    for (channel::producer_side* to : lent_->to) {
      std::memcpy(to->at, &word, sizeof word);
      to->commit(sizeof word);
    }
  } else {
    for (channel::producer_side* to : lent_->to) {
      std::memcpy(to->at, item, stride_);
      to->commit(stride_);
    }
  }
  if (asleep_->any()) [[unlikely]] {
    for (route_node* leaf : leaves_) hurry(leaf);
  }
}

// Same as send_relocated, but without the tree.
void out_port::send_chosen(void* from) {
  route_node* leaf = nullptr;
  place to;
  try {
    leaf = choose_flat(from);
    to = leaf != nullptr ? place{tagged(leaf->data->producer.at, from), leaf} : spill(*root_, from);
  } catch (...) {
    if (type_->destroy != nullptr) type_->destroy(from);
    throw;
  }
  if (copies_) {
    std::memcpy(to.slot, from, sizeof(std::uint64_t));
  } else {
    type_->relocate(to.slot, from);
  }
  if (leaf == nullptr) return commit(to);
  leaf->data->producer.commit(stride_);
  if (asleep_->any()) [[unlikely]]
    hurry(leaf);
}

void out_port::send_marker() { commit(acquire(nullptr)); }

// Only the runner writes the number of spilling ports. The increase comes before the current item
// is completed, the decrease after the spilled items are written (see `loop`).
void out_port::began_to_spill() noexcept {
  owner_->spilling.store(owner_->spilling.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}
void out_port::ceased_to_spill() noexcept {
  owner_->spilling.store(owner_->spilling.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

void out_port::forget(route_node& node) noexcept {
  node.chosen = unchosen;
  for (auto& child : node.children) forget(*child);
}

namespace {

void refuse_if_closed(const loop& around) {
  if (around.closed()) {
    throw std::logic_error("sends into the loop " + around.path() +
                           " after it has ended; send from process or quiet, not from finish");
  }
}

void refuse_if_full(const loop& around) {
  if (around.over_limit()) {
    throw std::runtime_error("what waits in the loop " + around.path() + " is more than its " +
                             std::to_string(around.byte_limit()) +
                             " bytes; let fewer items come back, or raise loop_options::byte_limit");
  }
}

}  // namespace

// Makes a new grant in a leaf. Also publishes the items in the channel, and notifies the consumer
// if it waits.
bool out_port::extend(route_node& leaf, const void* item) {
  channel& data = *leaf.data;
  if (leaf.around != nullptr) refuse_if_closed(*leaf.around);
  if (data.abandoned()) return false;
  if (leaf.around != nullptr) refuse_if_full(*leaf.around);
  if (data.publish() && leaf.consumer->state.waits_for(cause::input)) {
    native_atomics::fence_full();
    leaf.consumer->notify(cause::input);
  }
  const std::size_t most = words_ == 0 && !flat_broadcast_ ? grant_most : grant_most_slow;
  std::size_t run = most;
  std::uint64_t window = channel::never;
  if (leaf.by_bytes) {
    if (item != nullptr && item != &unseen) leaf.note_item_bytes(type_->size + type_->owned(item));
    window = std::max(owned_bytes_most / leaf.item_bytes, items_that_own_least);
    run = static_cast<std::size_t>(std::min<std::uint64_t>(run, (window + 1) / 2));
  }
  if (leaf.adaptive) {
    const std::uint64_t cost = leaf.consumer->item_cost.load(std::memory_order_relaxed);
    window = std::min(window, cost == 0 ? window_unknown : window_nanoseconds / cost);
    run = cost == 0 ? 1 : static_cast<std::size_t>(std::clamp<std::uint64_t>(run_nanoseconds / cost, 1, run));
  }
  // Not for an unbounded channel: a channel that closes a cycle must accept every item.
  if (window != channel::never && data.capacity() != channel::unbounded) {
    data.set_window(std::clamp<std::uint64_t>(window, 1, std::min<std::uint64_t>(data.capacity(), leaf.window_most)));
  }
  return data.grant(run) != 0;
}

out_port::place out_port::spill(route_node& node, const void* item) {
  if (all_gone(node)) {
    if (spill_count_ == 0) forget(node);  // the choice belonged to this item
    throw stopped{};
  }
  make_spill(channel::unbounded);
  if (spill_->producer.at == spill_->producer.limit) spill_->grant(1);
  spill_to_.push_back({&node, 0});
  return {tagged(spill_->producer.at, item), nullptr};
}

void out_port::make_spill(std::size_t capacity) {
  if (spill_ != nullptr) return;
  spill_ = std::make_unique<channel>(slots_of(*type_, words_), capacity, std::size_t{64});
}

// Returns whether no consumer is left that could ever take an item sent to `node`. A node further
// downstream waits for each tagged item. If one consumer has ended, the items that it was given are
// lost, so the node can't continue.
bool out_port::all_gone(const route_node& node) const noexcept {
  if (words_ != 0) {
    return std::any_of(leaves_.begin(), leaves_.end(), [](const route_node* leaf) { return leaf->data->abandoned(); });
  }
  if (node.is_leaf()) return node.data->abandoned();
  const auto gone = [&](const auto& child) { return all_gone(*child); };
  switch (node.rule.kind) {
    case distribution::by_key:
    case distribution::custom:
      return node.chosen == unchosen ? std::all_of(node.children.begin(), node.children.end(), gone)
                                     : all_gone(*node.children[node.chosen]);
    case distribution::round_robin: return all_gone(*node.children[node.next]);
    case distribution::broadcast: return std::any_of(node.children.begin(), node.children.end(), gone);
    default: return std::all_of(node.children.begin(), node.children.end(), gone);
  }
}

out_port::place out_port::try_acquire(const void* item, bool& closed) {
  closed = false;
  if (relay_ != nullptr) return acquire_to_relay();
  if (root_ == nullptr || owner_->refuses_to_send()) throw stopped{};
  reset_cursor();
  if (spill_count_ == 0 && ready(*root_, item)) return put(*root_, item);
  // If this thread also runs the consumer, no other thread will ever make room.
  if (asleep_ == &sleepers::nobody() && owner_->let_those_behind_run() && drain()) {
    if (owner_->refuses_to_send()) throw stopped{};
    reset_cursor();
    if (ready(*root_, item)) return put(*root_, item);
  }
  closed = all_gone(*root_);
  if (spill_count_ == 0) forget(*root_);  // otherwise the choices belong to the first waiting item
  return {nullptr, nullptr};
}

void out_port::commit(place at) {
  if (relay_ != nullptr) {
    const std::unique_ptr<void, void (*)(void*)> item(
        at.slot, type_->destroy != nullptr ? type_->destroy : [](void*) {});
    relay_(relay_to_, at.slot);
    return;
  }
  if (at.to != nullptr) {
    if (at.to == lent_.get()) {
      lent_->cursor.commit(stride_);
      return send_lent();
    }
    auto& leaf = *static_cast<route_node*>(at.to);
    leaf.data->commit();
    if (asleep_->any()) [[unlikely]]
      hurry(&leaf);
    return;
  }
  spill_owned_ += spill_to_.back().owned = owned_by(at.slot);
  spill_->commit();
  if (spill_count_++ == 0) began_to_spill();
  if (spill_count_ >= spill_most_ || spill_owned_ >= spill_bytes) owner_->wait_in_place();
}

std::size_t out_port::owned_by(const void* item) const noexcept {
  if (type_->owned == nullptr || (words_ != 0 && tag::is_marker(item))) return 0;
  return type_->owned(item);
}

// Called when a thread is asleep that could run the consumer of the item just written. Reading the
// consumer's state needs no fence: if the consumer stops running at this moment, its thread checks
// all items written by running activations before it sleeps (see basic_sleepers).
void out_port::hurry(route_node* leaf) noexcept {
  if (ends_turn_) return;
  if (!leaf->consumer->state.waits_for(cause::input)) {
    if (asleep_->asymmetric()) return;
    native_atomics::fence_full();
    if (!leaf->consumer->state.waits_for(cause::input)) return;
  }
  leaf->data->publish();
  native_atomics::fence_full();
  leaf->consumer->notify(cause::input);
}

void out_port::reset_cursor() noexcept { cursor_ = run_ = &no_cursor; }

// After this `acquire` must decide on the next item of the node's code, and refuses it. A batch
// that has begun keeps its slots.
void out_port::close_cursor() noexcept { cursor_ = &no_cursor; }

// ---- the interface for the code of a node ----

void item_sender::hurry_cursor() noexcept { static_cast<out_port*>(this)->hurry_cursor(); }
item_sender::place item_sender::acquire(const void* item) { return static_cast<out_port*>(this)->acquire(item); }
item_sender::place item_sender::acquire(const void* item, std::size_t index) {
  return static_cast<out_port*>(this)->acquire(item, index);
}
item_sender::place item_sender::try_acquire(const void* item, bool& closed) {
  return static_cast<out_port*>(this)->try_acquire(item, closed);
}
void item_sender::commit(place at) { static_cast<out_port*>(this)->commit(at); }
std::size_t item_sender::width() const noexcept { return static_cast<const out_port*>(this)->width(); }

// ---- the engine ----

bool out_port::drain() {
  if (spill_count_ == 0) return true;
  reset_cursor();
  while (spill_count_ != 0) {
    if (owner_->stopping()) throw stopped{};
    std::byte* const first = spill_->claim_written().first + header_;
    const void* const item = words_ != 0 && tag::is_marker(first) ? nullptr : first;
    route_node& node = *spill_to_.front().to;
    if (!ready(node, item)) {
      if (all_gone(node)) throw stopped{};
      return false;
    }
    const place at = put(node, item);
    spill_owned_ -= spill_to_.front().owned;
    relocate(at.slot, first);
    spill_->complete(1);
    spill_to_.pop_front();
    commit(at);
    if (--spill_count_ == 0) ceased_to_spill();
  }
  reset_cursor();
  return true;
}

bool out_port::ask_for_room() {
  if (spill_count_ == 0) return true;
  route_node& node = *spill_to_.front().to;
  const std::byte* const first = spill_->claim_written().first + header_;
  const void* const item = words_ != 0 && tag::is_marker(first) ? nullptr : first;
  // The room that was asked for may be available already, but checking again may have shrunk a
  // window. So the port asks a second time and then waits: every channel that could take the item
  // was full after the fence, and its consumer will notify.
  try {
    for (int look = 0; look != 2; ++look) {
      take_back_requests();
      bool due = ask(node, item);
      native_atomics::fence_full();  // pairs with the one before offer_room(true)
      due = due || std::any_of(asked_.begin(), asked_.end(),
                               [](const channel* data) { return data->room_is_due() || data->abandoned(); });
      if (!due) return false;
      if (ready(node, item) || all_gone(node)) {
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

// Asks for room in all channels where room would let `item` go on. The item was just tried in vain.
// @return whether `item` can go on already
bool out_port::ask(route_node& node, const void* item) {
  if (node.is_leaf()) {
    if (node.data->abandoned()) return false;  // this consumer will never make room
    node.data->want_room(std::max<channel::index>(1, node.data->producer.window / 2));
    asked_.push_back(node.data);
    return false;
  }
  switch (node.rule.kind) {
    case distribution::by_key:
    case distribution::custom: return ask(*node.children[choose(node, item)], item);
    case distribution::round_robin: return ask(*node.children[node.next], item);
    case distribution::broadcast:
      for (auto& child : node.children) {
        if (!ready(*child, item)) return ask(*child, item);  // it is enough to wait for one full child
      }
      return true;
    default: break;
  }
  bool due = false;
  for (auto& child : node.children) {
    if (node.rule.kind == distribution::on_demand && !child->is_leaf()) {
      // The depth of a nested consumer is that of the rule here, not of one channel. So any
      // completion inside may be the awaited one, also if the inner rule would not send the item
      // there.
      ask_for_completion(*child);
      due = due || child->outstanding() < node.rule.depth;
    } else {
      due = ask(*child, item) || due;
    }
  }
  return due;
}

void out_port::ask_for_completion(route_node& node) {
  if (node.is_leaf()) {
    if (node.data->abandoned()) return;
    node.data->want_completion();
    asked_.push_back(node.data);
  }
  for (auto& child : node.children) ask_for_completion(*child);
}

bool out_port::publish() noexcept {
  for (route_node* leaf : dirty_) leaf->data->publish();
  return !dirty_.empty();
}

void out_port::notify_consumers() noexcept {
  for (route_node* leaf : dirty_) {
    leaf->dirty = false;
    leaf->consumer->notify(cause::input);
  }
  dirty_.clear();
  reset_cursor();
}

void out_port::begin_finish() noexcept {
  reset_cursor();
  for (route_node* leaf : leaves_) {
    if (leaf->around != nullptr) leaf->data->producer.limit = leaf->data->producer.at;
  }
}

void out_port::close() noexcept {
  reset_cursor();
  for (route_node* leaf : leaves_) leaf->data->close();
  native_atomics::fence_full();
  for (route_node* leaf : leaves_) leaf->consumer->notify(cause::input);
}

void out_port::close(std::size_t index) noexcept {
  reset_cursor();
  const route_node& leaf = consumer(index);
  leaf.data->close();
  native_atomics::fence_full();
  leaf.consumer->notify(cause::input);
}

void out_port::discard() noexcept {
  if (root_ != nullptr) forget(*root_);
  if (spill_count_ == 0) return;
  spill_.reset();
  spill_to_.clear();
  spill_count_ = 0;
  spill_owned_ = 0;
  ceased_to_spill();
}

void out_port::offer() noexcept {
  for (route_node* leaf : leaves_) {
    if (leaf->data->has_written() && leaf->consumer->state.waits_for(cause::input)) {
      leaf->consumer->notify(cause::input);
    }
  }
}

std::uint64_t out_port::completed() const noexcept {
  std::uint64_t count = 0;
  for (const route_node* leaf : leaves_) count += leaf->data->completed();
  return count;
}

bool out_port::watch_completion(std::uint64_t seen) noexcept {
  for (route_node* leaf : leaves_) leaf->data->want_completion();
  native_atomics::fence_full();
  return completed() != seen;
}

channel& out_port::channel_to(std::size_t index) const noexcept { return *consumer(index).data; }

out_port::route_node& out_port::consumer(std::size_t index) const noexcept {
  return root_->is_leaf() ? *root_ : *root_->children[index];
}

std::uint64_t out_port::sent() const noexcept {
  std::uint64_t count = 0;
  for (const route_node* leaf : leaves_) count += leaf->data->written();
  return count;
}

}  // namespace weir
