// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"
#include "weir/weir.hpp"

#include "random_graph.hpp"

#include <utility>
#include <vector>

namespace weir_test {

/// An item with a value and its position within each ordered block around it, the innermost last.
/// Its ledger counts the item while it exists.
struct token {
  token(ledger& in, long v) : book(&in), value(v) { ++book->alive; }
  token(const token& other) : book(other.book), value(other.value), places(other.places) { ++book->alive; }
  token(token&& other) noexcept : book(other.book), value(other.value), places(std::move(other.places)) {
    ++book->alive;
  }
  token& operator=(const token&) = delete;
  ~token() { --book->alive; }

  ledger* book;
  long value;
  std::vector<long> places{};
};

}  // namespace weir_test

// All groups are threads of one process here, so they share the ledger.
template <>
struct weir::codec<weir_test::token> {
  static void encode(const weir_test::token& item, weir::byte_sink& out) {
    append(out, reinterpret_cast<std::uintptr_t>(item.book));
    append(out, item.value);
    append(out, item.places.size());
    for (const long place : item.places) append(out, place);
  }
  static weir_test::token decode(weir::byte_source& in) {
    std::uintptr_t book = 0;
    long value = 0;
    std::size_t places = 0;
    in.read(book);
    in.read(value);
    in.read(places);
    weir_test::token item(*reinterpret_cast<weir_test::ledger*>(book), value);
    for (std::size_t i = 0; i != places; ++i) in.read(item.places.emplace_back());
    return item;
  }
};

namespace weir_test {

/// Common part of the nodes of a random block.
class token_node {
 public:
  token_node(ledger& book, unsigned seed, long fails_at) : book_(&book), disturb_(seed), fails_at_(fails_at) {}
  void start() {
    ++book_->starts;
    seen_ = 0;
  }
  void finish() { ++book_->finishes; }

 protected:
  void arrived(const token& item) {
    disturb_.pause();
    book_->used += item.value;
    if (++seen_ == fails_at_) {
      ++book_->thrown;
      throw node_failure("told to");
    }
  }
  void leaves(const token& item, long copies = 1) { book_->made += item.value * copies; }

  ledger* book_;
  disturbance disturb_;
  long fails_at_;
  long seen_ = 0;
};

struct token_source : token_node {
  token_source(ledger& book, unsigned seed, long items) : token_node(book, seed, 0), count(items) {}
  long count;
  std::optional<token> next() {
    if (seen_ == count) return std::nullopt;
    disturb_.pause();
    token made(*book_, ++seen_);
    leaves(made);
    return made;
  }
};
struct token_map : token_node {
  using token_node::token_node;
  token process(token item) {
    arrived(item);
    leaves(item);
    return item;
  }
};
struct token_filter : token_node {
  using token_node::token_node;
  std::optional<token> process(token item) {
    arrived(item);
    if (disturb_.one_in(10)) return std::nullopt;
    leaves(item);
    return item;
  }
};
/// Drops items to make up for a broadcast, so that loops come to an end.
struct token_thin : token_node {
  using token_node::token_node;
  std::optional<token> process(token item) {
    arrived(item);
    if (disturb_.one_in(2)) return std::nullopt;
    leaves(item);
    return item;
  }
};
/// Sends on average as many items as it takes, so that loops come to an end.
struct token_spread : token_node {
  using token_node::token_node;
  void process(token item, weir::outlet<token>& out) {
    arrived(item);
    for (unsigned left = disturb_.one_in(40) ? disturb_.below(28) : disturb_.one_in(3) ? 0 : 1; left != 0; --left) {
      leaves(item);
      out.send(item);
    }
  }
};
struct token_split : token_node {
  using token_node::token_node;
  void process(token item, weir::outlet<token>& a, weir::outlet<token>& b) {
    arrived(item);
    leaves(item);
    (disturb_.one_in(2) ? a : b).send(std::move(item));
  }
};
struct token_double : token_node {
  using token_node::token_node;
  token process(token item) {
    arrived(item);
    leaves(item, 2);
    return item;
  }
};
/// Sends to all consumers or to one of them; on average each consumer gets as many items as this
/// node takes.
struct token_to_all : token_node {
  using token_node::token_node;
  void process(token item, weir::outlet<token>& out) {
    arrived(item);
    if (disturb_.one_in(2)) {
      leaves(item);
      out.send_to(disturb_.below(static_cast<unsigned>(out.width())), item);
    }
    if (disturb_.one_in(2)) return;
    leaves(item, static_cast<long>(out.width()));
    out.send(std::move(item));
  }
};
/// End of a loop's body: sends every third item back, on average.
struct token_return : token_node {
  using token_node::token_node;
  void process(token item, weir::outlet<token>& out, weir::outlet<token>& back) {
    arrived(item);
    leaves(item);
    (disturb_.one_in(3) ? back : out).send(std::move(item));
  }
};
struct token_master : token_node {
  using token_node::token_node;
  int quiets = 0;
  void start() {
    token_node::start();
    quiets = 0;
  }
  void process(token item, weir::outlet<token>& jobs, weir::outlet<token>& answers) {
    arrived(item);
    leaves(item);
    (disturb_.one_in(5) ? answers : jobs).send(std::move(item));
  }
  void returned(token item, weir::outlet<token>& jobs, weir::outlet<token>& answers) {
    arrived(item);
    leaves(item);
    (disturb_.one_in(3) ? jobs : answers).send(std::move(item));
  }
  void quiet(weir::outlet<token>& jobs, weir::outlet<token>&) {
    if (++quiets > 3) return;
    for (unsigned left = disturb_.below(5); left != 0; --left) {
      token made(*book_, 1);
      leaves(made);
      jobs.send(std::move(made));
    }
  }
};
struct place_giver : token_node {
  using token_node::token_node;
  token process(token item) {
    arrived(item);
    item.places.push_back(seen_);
    leaves(item);
    return item;
  }
};
struct place_checker : token_node {
  using token_node::token_node;
  long last = 0;
  void start() {
    token_node::start();
    last = 0;
  }
  token process(token item) {
    arrived(item);
    if (item.places.empty() || item.places.back() < last) {
      ++book_->disorders;
    } else {
      last = item.places.back();
      item.places.pop_back();
    }
    leaves(item);
    return item;
  }
};
struct token_sink : token_node {
  using token_node::token_node;
  void process(const token& item) { arrived(item); }
};

struct random_block_options {
  long items = 300;
  bool some_fail = false;
};

/// Makes random blocks: loops, ordered blocks, splits, tees and the others, nested in each other.
class random_blocks {
 public:
  using block = weir::block<token, token>;

  random_blocks(ledger& book, unsigned seed, random_block_options options)
      : book_(&book), choose_(seed), options_(options) {}

  weir::network network() {
    const auto source = [&] { return weir::source(token_source(*book_, number(), options_.items)); };
    const auto end = weir::sink(made<token_sink>());
    if (choose_.one_in(3)) return weir::merge(source(), source() | any(1, false)) | any(3, false) | end;
    return source() | any(4, false) | end;
  }

 private:
  unsigned number() { return choose_.below(1'000'000'000); }

  template <class Node>
  Node made() {
    const long fails_at = options_.some_fail && choose_.one_in(12) ? 1 + choose_.below(300) : 0;
    return Node(*book_, number(), fails_at);
  }

  block one() {
    block node = weir::node(made<token_map>());
    switch (choose_.below(3)) {
      case 0: node = weir::node(made<token_filter>()); break;
      case 1: node = weir::node(made<token_spread>()); break;
      default: break;
    }
    if (choose_.one_in(10)) node = node.blocking();
    if (choose_.one_in(10)) node = node.on_own_thread();
    return choose_.one_in(3) ? node.capacity(1 + choose_.below(4)) : node;
  }

  weir::side_by_side<token, token> farm(int depth, bool ordered) {
    const auto made = weir::farm(any(depth, ordered), 1 + choose_.below(3));
    switch (choose_.below(5)) {
      case 0: return made.round_robin();
      case 1: return made.on_demand(1 + choose_.below(2));
      case 2: return made.by_key([](const token& item) { return item.value; });
      default: return made;
    }
  }

  block any(int depth, bool ordered) {
    if (depth == 0) return one();
    --depth;
    switch (choose_.below(ordered ? 4 : 10)) {
      case 0: return one();
      case 1: return any(depth, ordered) | any(depth, ordered);
      case 2: return farm(depth, ordered);
      case 3: return weir::node(made<place_giver>()) | farm(depth, true).ordered() | made<place_checker>();
      case 4: return weir::node(made<token_split>()) | weir::merge(any(depth, false), any(depth, false));
      case 5:
        return weir::node(made<token_double>()) | weir::tee(any(depth, false), any(0, false)) |
               weir::farm(made<token_thin>(), 2);
      case 6:
        return weir::node(made<token_double>()) | weir::farm(any(depth, false), 2).broadcast() |
               weir::farm(made<token_thin>(), 2);
      case 7:
        return weir::node(made<token_to_all>()) | weir::farm(any(0, false), 2 + choose_.below(2)).broadcast() |
               weir::node(made<token_thin>());
      case 8: return weir::feedback(any(depth, false) | weir::farm(made<token_return>(), 1 + choose_.below(2)));
      default: return weir::feedback(made<token_master>(), any(depth, false));
    }
  }

  ledger* book_;
  disturbance choose_;
  random_block_options options_;
};

}  // namespace weir_test
