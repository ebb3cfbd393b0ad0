// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/run/run.hpp>

#include "doctor/control_group.hpp"
#include "doctor/finding.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace {

namespace fs = std::filesystem;

std::string plural(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// The widest vectors that swsearch, extsort and filesearch have code for, and this processor has.
std::string vectors() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2")) return "AVX-512 with VBMI2";
  if (__builtin_cpu_supports("avx512bw")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  if (__builtin_cpu_supports("sse4.2")) return "SSE4";
  if (__builtin_cpu_supports("ssse3")) return "SSSE3";
  return "SSE2";
#elif defined(__aarch64__)
#if defined(HWCAP2_SVE2)
  if ((::getauxval(AT_HWCAP2) & HWCAP2_SVE2) != 0) return "SVE2";
#endif
  if ((::getauxval(AT_HWCAP) & HWCAP_SVE) != 0) return "SVE";
  return "NEON";
#else
  return "unknown vectors";
#endif
}

std::string word_in(const fs::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

struct cache {
  std::string level, type, size;
};

// Caches that data pass, of the first core that this process may use.
std::vector<cache> caches() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  ::sched_getaffinity(0, sizeof cores, &cores);
  int first = 0;
  while (first + 1 < CPU_SETSIZE && !CPU_ISSET(first, &cores)) ++first;
  std::vector<cache> found;
  const fs::path folder = fmt::format("/sys/devices/system/cpu/cpu{}/cache", first);
  std::error_code none;
  for (const auto& each : fs::directory_iterator(folder, none)) {
    cache one{word_in(each.path() / "level"), word_in(each.path() / "type"), word_in(each.path() / "size")};
    if (!one.level.empty() && !one.size.empty() && one.type != "Instruction") found.push_back(std::move(one));
  }
  std::ranges::sort(found, {}, &cache::level);
  return found;
}

// NUMA nodes that have cores, or one if the system does not say.
std::size_t nodes() {
  std::size_t count = 0;
  std::error_code none;
  for (const auto& each : fs::directory_iterator("/sys/devices/system/node", none)) {
    const std::string name = each.path().filename();
    if (name.starts_with("node") && !word_in(each.path() / "cpulist").empty()) ++count;
  }
  return std::max<std::size_t>(count, 1);
}

// "1024K" as "1 MiB".
std::string cache_size(const std::string& size) {
  double bytes = std::strtod(size.c_str(), nullptr);
  if (size.ends_with('K')) bytes *= 1024;
  if (size.ends_with('M')) bytes *= 1024 * 1024;
  return size_text(bytes);
}

}  // namespace

finding cores_found() {
  const auto all = static_cast<std::size_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool known = ::sched_getaffinity(0, sizeof set, &set) == 0;
  const std::size_t allowed = known ? static_cast<std::size_t>(CPU_COUNT(&set)) : all;
  const auto quota = own_limits().cores;
  const std::size_t usable = weir::available_cores();
  finding made{.topic = "cores", .text = fmt::format("{} of {}", usable, all), .consequence = {}};
  if (allowed < all) made.text += fmt::format("; the affinity of this process allows {}", allowed);
  if (quota) made.text += fmt::format("; its control group has the time of {:.3g}", *quota);
  if (usable < all) {
    made.is = offer::part;
    made.consequence = fmt::format("So weir starts {} by default", plural(usable, "worker", "workers"));
  }
  made.facts = {{"usable", usable}, {"all", all}, {"affinity", allowed}};
  if (quota) made.facts["quota"] = *quota;
  return made;
}

finding processor_found() {
  const std::size_t count = nodes();
  finding made{.topic = "processor",
               .text = fmt::format("{}; {}", vectors(), plural(count, "NUMA node", "NUMA nodes")),
               .consequence = {}};
  made.facts = {{"vectors", vectors()}, {"numa_nodes", count}, {"caches", nlohmann::ordered_json::object()}};
  std::string sizes;
  for (const cache& each : caches()) {
    sizes += fmt::format("{}L{} {}", sizes.empty() ? "; caches " : ", ", each.level, cache_size(each.size));
    made.facts["caches"]["L" + each.level] = each.size;
  }
  made.text += sizes;
  if (vectors() == "SSE2" || vectors() == "SSSE3") {
    made.is = offer::part;
    made.consequence = "Without AVX2, swsearch compares fewer sequences at a time";
  }
  return made;
}
