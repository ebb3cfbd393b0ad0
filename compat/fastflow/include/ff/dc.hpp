// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DC_HPP
#define WEIR_FF_DC_HPP

#include <weir/patterns/divide_and_conquer.hpp>

#include <ff/mapping_utils.hpp>
#include <ff/node.hpp>

#include <functional>
#include <utility>
#include <vector>

#ifndef DEFAULT_OUTSTANDING_TASKS
#define DEFAULT_OUTSTANDING_TASKS 2048
#endif

namespace ff {

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
    result = weir::divide_and_conquer(
        OperandType(operand), [&](const OperandType& each) { return cond_(each); },
        [&](OperandType& each) {
          ResultType made{};
          seq_(each, made);
          return made;
        },
        [&](const OperandType& each) {
          std::vector<OperandType> parts;
          divide_(each, parts);
          return parts;
        },
        [&](std::vector<ResultType> parts) {
          ResultType made{};
          combine_(parts, made);
          return made;
        });
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
