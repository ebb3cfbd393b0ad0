// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of swsearch, driven as SWPS3 drives its own (F1, section 3.2): a master process sends
// pieces of the database to workers over pipes, and collects scores over pipes; queries follow each
// other, and each of them is over before the next begins. A piece is a batch of 64 sequences, since
// the kernel aligns these side by side; a worker has up to two of them at a time. Prints the best
// hits.
#include "../processes.hpp"
#include "database_file.hpp"
#include "inputs.hpp"

#include <poll.h>

#include <array>
#include <deque>
#include <numeric>

namespace {

using namespace swsearch;

// A piece is this header, followed by `columns` * `lanes` residues; an answer is `lanes` scores.
struct piece_head {
  std::uint32_t columns;
  std::uint32_t query;
  std::uint32_t sequences;
  std::array<std::uint32_t, lanes> lengths;
};
using answer = std::array<std::int64_t, lanes>;
static_assert(sizeof(answer) <= 4096, "written in one piece, and never waits: a worker has two of them at most");

[[noreturn]] void work(const sw_bench::scheme& scheme, const std::vector<sequence>& queries, int from, int to) {
  struct alignas(lanes) column {
    residue of[lanes];
  };
  std::array<std::uint32_t, lanes> order{};
  std::iota(order.begin(), order.end(), 0);
  const std::array<std::uint64_t, lanes> no_titles{};
  std::vector<column> columns;
  searcher searches(scheme.scores, scheme.gaps);
  piece_head head{};
  for (std::uint32_t last_query = 0; weir_bench::read_all(from, &head, sizeof head); last_query = head.query) {
    columns.resize(std::max<std::size_t>(columns.size(), head.columns));
    if (head.columns != 0 && !weir_bench::read_all(from, columns.data(), head.columns * sizeof(column)))
      weir_bench::give_up("a piece is cut off");
    if (head.query != last_query) searches.begin_query();
    const database subjects({.lengths = {head.lengths.data(), head.sequences},
                             .title_ends = no_titles,
                             .titles = {},
                             .order = {order.data(), head.sequences},
                             .residues = {columns.data()->of, head.columns * lanes}},
                            nullptr, {}, {}, {});
    answer best{};
    auto hits = searches.search(subjects, queries[head.query].residues, 0, 1);
    searches.search_again(subjects, queries[head.query].residues, hits);
    for (const hit& each : hits) best[each.lane] = each.score;
    weir_bench::write_all(to, best.data(), sizeof best);
  }
  std::_Exit(0);
}

class worker {
 public:
  worker(const sw_bench::scheme& scheme, const std::vector<sequence>& queries) {
    int down[2];
    int up[2];
    if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) weir_bench::give_up("pipe");
    process_ = weir_bench::start_process([&] {
      ::close(down[1]);
      ::close(up[0]);
      work(scheme, queries, down[0], up[1]);
    });
    ::close(down[0]);
    ::close(up[1]);
    to_ = down[1];
    from_ = up[0];
    // The worker may be slow to read while the others wait for more.
    if (::fcntl(to_, F_SETFL, O_NONBLOCK) != 0) weir_bench::give_up("fcntl");
  }

  bool has_room() const { return sent_.size() < 2 && left_of_head_ == 0 && left_ == 0; }
  bool is_idle() const { return sent_.empty(); }
  void send(const database& subjects, std::uint32_t query, std::size_t batch) {
    const batch_view view = subjects.batch(batch);
    head_ = {static_cast<std::uint32_t>(view.columns), query,
             static_cast<std::uint32_t>(subjects.members(batch).size()), view.lengths};
    left_of_head_ = sizeof head_;
    at_ = view.residues;
    left_ = view.columns * lanes;
    sent_.push_back(batch);
    go_on();
  }
  /// Writes as much as the pipe takes.
  void go_on() {
    while (left_of_head_ != 0) {
      const auto* const begin = reinterpret_cast<const char*>(&head_) + sizeof head_ - left_of_head_;
      const ssize_t wrote = ::write(to_, begin, left_of_head_);
      if (wrote < 0 && errno == EAGAIN) return;
      if (wrote < 0) weir_bench::give_up("write");
      left_of_head_ -= static_cast<std::size_t>(wrote);
    }
    while (left_ != 0) {
      const ssize_t wrote = ::write(to_, at_, left_);
      if (wrote < 0 && errno == EAGAIN) return;
      if (wrote < 0) weir_bench::give_up("write");
      at_ += wrote;
      left_ -= static_cast<std::size_t>(wrote);
    }
  }
  /// @return the number of the batch
  std::size_t receive(answer& into) {
    if (!weir_bench::read_all(from_, into.data(), sizeof into)) weir_bench::give_up("a worker has ended");
    const std::size_t batch = sent_.front();
    sent_.pop_front();
    return batch;
  }
  std::array<pollfd, 2> waits() const {
    const bool has_more = left_of_head_ != 0 || left_ != 0;
    return {pollfd{from_, POLLIN, 0}, pollfd{has_more ? to_ : -1, POLLOUT, 0}};
  }
  pid_t end() const {
    ::close(to_);
    return process_;
  }

 private:
  pid_t process_ = 0;
  int to_ = -1;
  int from_ = -1;
  piece_head head_{};
  std::size_t left_of_head_ = 0;
  const residue* at_ = nullptr;
  std::size_t left_ = 0;
  std::deque<std::size_t> sent_;  // batches whose scores have not come
};

std::vector<hit> search(std::vector<worker>& workers, const database& subjects, std::uint32_t query, std::size_t most) {
  std::vector<hit> hits;
  std::size_t next = 0;
  std::vector<pollfd> waits;
  while (true) {
    // Gives one batch to each worker in turn, so that no worker has two while another has none.
    for (int turn = 0; turn != 2; ++turn) {
      for (worker& each : workers) {
        if (next != subjects.batches() && each.has_room() && (turn == 1 || each.is_idle()))
          each.send(subjects, query, next++);
      }
    }
    waits.clear();
    for (const worker& each : workers) {
      for (const pollfd& one : each.waits()) waits.push_back(one);
    }
    if (std::ranges::all_of(workers, &worker::is_idle)) break;
    if (::poll(waits.data(), waits.size(), -1) < 0) weir_bench::give_up("poll");
    for (std::size_t i = 0; i != workers.size(); ++i) {
      if (waits[2 * i + 1].revents != 0) workers[i].go_on();
      if (waits[2 * i].revents == 0) continue;
      answer best;
      const std::size_t batch = workers[i].receive(best);
      const auto members = subjects.members(batch);
      for (std::size_t lane = 0; lane != members.size(); ++lane)
        hits.push_back({.score = best[lane], .number = members[lane]});
      if (hits.size() > 10'000) keep_best(hits, most);
    }
  }
  keep_best(hits, most);
  return hits;
}

}  // namespace

int main(int argc, char** argv) {
  const sw_bench::arguments given(
      argc, argv,
      {{"query", ""}, {"database", ""}, {"gap-open", "10"}, {"gap-extend", "2"}, {"workers", "0"}, {"top", "10"}});
  const sw_bench::scheme scheme(given);
  const auto queries = sw_bench::read_fasta(given["query"]);
  const std::size_t count =
      given.number("workers") == 0 ? weir_bench::cores() : static_cast<std::size_t>(given.number("workers"));
  std::vector<worker> workers;
  for (std::size_t i = 0; i != count; ++i) workers.emplace_back(scheme, queries);
  const database subjects = map_database(given["database"], alphabet::protein());
  for (std::uint32_t query = 0; query != queries.size(); ++query)
    sw_bench::print_hits(queries[query].name, subjects,
                         search(workers, subjects, query, static_cast<std::size_t>(given.number("top"))));
  std::vector<pid_t> processes;
  for (const worker& each : workers) processes.push_back(each.end());
  weir_bench::wait_for_processes(processes);
}
