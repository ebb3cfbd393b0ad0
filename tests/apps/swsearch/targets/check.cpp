// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
//   check TARGET…    compares the kernels, with each of these instructions (as Highway names them), with the reference
//
// Needs neither Highway's library nor GoogleTest, so that it can be built for any processor that
// there is a compiler for.
#define HWY_WANT_AVX3_DL 1  // as in the kernels
#include "../batches.hpp"
#include "../sequences.hpp"
#include "pair.hpp"
#include "reference.hpp"
#include "traceback.hpp"

#include <hwy/highway.h>
#ifdef __aarch64__
#include <sys/prctl.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace {

std::int64_t the_target = 0;

}  // namespace

// The functions of Highway's library that the kernels call.
namespace hwy {

std::int64_t SupportedTargets() { return the_target; }

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy

namespace swsearch {
namespace {

using sequences = std::vector<std::vector<residue>>;

[[noreturn]] void fail(const char* what, std::int64_t found, std::int64_t expected, const gap_costs& gaps) {
  std::printf("FAILED: %s: %lld instead of %lld, %s\n", what, static_cast<long long>(found),
              static_cast<long long>(expected), gaps.text().c_str());
  std::exit(1);
}

class checker {
 public:
  void compare(const std::vector<residue>& query, const sequences& subjects, const score_matrix& scores,
               const gap_costs& gaps) {
    const subject_batch batch(subjects);
    for (std::size_t lane = 0; lane != subjects.size(); ++lane)
      expected_[lane] = reference_score(query, subjects[lane], scores, gaps);
    static const char* const names[] = {"8 bits", "16 bits", "32 bits"};
    for (const width bits : all_widths) {
      if (!can_use(bits, scores, gaps)) continue;
      const std::int64_t most = most_certain(bits, scores, gaps);
      const auto best = align(bits, query, batch.view(), scores, gaps, memory_);
      for (std::size_t lane = 0; lane != lanes; ++lane) {
        const std::int64_t expected = expected_[lane] > most ? -1 : expected_[lane];
        if (best[lane] != expected) fail(names[static_cast<int>(bits)], best[lane], expected, gaps);
        ++count_;
      }
    }
    for (std::size_t lane = 0; lane < subjects.size(); lane += 9) {
      trace(query, subjects[lane], expected_[lane], scores, gaps);
      const std::int64_t found = align_pair(query, subjects[lane], scores, gaps, pair_).score;
      if (found != expected_[lane]) fail("a pair", found, expected_[lane], gaps);
      ++count_;
    }
    expected_.fill(0);
  }

  std::size_t count() const { return count_; }

 private:
  void trace(const std::vector<residue>& query, const std::vector<residue>& subject, std::int64_t expected,
             const score_matrix& scores, const gap_costs& gaps) {
    const alignment found = align_traced(query, subject, scores, gaps, tracing_);
    std::size_t i = found.query_begin, j = found.subject_begin;
    std::int64_t sum = 0;
    for (const run& each : found.runs) {
      if (each.kind != column_kind::both) sum -= gaps.open + gaps.extend * static_cast<std::int64_t>(each.length);
      for (std::size_t k = 0; k != each.length; ++k) {
        if (each.kind == column_kind::both) sum += scores(query[i], subject[j]);
        if (each.kind != column_kind::subject_only) ++i;
        if (each.kind != column_kind::query_only) ++j;
      }
    }
    if (found.score != expected) fail("alignment", found.score, expected, gaps);
    if (sum != expected || i != found.query_end || j != found.subject_end)
      fail("sum over an alignment", sum, expected, gaps);
    ++count_;
  }

  kernel_memory memory_;
  traceback_memory tracing_{2, 1'024};
  pair_memory pair_{segments};
  std::array<std::int64_t, lanes> expected_{};
  std::size_t count_ = 0;
};

std::size_t check() {
  checker made;
  std::mt19937 random(47);
  const score_matrix blosum50 = score_matrix::named("BLOSUM50");
  const score_matrix blosum62 = score_matrix::named("BLOSUM62");
  const score_matrix any = random_matrix(random, -100, 90);
  using test_case = std::pair<const score_matrix*, gap_costs>;
  for (const auto& [scores, gaps] :
       {test_case{&blosum50, {10, 2}}, test_case{&blosum50, {5, 2}}, test_case{&blosum62, {11, 1}},
        test_case{&blosum62, {0, 0}}, test_case{&any, {3, 1}}, test_case{&blosum62, {3'000, 1'000}},
        test_case{&any, {1'000'000, 1'000'000}}}) {
    for (const std::size_t length : {1u, 7u, 60u, 100u}) {
      const auto query = random_residues(random, length, 27);
      sequences subjects;
      for (std::size_t i = 0; i != lanes - 3; ++i) {
        subjects.push_back(i % 2 == 0 ? mutated(random, query, 2 + random() % 30)
                                      : random_residues(random, random() % 60, 27));
      }
      made.compare(query, subjects, *scores, gaps);
    }
  }
  // Scores around the limits of 7, 8, 15 and 16 bits.
  const score_matrix low = matrix_of_two(11, 1, -5), high = matrix_of_two(100, 1, -100);
  sequences subjects;
  for (std::size_t score = 100; score < 260; score += 3) subjects.push_back(two_runs(score / 11, score % 11));
  made.compare(two_runs(25, 12), subjects, low, {10, 2});
  subjects.clear();
  for (const std::size_t score : {32'766u, 32'767u, 32'768u, 65'335u, 65'336u, 65'535u, 65'536u})
    subjects.push_back(two_runs(score / 100, score % 100));
  made.compare(two_runs(660, 100), subjects, high, {10, 2});
  return made.count();
}

std::int64_t target_of(std::string_view name) {
  for (auto left = static_cast<std::uint64_t>(HWY_TARGETS); left != 0; left &= left - 1) {
    const auto target = static_cast<std::int64_t>(left & -left);
    if (hwy::TargetName(target) == name) return target;
  }
  return 0;
}

}  // namespace
}  // namespace swsearch

int main(int count, char** names) {
#ifdef __aarch64__
  const int length = prctl(PR_SVE_GET_VL);
  if (length >= 0) std::printf("vectors of %d bytes: ", length & PR_SVE_VL_LEN_MASK);
#endif
  for (int i = 1; i != count; ++i) {
    the_target = swsearch::target_of(names[i]);
    if (the_target == 0) {
      std::printf("FAILED: this is built without %s\n", names[i]);
      return 1;
    }
    hwy::GetChosenTarget().DeInit();
    const std::size_t compared = swsearch::check();
    std::printf("%s %zu scores%s", names[i], compared, i + 1 == count ? "\n" : ", ");
    std::fflush(stdout);
  }
  return 0;
}
