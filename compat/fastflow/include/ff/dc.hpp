// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DC_HPP
#define WEIR_FF_DC_HPP

#include <weir/export.hpp>

#include <ff/mapping_utils.hpp>
#include <ff/node.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#ifndef DEFAULT_OUTSTANDING_TASKS
#define DEFAULT_OUTSTANDING_TASKS 2048
#endif

namespace ff {

namespace detail {

/// A divide and conquer whose problems and results have no type. Any thread may call the functions.
struct division {
  using problem = std::shared_ptr<void>;
  using result = std::shared_ptr<void>;
  std::function<bool(const problem&)> is_base;
  std::function<result(const problem&)> solve;
  std::function<std::vector<problem>(const problem&)> divide;
  std::function<result(std::vector<result>)> combine;
};

/// @throws the first exception of a function
WEIR_API division::result divide_and_conquer(division::problem whole, const division& by);

}  // namespace detail

/// Divide and conquer: a problem for which `cond` holds is solved by `seq`. Others are divided, and
/// the results of the parts combined.
template <typename OperandType, typename ResultType>
class ff_DC : public ff_node {
 public:
  typedef std::function<void(const OperandType&, std::vector<OperandType>&)> divide_f_t;
  typedef std::function<void(std::vector<ResultType>&, ResultType&)> combine_f_t;
  typedef std::function<void(const OperandType&, ResultType&)> seq_f_t;
  typedef std::function<bool(const OperandType&)> cond_f_t;

  ff_DC(const divide_f_t& divide, const combine_f_t& combine, const seq_f_t& seq, const cond_f_t& cond,
        const OperandType& op, ResultType& res, int numw = static_cast<int>(ff_realNumCores()),
        std::size_t = DEFAULT_OUTSTANDING_TASKS, int = static_cast<int>(ff_numCores()),
        void (*)(unsigned long) = nullptr)
      : ff_DC(divide, combine, seq, cond, numw) {
    operand_ = &op;
    result_ = &res;
  }
  /// A node of a pipeline, which takes problems and sends their results.
  ff_DC(const divide_f_t& divide, const combine_f_t& combine, const seq_f_t& seq, const cond_f_t& cond,
        int /*numw*/ = static_cast<int>(ff_realNumCores()), std::size_t = DEFAULT_OUTSTANDING_TASKS,
        int = static_cast<int>(ff_numCores()), void (*)(unsigned long) = nullptr)
      : divide_(divide), combine_(combine), seq_(seq), cond_(cond) {}

  /// Solves the problem of the constructor.
  /// @return 0; -1 if there is none, or a function has failed
  int run(bool skip_init = false) override {
    if (operand_ == nullptr) return ff_node::run(skip_init);
    gettimeofday(&began_, nullptr);
    try {
      solve(*operand_, *result_);
    } catch (const std::exception& problem) {
      error("DC, has failed: %s\n", problem.what());
      return -1;
    }
    gettimeofday(&ended_, nullptr);
    return 0;
  }
  int run_and_wait_end() override { return run() < 0 ? -1 : wait(); }
  int run_then_freeze(ssize_t = -1) override { return run(); }
  int wait() override { return operand_ == nullptr ? ff_node::wait() : 0; }
  int wait_freezing() override { return wait(); }

  double ffTime() override { return operand_ == nullptr ? ff_node::ffTime() : diffmsec(ended_, began_); }

  void* svc(void* task) override {
    ResultType* const result = new ResultType;
    solve(*static_cast<OperandType*>(task), *result);
    return result;
  }

 private:
  void solve(const OperandType& operand, ResultType& result) {
    using problem = detail::division::problem;
    using found = detail::division::result;
    const auto operand_in = [](const problem& each) -> OperandType& { return *static_cast<OperandType*>(each.get()); };
    const auto result_in = [](const found& each) -> ResultType& { return *static_cast<ResultType*>(each.get()); };
    detail::division by;
    by.is_base = [&](const problem& each) { return cond_(operand_in(each)); };
    by.solve = [&](const problem& each) {
      const auto made = std::make_shared<ResultType>();
      seq_(operand_in(each), *made);
      return found(made);
    };
    by.divide = [&](const problem& each) {
      std::vector<OperandType> parts;
      divide_(operand_in(each), parts);
      std::vector<problem> made;
      for (OperandType& part : parts) made.push_back(std::make_shared<OperandType>(std::move(part)));
      return made;
    };
    by.combine = [&](const std::vector<found>& all) {
      std::vector<ResultType> parts;
      for (const found& part : all) parts.push_back(std::move(result_in(part)));
      const auto made = std::make_shared<ResultType>();
      combine_(parts, *made);
      return found(made);
    };
    const found all = detail::divide_and_conquer(std::make_shared<OperandType>(operand), by);
    result = std::move(result_in(all));
  }

  const divide_f_t divide_;
  const combine_f_t combine_;
  const seq_f_t seq_;
  const cond_f_t cond_;
  const OperandType* operand_ = nullptr;
  ResultType* result_ = nullptr;
  timeval began_{};
  timeval ended_{};
};

}  // namespace ff

#endif
