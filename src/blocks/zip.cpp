// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/blocks/zip.hpp"

#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/ports.hpp"

#include "blocks/raw_slot.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

// A node that takes one item of each stream at a time.
class zip_node final : public behaviour {
 public:
  zip_node(zipping together, std::size_t width, const item_type& out)
      : together_(together), tuple_(out), runs_(width), readers_(width), cursors_(width), items_(width) {}

  progress step(ports& at, std::size_t budget) override {
    for (std::size_t left = budget; left != 0;) {
      std::size_t count = std::min(left, at.run_length());
      bool ended = false;
      for (std::size_t i = 0; i != runs_.size(); ++i) {
        runs_[i] = at.in(i).first_run();
        count = std::min(count, runs_[i].count);
        ended = ended || at.in(i).ended();
      }
      if (ended) return progress::ended;
      if (count == 0) {
        bool again = false;
        for (std::size_t i = 0; i != runs_.size(); ++i) again = at.in(i).look_again() || again;
        if (again) continue;
        return progress::waiting_input;
      }
      const std::size_t taken = take(at, count);
      at.count(taken);
      left -= taken;
      if (at.interrupted()) return progress::waiting_room;
    }
    return progress::more;
  }

 private:
  std::size_t take(ports& at, std::size_t count) {
    // Completes the items taken from all streams, also if one of the tuples can't be sent.
    const struct taking {
      zip_node& node;
      ports& at;
      ~taking() {
        for (std::size_t i = 0; i != node.runs_.size(); ++i) {
          node.readers_[i].reset();
          at.in(i).took(*node.runs_[i].from);
        }
      }
    } at_the_end{*this, at};
    for (std::size_t i = 0; i != runs_.size(); ++i) {
      channel& from = runs_[i].from->data();
      cursors_[i] = &readers_[i].emplace(from, count).lend();
    }
    std::size_t taken = 0;
    for (; taken != count && !at.blocked(); ++taken) {
      for (std::size_t i = 0; i != runs_.size(); ++i) items_[i] = cursors_[i]->item;
      together_(tuple_.get(), items_.data());
      const struct completion {
        zip_node& node;
        ~completion() {
          for (cursor* const each : node.cursors_) each->pass();
        }
      } in_the_end{*this};
      at.out().send_relocated(tuple_.get());
    }
    return taken;
  }

  const zipping together_;
  const raw_slot tuple_;
  std::vector<in_port::run> runs_;
  std::vector<std::optional<channel::reader>> readers_;  // while items are taken
  std::vector<cursor*> cursors_;                         // those of the readers
  std::vector<std::byte*> items_;
};

}  // namespace

shape_pointer zip_shape(zipping together, const item_type* const* in, std::size_t ins, const item_type& out) {
  shape made;
  made.kind = "zip";
  made.in.assign(in, in + ins);
  made.out = {&out};
  made.make = [together, ins, &out] { return std::make_unique<zip_node>(together, ins, out); };
  return share(std::move(made));
}

}  // namespace weir::detail
