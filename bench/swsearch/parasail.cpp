// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// parasail (Daily 2016), the C library inside PyPI's wheel, scores only: striped, AVX2, with a
// profile that is made once. `--bits 0` computes with 8 and again with 16 where that is not enough,
// which it calls `sat`; 16 starts with 16. `--function` names another way than striped, `--vectors`
// other vectors.
#include "inputs.hpp"

#include <dlfcn.h>

#include <functional>

namespace {

// Declarations from parasail.h.
struct matrix;
struct profile;
struct result;

class library {
 public:
  explicit library(const std::string& file) : handle_(::dlopen(file.c_str(), RTLD_NOW)) {
    if (handle_ == nullptr) throw std::runtime_error(::dlerror());
  }

  template <class Function>
  Function* get(const std::string& name) const {
    void* const found = ::dlsym(handle_, name.c_str());
    if (found == nullptr) throw std::runtime_error("it has no " + name);
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* handle_;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace swsearch;
  const sw_bench::arguments given(argc, argv,
                                  {{"query", ""},
                                   {"database", ""},
                                   {"gap-open", "10"},
                                   {"gap-extend", "2"},
                                   {"scores", ""},
                                   {"library", ""},
                                   {"bits", "0"},
                                   {"function", "striped"},
                                   {"vectors", "avx2_256"}});
  const sw_bench::scheme scheme(given);
  const library parasail(given["library"]);
  const std::string bits = given.number("bits") == 0 ? "sat" : given["bits"];
  const std::string vectors = given["vectors"] == "avx2_256" ? "avx_256" : "sse_128";
  auto* const make_matrix = parasail.get<matrix*(const char*, int, int)>("parasail_matrix_create");
  auto* const set_score = parasail.get<void(matrix*, int, int, int)>("parasail_matrix_set_value");
  auto* const make_profile =
      parasail.get<profile*(const char*, int, const matrix*)>("parasail_profile_create_" + vectors + "_" + bits);
  auto* const free_profile = parasail.get<void(profile*)>("parasail_profile_free");
  auto* const align = parasail.get<result*(const profile*, const char*, int, int, int)>(
      "parasail_sw_" + given["function"] + "_profile_" + given["vectors"] + "_" + bits);
  auto* const score_of = parasail.get<int(const result*)>("parasail_result_get_score");
  auto* const free_result = parasail.get<void(result*)>("parasail_result_free");

  const std::string letters(alphabet::protein().letters());
  matrix* const scores_of_pairs = make_matrix(letters.c_str(), 1, -1);
  for (std::size_t a = 0; a != letters.size(); ++a) {
    for (std::size_t b = 0; b != letters.size(); ++b)
      set_score(scores_of_pairs, static_cast<int>(a), static_cast<int>(b),
                scheme.scores.row(static_cast<residue>(a))[b]);
  }
  const auto text_of = [&](const std::vector<residue>& residues) {
    std::string text;
    for (const residue each : residues) text += letters[each];
    return text;
  };
  std::vector<std::string> texts;
  for (const sequence& each : sw_bench::read_fasta(given["database"])) texts.push_back(text_of(each.residues));
  // In parasail, `open` is the cost of a gap's first residue.
  const int open = scheme.gaps.open + scheme.gaps.extend;
  return sw_bench::compare_all("parasail", given, [&](const auto& query, const auto& subjects) {
    const std::string text = text_of(query);
    profile* const of_query = make_profile(text.c_str(), static_cast<int>(text.size()), scores_of_pairs);
    std::vector<std::int64_t> scores;
    for (std::size_t i = 0; i != subjects.size(); ++i) {
      result* const found =
          align(of_query, texts[i].c_str(), static_cast<int>(texts[i].size()), open, scheme.gaps.extend);
      scores.push_back(score_of(found));
      free_result(found);
    }
    free_profile(of_query);
    return scores;
  });
}
