// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "lowering.hpp"
#include "task.hpp"

#include <ff/detail/comb.hpp>

#include <stdexcept>
#include <utility>

namespace ff {

/// The place of the first node: what it sends goes to the last one at once.
class ff_comb::between final : public detail::place {
 public:
  explicit between(ff_comb& whole) : whole_(whole) {}

  bool send(void* task, int, unsigned long) override {
    if (task == nullptr) throw std::invalid_argument(detail::sends_null);
    pass(task);
    return true;
  }
  void broadcast(void* task) override { send(task, -1, 0); }
  bool all_gather(void* task, void** from) override { return whole_.place_->all_gather(task, from); }
  int next_free(bool) override { return 0; }
  void propagate_end() override { end(); }
  void set_input_active(bool active) override { whole_.place_->set_input_active(active); }
  void add_consumers(svector<ff_node*>& to, bool by_feedback) const override {
    if (!by_feedback) to.push_back(whole_.last_);
  }
  detail::rest& rest_of(std::size_t) override {
    throw std::logic_error("the first part of a combination can't freeze the last one, with which it shares a thread");
  }
  void wait_for(const detail::rest& of) override { whole_.place_->wait_for(of); }

  void begin() {
    has_ended_ = was_called_ = false;
    ended_inputs_ = 0;
    outputs = 1;
  }

  // Makes the first node see the task that the whole has got.
  void look() {
    input = whole_.place_->input;
    from_input = whole_.place_->from_input;
    inputs = whole_.place_->inputs;
    told_inputs = whole_.place_->told_inputs;
  }

  void pass(void* task) {
    if (detail::is_nothing(task)) return;
    if (detail::number_of(task) == detail::go_out) return end();
    if (!detail::is_end(task)) return call_last(task);
    end();
    whole_.place_->propagate_end();
  }

  void call_last(void* task) {
    void* const result = whole_.last_->svc(task);
    if (detail::is_task(result)) {
      whole_.place_->send(result, -1, static_cast<unsigned long>(-1));
    } else if (result == nullptr || detail::is_end(result)) {
      whole_.place_->propagate_end();
    }
  }

  // Says once to the last node that nothing more will come.
  void end() {
    if (std::exchange(has_ended_, true)) return;
    whole_.last_->eosnotify(-1);
  }

  bool is_first_call() { return !std::exchange(was_called_, true); }
  bool was_last_input() { return ++ended_inputs_ >= told_inputs; }

 private:
  ff_comb& whole_;
  bool has_ended_ = false;
  bool was_called_ = false;
  std::size_t ended_inputs_ = 0;
};

ff_comb::ff_comb(ff_node* first, ff_node* last, bool cleanup_first, bool cleanup_last)
    : first_(first),
      last_(last),
      owns_first_(cleanup_first),
      owns_last_(cleanup_last),
      between_(std::make_unique<between>(*this)) {}

ff_comb::ff_comb(const ff_comb& other)
    : ff_minode(other),
      first_(other.first_),
      last_(other.last_),
      owns_first_(std::exchange(other.owns_first_, false)),
      owns_last_(std::exchange(other.owns_last_, false)),
      between_(std::make_unique<between>(*this)) {}

ff_comb::~ff_comb() {
  if (owns_first_) delete first_;
  if (owns_last_) delete last_;
}

int ff_comb::svc_init() {
  between_->begin();
  between_->look();
  if (const int found = first_->svc_init(); found < 0) return found;
  return last_->svc_init();
}

void ff_comb::svc_end() {
  first_->svc_end();
  last_->svc_end();
}

void* ff_comb::svc(void* task) {
  between_->look();
  const bool is_first = between_->is_first_call();
  void* const result = first_->svc(task);
  if (result == nullptr && task == nullptr && between_->inputs != 0 && is_first) {
    between_->call_last(nullptr);  // both are called without a task, to begin a loop
    return FF_GO_ON;
  }
  if (result == nullptr || detail::is_end(result)) {
    between_->end();
    return FF_EOS;
  }
  if (detail::number_of(result) == detail::go_out) return FF_GO_OUT;
  between_->pass(result);
  return FF_GO_ON;
}

void ff_comb::eosnotify(ssize_t input) {
  between_->look();
  first_->eosnotify(input);
  if ((input == -1 && !hears_each_end_) || between_->was_last_input()) between_->end();
}

void ff_comb::hear_each_end() {
  hears_each_end_ = true;
  if (auto* const inner = dynamic_cast<ff_comb*>(first_)) inner->hear_each_end();
}

namespace {

struct pass_from_several final : ff_minode {
  void* svc(void* task) override { return task; }
};
struct pass_to_several final : ff_monode {
  void* svc(void* task) override { return task; }
};

}  // namespace

internal_mi_transformer::internal_mi_transformer(ff_node* node, bool cleanup)
    : ff_comb(new pass_from_several, node, true, cleanup) {}
internal_mo_transformer::internal_mo_transformer(ff_node* node, bool cleanup)
    : ff_comb(node, new pass_to_several, cleanup, true) {}

ff_node* ff_comb::getFirst() const {
  const auto* const inner = dynamic_cast<ff_comb*>(first_);
  return inner != nullptr ? inner->getFirst() : first_;
}
ff_node* ff_comb::getLast() const {
  const auto* const inner = dynamic_cast<ff_comb*>(last_);
  return inner != nullptr ? inner->getLast() : last_;
}
ff_node* ff_comb::changeFirst(ff_node* first, bool cleanup) {
  owns_first_ = cleanup;
  return std::exchange(first_, first);
}
ff_node* ff_comb::changeLast(ff_node* last, bool cleanup) {
  owns_last_ = cleanup;
  return std::exchange(last_, last);
}

void ff_comb::set_id(ssize_t id) {
  ff_node::set_id(id);
  first_->set_id(id);
  last_->set_id(id);
}

namespace detail {

void lowering::place_at(ff_node& node, place* at) {
  node.place_ = at;
  if (auto* const many = dynamic_cast<ff_monode*>(&node); many != nullptr && many->lb_ != nullptr)
    place_at(*many->lb_, at, at != nullptr ? at->outputs : 0);
  if (auto* const many = dynamic_cast<ff_minode*>(&node); many != nullptr && many->gt_ != nullptr)
    place_at(*many->gt_, at);
  auto* const both = dynamic_cast<ff_comb*>(&node);
  if (both == nullptr) return;
  place_at(*both->first_, at != nullptr ? both->between_.get() : nullptr);
  place_at(*both->last_, at);
}

}  // namespace detail
}  // namespace ff
