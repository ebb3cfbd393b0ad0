// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// A place is the start of a word if it is an edge of a word (`\b` in RE2), and a word character
// follows. In a sequence with A before the place and B behind it, A decides if B is empty:
//
//     A \< B   =   A \b (B, if it begins with a word character)   |   (A, if it doesn't end with one) \b (B, if empty)
//                  |   (A, if empty) \< (B, if empty)
//
// In the last case both neighbours lie outside of the sequence: the place stays open, for the
// sequence around this one. A place that is still open in the whole expression is an empty match,
// for which \b is good enough: an empty match is never shown, and a line with an edge of a word has
// both a start and an end of a word. The end of a word is resolved in the same way, with the sides
// exchanged.

#include "expression.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace filesearch {
namespace {

using form = expression::form;
using parts = std::vector<expression>;

constexpr int most_steps = 2000;

enum class side { begin, end };

bool is_impossible(const expression& tree) { return tree.what == form::set && tree.set.empty(); }
bool is_open_place(const expression& tree) { return tree.what == form::word_start || tree.what == form::word_end; }

bool has_open_place(const expression& tree) {
  return is_open_place(tree) || std::any_of(tree.parts.begin(), tree.parts.end(), has_open_place);
}

expression impossible() { return {.what = form::set}; }

expression sequence_of(const parts& all) {
  expression made{.what = form::sequence};
  for (const expression& one : all) {
    if (is_impossible(one)) return impossible();
    if (one.what == form::sequence) {
      made.parts.insert(made.parts.end(), one.parts.begin(), one.parts.end());
    } else {
      made.parts.push_back(one);
    }
  }
  return made.parts.size() == 1 ? expression(made.parts.front()) : made;
}

expression one_of(const parts& all) {
  expression made{.what = form::alternatives};
  std::copy_if(all.begin(), all.end(), std::back_inserter(made.parts),
               [](const auto& one) { return !is_impossible(one); });
  if (made.parts.empty()) return impossible();
  return made.parts.size() == 1 ? expression(made.parts.front()) : made;
}

expression repeated(const expression& one, int least, int most) {
  if (most == 0) return {};
  return {.what = form::repeat, .parts = {one}, .least = least, .most = most};
}

parts concat(std::initializer_list<parts> all) {
  parts made;
  for (const parts& some : all) made.insert(made.end(), some.begin(), some.end());
  return made;
}

characters common(const characters& a, const characters& b) {
  characters both;
  for (const range one : a) {
    for (const range other : b) {
      const range shared{std::max(one.first, other.first), std::min(one.last, other.last)};
      if (shared.first <= shared.last) both.push_back(shared);
    }
  }
  return united(std::move(both));
}

// Returns the matches without a character, which depend on places only.
expression if_empty(const expression& tree) {
  parts inner;
  switch (tree.what) {
    case form::set: return impossible();
    case form::sequence:
    case form::alternatives:
      std::transform(tree.parts.begin(), tree.parts.end(), std::back_inserter(inner), if_empty);
      return tree.what == form::sequence ? sequence_of(inner) : one_of(inner);
    case form::repeat: return tree.least == 0 ? expression{} : if_empty(tree.parts.front());
    default: return tree;
  }
}

// Returns the matches without a character, except those that require a place of that form.
expression without(const expression& tree, form place) {
  if (tree.what == place) return impossible();
  if (tree.what != form::sequence && tree.what != form::alternatives) return tree;
  parts inner;
  for (const expression& part : tree.parts) inner.push_back(without(part, place));
  return tree.what == form::sequence ? sequence_of(inner) : one_of(inner);
}

// Returns the matches whose first, or last, character is in the set.
expression touching(const expression& tree, side where, const characters& set) {
  switch (tree.what) {
    case form::set: return {.what = form::set, .set = common(tree.set, set)};
    case form::alternatives: {
      parts inner;
      for (const expression& part : tree.parts) inner.push_back(touching(part, where, set));
      return one_of(inner);
    }
    case form::sequence: {
      // Any part may provide the character if the parts nearer to that side are empty.
      parts inner;
      for (std::size_t i = 0; i != tree.parts.size(); ++i) {
        const std::size_t place = where == side::begin ? i : tree.parts.size() - 1 - i;
        parts some = tree.parts;
        some[place] = touching(some[place], where, set);
        for (std::size_t j = 0; j != i; ++j) {
          expression& nearer = some[where == side::begin ? j : tree.parts.size() - 1 - j];
          nearer = if_empty(nearer);
        }
        inner.push_back(sequence_of(some));
        if (is_impossible(if_empty(tree.parts[place]))) break;
      }
      return one_of(inner);
    }
    case form::repeat: {
      const expression& one = tree.parts.front();
      if (tree.most == 0) return impossible();
      const int most = tree.most == expression::unlimited ? tree.most : tree.most - 1;
      const int least = is_impossible(if_empty(one)) ? std::max(tree.least - 1, 0) : 0;
      const expression outer = touching(one, where, set);
      const expression rest = repeated(one, least, most);
      return where == side::begin ? sequence_of({outer, rest}) : sequence_of({rest, outer});
    }
    default: return impossible();
  }
}

class resolver {
 public:
  // `\b` of RE2 knows only ASCII words.
  explicit resolver(notation as) : word_(word_characters(encoding::bytes)), others_(complement(word_, as.text)) {}

  expression whole(const expression& tree) {
    resolved found = resolve(tree);
    parts all{std::move(found.closed)};
    for (parts& places : found.open) {
      for (expression& place : places) {
        if (is_open_place(place)) place.what = form::word_edge;
      }
      all.push_back(sequence_of(places));
    }
    return one_of(all);
  }

 private:
  struct resolved {
    expression closed = impossible();
    std::vector<parts> open;  // sequences of places, each with a start or an end of a word
  };

  void step() {
    if (++steps_ > most_steps) throw pattern_error("Regular expression too big; use fewer \\< and \\>, or \\b");
  }

  resolved resolve(const expression& tree) {
    step();
    if (!has_open_place(tree)) return {tree, {}};
    switch (tree.what) {
      case form::alternatives: {
        resolved all;
        for (const expression& part : tree.parts) add(all, resolve(part));
        return all;
      }
      case form::sequence: return sequence(tree.parts);
      case form::repeat: return repeat(tree);
      default: return {impossible(), {{tree}}};
    }
  }

  static void add(resolved& all, resolved more) {
    all.closed = one_of({all.closed, more.closed});
    all.open.insert(all.open.end(), more.open.begin(), more.open.end());
  }

  resolved repeat(const expression& tree) {
    resolved one = resolve(tree.parts.front());
    const expression closed = repeated(one.closed, tree.least, tree.most);
    // Repetitions without a character may be left out, together with the places that they require.
    if (tree.least == 0 || one.open.empty()) return {closed, {}};
    if (tree.most == 1 || is_impossible(one.closed)) return one;
    // One repetition is without a character, at some place between the others.
    resolved all{closed, {}};
    const bool unlimited = tree.most == expression::unlimited;
    for (int before = 0; before != (unlimited ? 1 : tree.most); ++before) {
      const expression first = repeated(one.closed, 0, unlimited ? tree.most : before);
      const expression rest = repeated(one.closed, 0, unlimited ? tree.most : tree.most - 1 - before);
      for (const parts& places : one.open) add(all, sequence(concat({{first}, places, {rest}})));
    }
    return all;
  }

  resolved sequence(const parts& all) {
    std::vector<parts> variants{{}};
    for (const expression& part : all) {
      const resolved found = is_open_place(part) ? resolved{impossible(), {{part}}} : resolve(part);
      std::vector<parts> longer;
      for (const parts& before : variants) {
        if (!is_impossible(found.closed)) longer.push_back(concat({before, {found.closed}}));
        for (const parts& places : found.open) longer.push_back(concat({before, places}));
        step();
      }
      variants = std::move(longer);
    }
    resolved made;
    for (const parts& one : variants) add(made, flat_sequence(one));
    return made;
  }

  // Resolves a sequence in which every open place is a part of its own.
  resolved flat_sequence(const parts& all) {
    step();
    const auto place = std::find_if(all.begin(), all.end(), is_open_place);
    if (place == all.end()) return {sequence_of(all), {}};
    const bool start = place->what == form::word_start;
    const expression before = sequence_of(parts(all.begin(), place));
    const expression after = sequence_of(parts(std::next(place), all.end()));
    const expression edge{.what = form::word_edge};
    resolved made;
    const auto add_resolved = [&](const parts& some) {
      const expression tree = sequence_of(some);
      if (!is_impossible(tree)) add(made, resolve(tree));
    };
    add_resolved({before, edge, touching(after, side::begin, start ? word_ : others_)});
    add_resolved({touching(before, side::end, start ? others_ : word_), edge, if_empty(after)});
    add_open(made, if_empty(before), *place, if_empty(after));
    return made;
  }

  // No word ends at the start of a line, and none starts at its end.
  static void add_open(resolved& made, const expression& before, const expression& place, const expression& after) {
    const bool start = place.what == form::word_start;
    const expression all = sequence_of({before, place, after});
    const expression tree =
        without(without(all, start ? form::word_end : form::word_start), start ? form::line_end : form::line_start);
    if (is_impossible(tree)) return;
    made.open.push_back(tree.what == form::sequence ? tree.parts : parts{tree});
  }

  characters word_;
  characters others_;
  int steps_ = 0;
};

}  // namespace

expression resolve_word_places(const expression& tree, notation as) {
  return has_open_place(tree) ? resolver(as).whole(tree) : tree;
}

}  // namespace filesearch
