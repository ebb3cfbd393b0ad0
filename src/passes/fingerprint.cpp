// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/fingerprint.hpp"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace weir::detail {
namespace {

// FNV-1a, 64 bits.
class digest {
 public:
  void add(std::string_view text) noexcept {
    for (const char c : text) step(static_cast<unsigned char>(c));
    step(0x1F);  // so that "ab", "c" differs from "a", "bc"
  }
  void add(std::uint64_t number) { add(std::to_string(number)); }
  std::string text() const {
    char buffer[17];
    std::snprintf(buffer, sizeof buffer, "%016" PRIx64, value_);
    return buffer;
  }

 private:
  void step(unsigned char byte) noexcept { value_ = (value_ ^ byte) * 0x100000001B3ULL; }
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

void add(digest& to, const policy_tree& tree) {
  if (tree.is_leaf()) {
    to.add("leaf");
    to.add(tree.leaf);
    return;
  }
  to.add(name_of(tree.rule.kind));
  to.add(tree.rule.depth);
  to.add(tree.children.size());
  for (const policy_tree& child : tree.children) add(to, child);
}

}  // namespace

std::string fingerprint(const graph& g) {
  digest made;
  for (const node_description& node : g.nodes()) {
    made.add(node.path);
    made.add(node.kind);
    made.add(node.width);
    for (const auto& port : node.in) {
      made.add(port.type->name());
      made.add(port.type->size);
    }
    made.add("->");
    for (const auto& port : node.out) {
      made.add(port.type->name());
      made.add(port.type->size);
      add(made, port.policy);
    }
  }
  for (const channel_description& c : g.channels()) {
    made.add(c.from);
    made.add(c.from_port);
    made.add(c.to);
    made.add(c.to_port);
    made.add(c.capacity);
    made.add(c.unbounded ? 1U : 0U);
    made.add(c.tag_words);
    made.add(c.loop);
  }
  return made.text();
}

}  // namespace weir::detail
