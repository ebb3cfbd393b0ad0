// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "search_items.hpp"
// Included first: the items get their codecs before the first block that uses them.
#include <weir/io/chunks.hpp>
#include <weir/item/buffer.hpp>

#include "database_file.hpp"
#include "hit_rating.hpp"
#include "hit_writer.hpp"
#include "mask.hpp"
#include "sam.hpp"
#include "search_network.hpp"
#include "traceback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace swsearch {
namespace {

std::string shown_name(const std::string& file) { return file == "-" ? "standard input" : file; }

class query_parser {
 public:
  query_parser(const search_setup& setup, search_progress& progress)
      : setup_(&setup), progress_(&progress), parser_(make()) {
    if (names_are_checked()) parser_.check_names([this](const std::string& name) { return names_.complaint(name); });
  }
  query_parser(const query_parser& other) : query_parser(*other.setup_, *other.progress_) {}

  void process(const weir::buffer& part, weir::outlet<query_batch>& out) {
    parser_.add(part.text());
    // If names are checked, they are checked for all queries before any output begins.
    if (!names_are_checked()) flush(out);
  }
  void finish(weir::outlet<query_batch>& out) {
    parser_.end();
    flush(out);
    if (number_ == 0) throw std::invalid_argument(shown_name(setup_->queries) + ": there is no sequence in it");
    progress_->doubt(parser_.doubts());
    progress_->all_queries = true;
  }

 private:
  bool names_are_checked() const { return setup_->format.lists_subjects(); }
  fasta_parser make() {
    return fasta_parser(*setup_->letters, shown_name(setup_->queries), setup_->is_strict, [this](sequence each) {
      progress_->query_residues += each.residues.size();
      progress_->query_bases += static_cast<std::uint64_t>(std::ranges::count_if(each.residues, [&](residue one) {
        return std::string_view("ACGTUN").find(setup_->letters->letters()[one]) != std::string_view::npos;
      }));
      if (setup_->masks_queries) mask_low_complexity(each.residues, *setup_->letters);
      complete_.push_back(std::move(each));
    });
  }
  void flush(weir::outlet<query_batch>& out) {
    if (complete_.empty()) return;
    const std::uint64_t first = std::exchange(number_, number_ + complete_.size());
    out.send({first, std::exchange(complete_, {})});
  }

  const search_setup* setup_;
  search_progress* progress_;
  std::vector<sequence> complete_;
  std::uint64_t number_ = 0;
  sam_names names_{sam_names::of::queries};
  fasta_parser parser_;
};

// Distributes sequences over the shares in turn.
class subject_parser {
 public:
  subject_parser(const search_setup& setup, search_progress& progress)
      : setup_(&setup), progress_(&progress), parser_(make()) {
    if (setup.format.lists_subjects())
      parser_.check_names([this](const std::string& name) { return names_.complaint(name); });
  }
  subject_parser(const subject_parser& other) : subject_parser(*other.setup_, *other.progress_) {}

  void process(const weir::buffer& part, weir::outlet<subject_batch>& out) {
    parser_.add(part.text());
    flush(out, false);
  }
  void finish(weir::outlet<subject_batch>& out) {
    parser_.end();
    if (size_.sequences == 0)
      throw std::invalid_argument(shown_name(setup_->database) + ": there is no sequence in it");
    progress_->doubt(parser_.doubts());
    flush(out, true);
  }

 private:
  fasta_parser make() {
    return fasta_parser(*setup_->letters, shown_name(setup_->database), setup_->is_strict, [this](sequence each) {
      if (setup_->format.lists_subjects()) {
        const std::string complaint = sam_names::complaint_about_length(each.name, each.residues.size());
        if (!complaint.empty()) throw std::invalid_argument(shown_name(setup_->database) + ": " + complaint);
      }
      const std::size_t share = size_.sequences++ % setup_->shares;
      size_.residues += each.residues.size();
      complete_.resize(setup_->shares);
      complete_[share].push_back(std::move(each));
    });
  }
  void flush(weir::outlet<subject_batch>& out, bool is_last) {
    complete_.resize(setup_->shares);
    for (std::size_t share = 0; share != complete_.size(); ++share) {
      if (complete_[share].empty() && !is_last) continue;
      out.send_to(share, {std::exchange(complete_[share], {}), is_last, size_});
    }
  }

  const search_setup* setup_;
  search_progress* progress_;
  std::vector<std::vector<sequence>> complete_;  // for each share
  database_size size_;
  sam_names names_{sam_names::of::subjects};
  fasta_parser parser_;
};

// The task size leaves several tasks for each core in the rest of a query, which lets all cores end
// at about the same time (guided self-scheduling: Polychronopoulos, Kuck 1987). The smallest tasks
// take some tenths of a millisecond, the largest about ten milliseconds.
std::uint64_t cells_in_a_task(std::uint64_t cells_left, std::size_t cores) {
  return std::clamp<std::uint64_t>(cells_left / (4 * cores), 20'000'000, 500'000'000);
}

// Makes tasks from the queries once the database is available.
class planner {
 public:
  planner(const search_setup& setup, search_progress& progress) : setup_(&setup), progress_(&progress) {}
  planner(const planner& other) : planner(*other.setup_, *other.progress_) {}

  void start(weir::context& at) {
    const share here{at.index(), at.width()};
    share_ = static_cast<std::uint32_t>(here.number);
    if (is_index(setup_->database)) {
      take(map_database(setup_->database, *setup_->letters, here));
      if (setup_->format.lists_subjects()) check_names();
    } else {
      builder_ = database_builder(here);
    }
  }
  void process(const subject_batch& more, weir::outlet<task>& out) {
    for (const sequence& each : more.subjects) builder_.add(each);
    if (!more.is_last) return;
    take(builder_.finish(more.whole));
    for (auto& each : std::exchange(waiting_, {})) plan(std::move(each), out);
  }
  void process(query_batch batch, weir::outlet<task>& out) {
    auto kept = std::make_shared<const query_batch>(std::move(batch));
    if (subjects_ == nullptr) {
      waiting_.push_back(std::move(kept));
    } else {
      plan(std::move(kept), out);
    }
  }

 private:
  void take(database made) {
    subjects_ = std::make_shared<const database>(std::move(made));
    columns_ = 0;
    for (std::size_t i = 0; i != subjects_->batches(); ++i) columns_ += subjects_->columns(i);
    progress_->database_residues = subjects_->whole().residues;
  }

  // With an index, each share sees all names.
  void check_names() const {
    sam_names names(sam_names::of::subjects);
    for (std::size_t i = 0; i != subjects_->size(); ++i) {
      std::string complaint = names.complaint(subjects_->name(i));
      if (complaint.empty()) complaint = sam_names::complaint_about_length(subjects_->name(i), subjects_->length(i));
      if (!complaint.empty())
        throw std::invalid_argument(fmt::format("{}: sequence {}: {}", setup_->database, i + 1, complaint));
    }
  }

  void plan(std::shared_ptr<const query_batch> batch, weir::outlet<task>& out) {
    const auto batches = static_cast<std::uint32_t>(subjects_->batches());
    const auto size = static_cast<std::uint32_t>(batch->queries.size());
    const std::uint64_t strands = setup_->plus && setup_->minus ? 2 : 1;
    const std::size_t cores = setup_->workers != 0 ? setup_->workers : weir::available_cores();
    const auto cells_of = [&](std::uint32_t query, std::uint64_t columns) {
      return strands * (batch->queries[query].residues.size() + 1) * (columns + 1) * lanes;
    };
    for (std::uint32_t first = 0, last = 0; first != size; first = last) {
      std::uint64_t left = cells_of(first, columns_);
      std::uint64_t cells_least = cells_in_a_task(left, cores);
      std::uint64_t cells = 0;
      while (last != size && (last == first || cells + cells_of(last, columns_) < cells_least))
        cells += cells_of(last++, columns_);
      std::vector<std::uint32_t> ends;
      std::uint64_t columns = 0;
      for (std::uint32_t i = 0; last == first + 1 && i != batches; ++i) {
        columns += subjects_->columns(i);
        if (cells_of(first, columns) < cells_least || i + 1 == batches) continue;
        ends.push_back(i + 1);
        left -= std::min(left, cells_of(first, columns));
        cells_least = cells_in_a_task(left, cores);
        columns = 0;
      }
      ends.push_back(batches);
      for (std::uint32_t begin = 0; const std::uint32_t end : ends) {
        out.send({subjects_, batch, share_, first, last, begin, end, static_cast<std::uint32_t>(ends.size())});
        begin = end;
      }
    }
  }

  const search_setup* setup_;
  search_progress* progress_;
  std::uint32_t share_ = 0;
  database_builder builder_;
  std::shared_ptr<const database> subjects_;
  std::uint64_t columns_ = 0;  // of the batches in this share
  std::vector<std::shared_ptr<const query_batch>> waiting_;
};

class scorer {
 public:
  scorer(const search_setup& setup, search_progress& progress)
      : setup_(&setup), progress_(&progress), searcher_(setup.scores, setup.gaps) {}

  scored_task process(const task& what) {
    scored_task made{what, {}};
    std::uint64_t cells = 0;
    std::uint64_t residues = 0;
    for (std::uint32_t batch = what.first_batch; batch != what.last_batch; ++batch) {
      for (const std::uint32_t each : what.subjects->members(batch)) residues += what.subjects->length(each);
    }
    for (std::uint32_t query = what.first_query; query != what.last_query; ++query) {
      const sequence& present = what.queries->queries[query];
      if (std::exchange(last_, what.queries->first + query) != what.queries->first + query) searcher_.begin_query();
      std::vector<hit> hits;
      const auto search = [&](std::span<const residue> strand) {
        cells += strand.size() * residues;
        return searcher_.search(*what.subjects, strand, what.first_batch, what.last_batch);
      };
      if (setup_->plus) hits = search(present.residues);
      if (setup_->minus) {
        const std::vector<residue> other_strand = reversed(present.residues, *setup_->letters);
        std::vector<hit> others = search(other_strand);
        for (hit& each : others) each.is_reversed = true;
        // The better strand can be chosen only when both scores are known.
        searcher_.search_again(*what.subjects, other_strand, others);
        searcher_.search_again(*what.subjects, present.residues, hits);
        hits.resize(others.size());
        for (std::size_t i = 0; i != hits.size(); ++i) {
          if (!setup_->plus || others[i].score > hits[i].score) hits[i] = others[i];
        }
      }
      rate(hits, *setup_, *what.subjects, present);
      leave_out(hits, *setup_);
      made.hits.push_back(std::move(hits));
    }
    progress_->cells_done += cells;
    return made;
  }

 private:
  const search_setup* setup_;
  search_progress* progress_;
  searcher searcher_;
  std::uint64_t last_ = std::numeric_limits<std::uint64_t>::max();  // number of the last query
};

// Collects the parts of each query.
class gathering {
 public:
  explicit gathering(const search_setup& setup) : setup_(&setup) {}

  // @return the hits of the query if this was its last part
  std::optional<std::vector<hit>> add(std::uint64_t query, std::uint32_t of_parts, std::span<const hit> part) {
    auto& [hits, parts] = waiting_[query];
    hits.insert(hits.end(), part.begin(), part.end());
    if (++parts != of_parts) {
      if (setup_->most != 0 && hits.size() > 2 * setup_->most) leave_out(hits, *setup_);
      return std::nullopt;
    }
    return std::move(waiting_.extract(query).mapped().first);
  }

 private:
  const search_setup* setup_;
  std::unordered_map<std::uint64_t, std::pair<std::vector<hit>, std::uint32_t>> waiting_;
};

// Sends the hits of a query in several parts. @param cells returns the work for a hit
void send_in_parts(const hits_of_query& of, std::span<const hit> hits, auto&& cells, weir::outlet<hits_of_query>& out) {
  constexpr std::uint64_t cells_least = 4'000'000;  // some milliseconds of alignments
  constexpr std::size_t most = 1'000;
  std::vector<std::size_t> ends;
  std::uint64_t sum = 0;
  for (std::size_t i = 0, begin = 0; i != hits.size(); ++i) {
    sum += cells(hits[i]);
    if ((sum < cells_least && i + 1 - begin < most) || i + 1 == hits.size()) continue;
    ends.push_back(begin = i + 1);
    sum = 0;
  }
  ends.push_back(hits.size());
  for (std::size_t begin = 0; const std::size_t end : ends) {
    hits_of_query part = of;
    part.parts = static_cast<std::uint32_t>(ends.size());
    part.is_first = begin == 0;
    part.begins = of.begins && begin == 0;
    const auto some = hits.subspan(begin, end - begin);
    part.hits.assign(some.begin(), some.end());
    out.send(std::move(part));
    begin = end;
  }
}

// Collects the hits of a query whose scores are still too high. Together they fill the lanes of a
// few batches.
class gatherer {
 public:
  explicit gatherer(const search_setup& setup) : waiting_(setup) {}

  void process(scored_task part, weir::outlet<hits_of_query>& out) {
    for (std::uint32_t i = 0; i != part.hits.size(); ++i) {
      hits_of_query of{.subjects = part.of.subjects,
                       .queries = part.of.queries,
                       .share = part.of.share,
                       .query = part.of.first_query + i,
                       .hits = {}};
      auto whole = waiting_.add(of.number(), part.of.parts, part.hits[i]);
      if (!whole) continue;
      std::vector<hit>& hits = *whole;
      const auto known = std::ranges::partition(hits, [](const hit& each) { return each.score == too_high; });
      const std::span<hit> unknown(hits.begin(), known.begin());
      std::ranges::sort(unknown, {}, [](const hit& each) { return std::pair(each.batch, each.lane); });
      const std::uint64_t length = of.sequence_of_query().residues.size();
      send_in_parts(
          of, hits,
          [&](const hit& each) {
            // 64 at once take 16 times less time than alignments.
            return each.score == too_high ? length * of.subjects->length(each.number) / 16 : 0;
          },
          out);
    }
  }

 private:
  gathering waiting_;
};

class second_scorer {
 public:
  explicit second_scorer(const search_setup& setup) : setup_(&setup), searcher_(setup.scores, setup.gaps) {}

  hits_of_query process(hits_of_query part) {
    searcher_.search_again(*part.subjects, part.sequence_of_query().residues, part.hits);
    rate(part.hits, *setup_, *part.subjects, part.sequence_of_query());
    leave_out(part.hits, *setup_);
    return part;
  }

 private:
  const search_setup* setup_;
  searcher searcher_;
};

// Selects the best hits of a query in this share, to be aligned.
class ranker {
 public:
  explicit ranker(const search_setup& setup) : setup_(&setup), waiting_(setup) {}

  void process(const hits_of_query& part, weir::outlet<hits_of_query>& out) {
    auto whole = waiting_.add(part.number(), part.parts, part.hits);
    if (!whole) return;
    if (!setup_->in_database_order) keep_best(*whole, setup_->most);
    hits_of_query of = part;
    of.begins = !std::exchange(has_begun_, true);
    const std::uint64_t length = of.sequence_of_query().residues.size();
    send_in_parts(
        of, *whole,
        [&](const hit& each) {
          return setup_->format.needs_alignment() ? length * of.subjects->length(each.number) : 0;
        },
        out);
  }

 private:
  const search_setup* setup_;
  gathering waiting_;
  bool has_begun_ = false;
};

class aligner {
 public:
  explicit aligner(const search_setup& setup) : setup_(&setup) {}

  share_of_query process(const hits_of_query& ranked) {
    const sequence& query = ranked.sequence_of_query();
    const database& subjects = *ranked.subjects;
    share_of_query made{.query = ranked.number(),
                        .share = ranked.share,
                        .parts = ranked.parts,
                        .begins = ranked.begins,
                        .query_residues = query.residues.size(),
                        .whole = subjects.whole(),
                        .heading = {},
                        .subjects = {},
                        .hits = {}};
    if (ranked.is_first) setup_->format.add_query(made.heading, query);
    if (ranked.begins && setup_->format.lists_subjects()) list(subjects, made.subjects);
    const hit_rating rating(*setup_, subjects, query);
    const std::vector<residue> other_strand =
        setup_->minus ? reversed(query.residues, *setup_->letters) : std::vector<residue>();
    for (const hit& each : ranked.hits)
      made.hits.push_back({each.e_value, each.score, subjects.number_in_whole(each.number),
                           text_of(subjects, query, other_strand, rating, each)});
    return made;
  }

 private:
  std::string text_of(const database& subjects, const sequence& query, std::span<const residue> other_strand,
                      const hit_rating& rating, const hit& of) {
    hit_view view{.query = &query,
                  .is_reversed = of.is_reversed,
                  .strand = of.is_reversed ? other_strand : query.residues,
                  .title = subjects.title(of.number),
                  .subject_length = subjects.length(of.number),
                  .subject = {},
                  .score = of.score,
                  .traced = {},
                  .counts = {}};
    std::string text;
    if (setup_->chance) {
      // A correction never lowers an e-value.
      if (rating.e_value(of, static_cast<double>(of.score)) > setup_->most_e_value) return text;
      const double score = rating.corrected_score(of);
      view.bit_score = setup_->chance->bit_score(score);
      view.e_value = rating.e_value(of, score);
      if (view.e_value > setup_->most_e_value) return text;
    }
    subject_part part;
    if (setup_->format.needs_alignment()) {
      part = part_with(subjects, view.strand, of, setup_->scores, setup_->gaps);
      view.subject = part.residues;
      view.subject_begin = part.begin;
      view.traced = align_traced(view.strand, part.residues, setup_->scores, setup_->gaps, memory_);
      view.counts = counts_of(view.traced, view.strand, part.residues, setup_->scores);
      view.traced.subject_begin += part.begin;
      view.traced.subject_end += part.begin;
    }
    setup_->format.add_hit(text, view);
    return text;
  }

  void list(const database& subjects, std::vector<printed_hit>& to) const {
    for (std::size_t batch = 0; batch != subjects.batches(); ++batch) {
      for (const std::uint32_t number : subjects.members(batch)) {
        printed_hit& made = to.emplace_back(0, 0, subjects.number_in_whole(number), "");
        setup_->format.add_subject(made.text, subjects.name(number), subjects.length(number));
      }
    }
  }

  const search_setup* setup_;
  traceback_memory memory_;
};

}  // namespace

weir::network search_network(const search_setup& setup, search_progress& progress, search_totals& totals,
                             take_text take) {
  constexpr std::size_t waiting = 16;  // items, which own much memory
  const auto farm = [&](auto node) {
    return setup.workers == 0 ? weir::farm(std::move(node)) : weir::farm(std::move(node), setup.workers);
  };
  const auto shares = [&](auto plan) {
    return weir::farm(std::move(plan).named("plan") | farm(scorer(setup, progress)).on_demand(2).named("score") |
                          weir::node(gatherer(setup)).named("gather") |
                          farm(second_scorer(setup)).on_demand(2).named("score_again") |
                          weir::node(ranker(setup)).named("rank") | farm(aligner(setup)).on_demand(2).named("align"),
                      setup.shares)
        .broadcast()
        .capacity(waiting)
        .named("share");
  };
  const auto queries = weir::line_chunks(setup.queries).named("queries") |
                       weir::node(query_parser(setup, progress)).named("parse_queries");
  const auto write = weir::sink(hit_writer(setup, totals, std::move(take))).capacity(waiting).named("write");
  const planner plan(setup, progress);
  if (is_index(setup.database)) return queries | shares(weir::node<query_batch, task>(plan)) | write;
  const auto subjects = weir::line_chunks(setup.database).named("database") |
                        weir::node(subject_parser(setup, progress)).named("parse_database");
  return weir::split(queries, subjects) | shares(weir::node<weir::streams<query_batch, subject_batch>, task>(plan)) |
         write;
}

}  // namespace swsearch
