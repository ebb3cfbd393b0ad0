// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/serve/request_nodes.hpp"
#include "weir/export.hpp"
#include "weir/serve/accelerator.hpp"
#include "weir/serve/reply.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

/// Makes a network from `whole` in which every item between `/entry` and `/exit` carries a tag of
/// one more word, and that has an additional node `/resume`. Making its graph throws graph_error if
/// a node in between may send none or several items for one.
WEIR_API network request_network(const shape_pointer& whole, std::shared_ptr<requests> all,
                                 std::shared_ptr<continuations> after);

}  // namespace detail

/// A running block that answers requests, from any number of threads. Each input item is a request,
/// and the one item that the block sends for it is the reply, even if farms let results overtake
/// each other. Bounded as an accelerator is: `request` waits for room. Threads, ends and errors are
/// those of an accelerator.
template <class In, class Out>
class [[nodiscard]] server {
 public:
  /// Sends one item in, and waits for room.
  /// @throws stopped after `close`, `cancel` or `drain`, or if no node remains to take the item;
  /// node_error if a node failed
  reply<Out> request(In item) {
    detail::input_end& in = core_->in();
    auto made = std::make_shared<detail::request_for<Out>>();
    if (!all_->add(made)) all_->throw_why();
    detail::requested<In> sent{std::move(item), made.get()};
    try {
      for (;;) {
        switch (in.try_send(sent)) {
          case detail::attempt::done: return reply<Out>(std::move(made), all_);
          case detail::attempt::later: in.wait_for_room(); break;
          case detail::attempt::ended:
          case detail::attempt::stopped: all_->throw_why();
        }
      }
    } catch (...) {
      all_->forget(*made);
      throw;
    }
  }

  /// Ends the input. Requests made before are answered.
  void close() noexcept {
    if (core_.is_there()) core_->in().close();
  }

  /// Waits for the end of the run; call `close` first. @throws node_error
  report wait() { return core_->wait(); }

  /// Ends the run early. Open requests get no result.
  void cancel() noexcept {
    if (core_.is_there()) core_->cancel();
  }

  /// As close.
  void drain() noexcept {
    if (core_.is_there()) core_->drain();
  }

  report report_so_far() const { return core_->report_so_far(); }

  server(server&&) noexcept = default;
  server& operator=(server&& other) noexcept {
    end();
    core_ = std::move(other.core_);
    all_ = std::move(other.all_);
    return *this;
  }
  ~server() { end(); }

 private:
  template <class A, class B>
  friend server<A, B> serve(const block<A, B>& what, run_options options);

  server(std::unique_ptr<detail::open_network> core, std::shared_ptr<detail::requests> all)
      : core_(std::move(core)), all_(std::move(all)) {
    all_->set_reason([running = core_.operator->()] { return running->failure(); });
  }

  void end() noexcept {
    if (!core_.is_there()) return;
    core_->end();
    all_->fix_reason();
    core_.reset();
  }

  detail::owned_network core_;
  std::shared_ptr<detail::requests> all_;
};

/// Starts a block that sends exactly one item for each input item: nodes `In -> Out`, also fused,
/// in pipelines, farms and sets. Items that nodes send in `start` and `finish` belong to no request
/// and are dropped.
/// @throws graph_error, before anything starts, if a node may send none or several items for one,
/// or the graph can't work
template <class In, class Out>
server<In, Out> serve(const block<In, Out>& what, run_options options = {}) {
  static_assert(detail::stream_count<In> == 1 && detail::stream_count<Out> == 1,
                "weir: a block that serves takes one stream of items and sends one");
  const auto in = std::make_shared<detail::input_end>(item_type_of<detail::requested<In>>(), nullptr);
  const auto all = std::make_shared<detail::requests>();
  const auto after = std::make_shared<detail::continuations>();
  const block<void, void> whole =
      detail::behaviour_block<void, In>(
          "entry", [in] { return std::make_unique<detail::request_entry<In>>(in); }, false, true)
          .named("entry") |
      what |
      detail::behaviour_block<Out, void>(
          "exit", [all, after] { return std::make_unique<detail::request_exit<Out>>(all, after); }, false, true)
          .named("exit");
  return server<In, Out>(std::make_unique<detail::open_network>(detail::request_network(whole.shape(), all, after), in,
                                                                nullptr, std::move(options)),
                         all);
}

}  // namespace weir
