// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of swsearch on one thread, without its network, over an index. `--task-cells N` calls
// it for as many batches at once as the largest tasks of the network have (see search_network.cpp),
// 0 for all at once. `--avx2 1` keeps it from wider vectors. `--top N` prints the best hits, and no
// result line.
#include "database_file.hpp"
#include "inputs.hpp"

#include <hwy/targets.h>

int main(int argc, char** argv) {
  using namespace swsearch;
  const sw_bench::arguments given(argc, argv,
                                  {{"query", ""},
                                   {"database", ""},
                                   {"gap-open", "10"},
                                   {"gap-extend", "2"},
                                   {"scores", ""},
                                   {"task-cells", "500000000"},
                                   {"avx2", "0"},
                                   {"top", "0"}});
  const sw_bench::scheme scheme(given);
  if (given.number("avx2") != 0) {
    constexpr std::int64_t wider = HWY_AVX3 | HWY_AVX3_DL;
    hwy::DisableTargets(wider);
  }
  const auto task_cells = static_cast<std::uint64_t>(given.number("task-cells"));
  const auto most = static_cast<std::size_t>(given.number("top"));
  const database subjects = map_database(given["database"], alphabet::protein());
  searcher searches(scheme.scores, scheme.gaps);
  for (const sequence& query : sw_bench::read_fasta(given["query"])) {
    std::vector<hit> all;
    const weir_bench::stopwatch clock;
    searches.begin_query();
    std::uint64_t columns = 0;
    for (std::size_t first = 0, last = 1; last <= subjects.batches(); ++last) {
      columns += subjects.columns(last - 1);
      const std::uint64_t cells = (query.residues.size() + 1) * (columns + 1) * lanes;
      if (last != subjects.batches() && (task_cells == 0 || cells < task_cells)) continue;
      const std::vector<hit> hits = searches.search(subjects, query.residues, first, last);
      all.insert(all.end(), hits.begin(), hits.end());
      first = last;
      columns = 0;
    }
    searches.search_again(subjects, query.residues, all);
    if (most != 0) keep_best(all, most);
    const auto took = clock.elapsed();
    if (most != 0) {
      sw_bench::print_hits(query.name, subjects, all);
      continue;
    }
    std::vector<std::int64_t> scores(all.size());
    for (const hit& each : all) scores[each.number] = each.score;
    sw_bench::write_scores(given["scores"], scores);
    weir_bench::print_result(
        "swsearch", "weir",
        static_cast<std::int64_t>(query.residues.size()) * static_cast<std::int64_t>(subjects.whole().residues), took);
  }
}
