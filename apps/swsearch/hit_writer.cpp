// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "hit_writer.hpp"

#include <algorithm>
#include <iterator>

namespace swsearch {

bool hit_writer::of_query::is_complete(std::size_t of) const {
  return shares == of && std::ranges::all_of(left, [](std::uint32_t each) { return each == 0; });
}

void hit_writer::process(share_of_query part) {
  if (part.begins) {
    ++begun_;
    std::ranges::move(part.subjects, std::back_inserter(subjects_));
  }
  if (waiting_.size() <= part.query - next_) waiting_.resize(part.query - next_ + 1);
  of_query& of = waiting_[part.query - next_];
  of.left.resize(setup_->shares);
  of.share_has_come.resize(setup_->shares);
  if (!of.share_has_come[part.share]) {
    of.share_has_come[part.share] = true;
    of.left[part.share] = part.parts;
    ++of.shares;
  }
  --of.left[part.share];
  if (!part.heading.empty()) of.heading = std::move(part.heading);
  std::ranges::move(part.hits, std::back_inserter(of.hits));
  of.query_residues = part.query_residues;
  totals_->sequences = part.whole.sequences;
  totals_->residues = part.whole.residues;
  while (!waiting_.empty() && begun_ == setup_->shares && waiting_.front().is_complete(setup_->shares)) {
    print(waiting_.front());
    waiting_.pop_front();
    ++next_;
  }
}

void hit_writer::print(of_query& of) {
  const auto by_number = [](const printed_hit& a, const printed_hit& b) { return a.number < b.number; };
  std::string text;
  if (next_ == 0) {
    text = setup_->format.beginning();
    std::ranges::sort(subjects_, by_number);
    for (const printed_hit& each : std::exchange(subjects_, {})) text += each.text;
  }
  if (setup_->in_database_order) {
    std::ranges::sort(of.hits, by_number);
  } else {
    std::ranges::sort(of.hits, [&](const printed_hit& a, const printed_hit& b) {
      if (a.e_value != b.e_value) return a.e_value < b.e_value;
      return a.score != b.score ? a.score > b.score : a.number < b.number;
    });
    if (setup_->most != 0 && of.hits.size() > setup_->most) of.hits.resize(setup_->most);
  }
  text += of.heading;
  std::size_t hits = 0;
  for (printed_hit& each : of.hits) {
    if (each.text.empty()) continue;
    if (hits++ != 0) setup_->format.make_another(each.text);
    text += each.text;
  }
  if (hits == 0) text += setup_->format.no_hits();
  if (!take_(text)) return;
  ++totals_->queries;
  totals_->query_residues += of.query_residues;
  totals_->hits += hits;
}

}  // namespace swsearch
