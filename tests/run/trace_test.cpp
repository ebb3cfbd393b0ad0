// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Traces: the content of the file for a run, and the effect of tracing on the run.

#include "weir/io/from.hpp"

#include "file_text.hpp"
#include "graph/variables.hpp"
#include "needs.hpp"
#include "networks.hpp"
#include "temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace {

using namespace weir_test;
namespace fs = std::filesystem;
using nlohmann::json;

constexpr int threads = 1;
constexpr int nodes = 2;

// Content of a trace file.
struct reading {
  json all;
  std::map<std::pair<int, int>, std::string> names;           // by track
  std::map<std::pair<int, int>, std::vector<json>> slices{};  // by track, in order of time

  explicit reading(const std::string& text) : all(json::parse(text)) {
    for (const json& event : all.at("traceEvents")) {
      const std::pair<int, int> track(event.at("pid"), event.value("tid", 0));
      if (event.at("ph") == "M" && event.at("name") == "thread_name") names[track] = event.at("args").at("name");
      if (event.at("ph") == "X") slices[track].push_back(event);
    }
    for (auto& [track, each] : slices) {
      std::stable_sort(each.begin(), each.end(), [](const json& a, const json& b) { return a.at("ts") < b.at("ts"); });
    }
  }

  const std::vector<json>& of_node(const std::string& path) const {
    static const std::vector<json> none;
    for (const auto& [track, name] : names) {
      if (track.first == nodes && name == path) return slices.contains(track) ? slices.at(track) : none;
    }
    throw std::out_of_range("no track of " + path);
  }

  std::vector<json> of_node(const std::string& path, const std::string& what) const {
    std::vector<json> found = of_node(path);
    std::erase_if(found, [&](const json& each) { return each.at("name") != what; });
    return found;
  }

  static double microseconds(const std::vector<json>& some) {
    double sum = 0;
    for (const json& each : some) sum += each.at("dur").get<double>();
    return sum;
  }

  std::uint64_t dropped() const { return all.at("otherData").at("dropped"); }
};

// Checks every promise that holds for each file.
void check_tracks(const reading& trace) {
  for (const auto& [track, slices] : trace.slices) {
    EXPECT_TRUE(trace.names.contains(track)) << track.first << '/' << track.second;
    long long free_from = 0;  // in nanoseconds
    for (const json& each : slices) {
      const long long from = std::llround(each.at("ts").get<double>() * 1000);
      const long long takes = std::llround(each.at("dur").get<double>() * 1000);
      ASSERT_GE(from, free_from) << trace.names.at(track) << ": " << each;
      ASSERT_GE(takes, 0) << each;
      free_from = from + takes;
    }
  }
}

/// A new folder for each test under each executor.
class trace : public each_executor {
 protected:
  std::string at(const std::string& name) const { return folder_.path() / name; }

  weir::run_options traced(std::size_t bytes = std::size_t{8} << 20) const {
    weir::run_options options = GetParam().options;
    options.trace = {.file = at("run.json"), .bytes = bytes};
    return options;
  }

  std::string text(const std::string& name) const { return file_text(at(name)); }

  reading read(const std::string& name = "run.json") const {
    reading made(text(name));
    check_tracks(made);
    return made;
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

 private:
  const temporary_folder folder_;
};
// The records of fused nodes are tested in fused_test.cpp.
INSTANTIATE_TEST_SUITE_P(under, trace, testing::ValuesIn(executors_without_fusing()), executor_name);

constexpr auto a_while = std::chrono::microseconds(10);

TEST_P(trace, has_a_track_for_every_node_and_every_item) {
  weir::network net = numbers(3'000).named("read") | weir::farm([](long item) { return item; }, 3).named("pass") |
                      weir::sink([](long) {}).named("end");
  const weir::report report = weir::run(net, traced());
  const reading found = read();
  EXPECT_EQ(found.dropped(), 0U);
  for (const weir::node_report& node : report.nodes) {
    SCOPED_TRACE(node.path);
    std::uint64_t items = 0;
    for (const json& each : found.of_node(node.path, "running")) items += each.at("args").at("items").get<int>();
    for (const json& each : found.of_node(node.path, "blocked")) items += each.at("args").at("items").get<int>();
    EXPECT_EQ(items, node.items);
  }
  // The times of the nodes equal those of the threads.
  std::map<std::string, double> of_threads;
  for (const auto& [track, slices] : found.slices) {
    if (track.first != threads) continue;
    for (const json& each : slices) of_threads[each.at("name")] += each.at("dur").get<double>();
  }
  for (const weir::node_report& node : report.nodes) {
    EXPECT_NEAR(of_threads[node.path], reading::microseconds(found.of_node(node.path, "running")), 1) << node.path;
  }
}

TEST_P(trace, shows_who_waits_for_room) {
  std::atomic<bool> go_on{false};
  weir::network net =
      numbers(500).named("read") | weir::sink([&](long) { go_on.wait(false); }).named("slow").capacity(16);
  weir::running now = weir::start(net, traced());
  while (now.report_so_far().nodes.front().waiting_room < a_while) std::this_thread::yield();
  go_on = true;
  go_on.notify_all();
  now.wait();
  const reading found = read();
  const std::vector<json> waits = found.of_node("/read", "waits for room");
  ASSERT_FALSE(waits.empty());
  for (const json& each : waits) EXPECT_EQ(each.at("args").at("cause"), "/slow");
  EXPECT_TRUE(found.of_node("/slow", "waits for room").empty());
}

TEST_P(trace, shows_who_waits_for_input) {
  std::atomic<bool> go_on{false};
  weir::network net = weir::source([&, made = 0L]() mutable -> std::optional<long> {
                        go_on.wait(false);
                        return made++ < 500 ? std::optional<long>(made) : std::nullopt;
                      }).named("slow") |
                      weir::sink([](long) {}).named("end");
  weir::running now = weir::start(net, traced());
  while (now.report_so_far().nodes.back().waiting_input < a_while) std::this_thread::yield();
  go_on = true;
  go_on.notify_all();
  now.wait();
  const reading found = read();
  const std::vector<json> waits = found.of_node("/end", "waits for input");
  ASSERT_FALSE(waits.empty());
  for (const json& each : waits) EXPECT_EQ(each.at("args").at("cause"), "/slow");
  EXPECT_TRUE(found.of_node("/slow", "waits for input").empty());
  EXPECT_TRUE(found.of_node("/slow", "waits for room").empty());
}

TEST_P(trace, shows_a_send_that_waits_in_the_middle_of_a_step) {
  const auto burst = [](long item, weir::outlet<long>& out) {
    for (long i = 0; i != 10'000; ++i) out.send(item);
  };
  weir::run(
      numbers(1).named("read") | weir::node(burst).named("burst") | weir::sink([](long) {}).named("end").capacity(16),
      traced());
  const reading found = read();
  const std::vector<json> waits = found.of_node("/burst", "waits for room");
  ASSERT_FALSE(waits.empty());
  std::size_t named = 0;
  for (const json& each : waits) {
    if (!each.contains("args")) continue;
    EXPECT_EQ(each.at("args").at("cause"), "/end");
    ++named;
  }
  EXPECT_NE(named, 0U);
}

TEST_P(trace, shows_where_a_core_was_given_away) {
  weir::run(numbers(50).named("read") | weir::sink([](long) {}).named("end").blocking(), traced());
  const reading found = read();
  if (GetParam().options.executor == weir::executor::pool) {
    ASSERT_FALSE(found.of_node("/end", "blocked").empty());
    EXPECT_EQ(found.of_node("/end", "blocked").front().at("args").at("cause"), "is blocking(), and gave its core away");
  } else {
    EXPECT_TRUE(found.of_node("/end", "blocked").empty());
  }
}

TEST_P(trace, shows_who_stayed_in_user_code_while_others_were_ready) {
  // Three nodes are in user code at the same time, with two workers at most. At least one of them
  // goes on without a core.
  std::atomic<int> inside{0};
  const auto meet = [&](const char* name) {
    return weir::source([&inside, first = true]() mutable -> std::optional<long> {
             if (!std::exchange(first, false)) return std::nullopt;
             const int others = ++inside;
             inside.notify_all();
             for (int seen = others; seen != 3; seen = inside) inside.wait(seen);
             return 1;
           })
        .named(name);
  };
  weir::run(weir::merge(meet("a"), meet("b"), meet("c")).named("all") | weir::sink([](long) {}).named("end"), traced());
  const reading found = read();
  std::size_t without_core = 0;
  for (const char* const path : {"/all/a", "/all/b", "/all/c"}) {
    for (const json& each : found.of_node(path, "blocked")) {
      EXPECT_EQ(each.at("args").at("cause"),
                "its thread stood still inside user code, and its core was given to others");
      ++without_core;
    }
  }
  EXPECT_EQ(without_core != 0, GetParam().options.executor == weir::executor::pool);
}

TEST_P(trace, drops_the_oldest_when_its_memory_is_used_up) {
  constexpr std::size_t bytes = 8192;
  weir::network net = numbers(5000).named("read") |
                      weir::node([](long item) { return item; }).capacity(1).named("pass") |
                      weir::sink([](long) {}).named("end").capacity(1);
  weir::run(net, traced(bytes));
  const reading found = read();
  ASSERT_GT(found.dropped(), 0U);
  EXPECT_NE(text("run.json").find(std::to_string(found.dropped()) + " older slices were dropped"), std::string::npos);
  std::size_t kept = 0;
  for (const auto& [track, slices] : found.slices) kept += track.first == threads ? slices.size() : 0;
  EXPECT_GT(kept, 0U);
  EXPECT_LE(kept, bytes / 40);
  // The end of the run is in the file.
  double last = 0;
  for (const json& each : found.of_node("/end")) last = std::max(last, each.at("ts").get<double>());
  for (const json& each : found.all.at("traceEvents")) {
    if (each.at("ph") != "i") continue;
    EXPECT_LE(each.at("ts").get<double>(), last);
  }
}

TEST_P(trace, of_a_run_that_is_cancelled) {
  std::atomic<bool> began{false};
  weir::network net = weir::source([&, made = 0L]() mutable -> std::optional<long> {
                        began = true;
                        began.notify_all();
                        return made++;
                      }).named("read") |
                      weir::sink([](long) {}).named("end");
  weir::running now = weir::start(net, traced());
  began.wait(false);
  now.cancel();
  now.wait();
  EXPECT_FALSE(read().of_node("/read", "running").empty());
}

TEST_P(trace, of_a_run_whose_handle_is_dropped) {
  weir::network net = weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }).named("read") |
                      weir::sink([](long) {}).named("end");
  { const weir::running now = weir::start(net, traced()); }
  EXPECT_NO_THROW(read().of_node("/read"));
}

TEST_P(trace, of_a_run_that_fails) {
  weir::network net = numbers(10'000).named("read") | weir::sink([](long item) {
                                                        if (item == 5000) throw std::runtime_error("too much");
                                                      }).named("end");
  EXPECT_THROW(weir::run(net, traced()), weir::node_error);
  EXPECT_FALSE(read().of_node("/end", "running").empty());
}

TEST_P(trace, of_each_run_of_a_network) {
  std::vector<long> out;
  weir::network net = weir::from({1L, 2L, 3L}).named("read") | into(out).named("end");
  weir::run(net, traced());
  fs::rename(at("run.json"), at("first.json"));
  weir::run(net, traced());
  EXPECT_FALSE(read("first.json").of_node("/end", "running").empty());
  EXPECT_FALSE(read().of_node("/end", "running").empty());
  fs::remove(at("run.json"));
  weir::run(net, GetParam().options);
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(out.size(), 9U);
}

TEST_P(trace, with_names_that_json_has_to_escape) {
  weir::run(numbers(10).named("a \"quoted\\ \xff name") | weir::sink([](long) {}).named("\xc3\xa9"), traced());
  const reading found = read();
  EXPECT_FALSE(found.of_node("/a \"quoted\\ \xef\xbf\xbd name").empty());
  EXPECT_FALSE(found.of_node("/\xc3\xa9").empty());
}

TEST_P(trace, compressed_where_the_name_says_so) {
  WEIR_NEEDS(zlib)
  weir::run_options options = traced();
  options.trace.file = at("run.json.gz");
  weir::run(numbers(1000).named("read") | weir::sink([](long) {}).named("end"), options);
  EXPECT_EQ(text("run.json.gz").substr(0, 2), "\x1f\x8b");
  ASSERT_EQ(std::system(("gzip -d '" + options.trace.file + "'").c_str()), 0);
  const reading found(text("run.json"));
  check_tracks(found);
  EXPECT_FALSE(found.of_node("/end", "running").empty());
}

TEST_P(trace, that_can_not_be_opened_is_an_error_before_the_start) {
  std::atomic<int> made{0};
  weir::network net =
      weir::source([&]() -> std::optional<long> { return ++made == 1 ? std::optional<long>(1) : std::nullopt; }) |
      weir::sink([](long) {});
  weir::run_options options = traced();
  options.trace.file = at("no/where.json");
  try {
    weir::run(net, options);
    FAIL() << "no error";
  } catch (const weir::graph_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "run_options::trace: can't write '" + options.trace.file +
                  "' (No such file or directory); name a file that can be written, also in WEIR_TRACE");
  }
  EXPECT_EQ(made, 0);
  weir::run(net, GetParam().options);
  EXPECT_EQ(made, 2);
}

TEST_P(trace, that_finds_the_disk_full_leaves_the_run_alone) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  weir::run_options options = traced();
  options.trace.file = "/dev/full";
  std::vector<long> out;
  EXPECT_EQ(weir::run(numbers(1000) | into(out), options).nodes.back().items, 1000U);
}

// Sets a variable of the environment; the destructor unsets it.
class variable {
 public:
  variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { weir::detail::forget_variable(name_); }

 private:
  const char* name_;
};

TEST_P(trace, asked_for_by_the_environment) {
  const weir::run_options options = GetParam().options;
  weir::network net = numbers(100).named("read") | weir::sink([](long) {}).named("end");
  {
    const variable file("WEIR_TRACE", at("every.day.json"));
    for (int i = 0; i != 2; ++i) weir::run(net, options);
    EXPECT_EQ(files(), 2U);
    weir::run(net, traced());  // the options take precedence
    EXPECT_TRUE(fs::exists(at("run.json")));
    EXPECT_EQ(files(), 3U);
  }
  weir::run(net, options);
  EXPECT_EQ(files(), 3U);
  for (const auto& each : fs::directory_iterator(fs::path(at("")))) {
    const std::string name = each.path().filename();
    EXPECT_TRUE(std::regex_match(name, std::regex(R"(run\.json|every\.day(\.[0-9]+)?\.json)"))) << name;
    EXPECT_FALSE(read(each.path().filename()).of_node("/end", "running").empty()) << each.path();
  }
}

TEST_P(trace, off_writes_nothing) {
  weir::run(numbers(100) | weir::sink([](long) {}), GetParam().options);
  EXPECT_EQ(files(), 0U);
}

}  // namespace
