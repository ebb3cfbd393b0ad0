// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/this_build.hpp"

#include <weir/detail/graph/parts.hpp>
#include <weir/version.hpp>

#include "support/command_line.hpp"
#include "support/wrapped.hpp"

#include <fmt/format.h>

#include <utility>

namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string machine() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "arm64";
#else
  return "another machine";
#endif
}

std::vector<std::string> traits() {
  std::vector<std::string> found;
#if defined(__OPTIMIZE__)
  found.emplace_back("optimised");
#else
  found.emplace_back("not optimised");
#endif
#if !defined(NDEBUG)
  found.emplace_back("with assertions");
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIR_HAS_ASAN
#elif __has_feature(thread_sanitizer)
#define WEIR_HAS_TSAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(WEIR_HAS_ASAN)
  found.emplace_back("address sanitizer");
#elif defined(__SANITIZE_THREAD__) || defined(WEIR_HAS_TSAN)
  found.emplace_back("thread sanitizer");
#endif
  return found;
}

std::vector<std::string> parts() {
  const weir::detail::build_parts libraries = weir::detail::parts_of_build();
  std::vector<std::string> found;
  if (libraries.hwloc) found.emplace_back("hwloc");
  if (libraries.openssl) found.emplace_back("OpenSSL");
  if (libraries.zlib) found.emplace_back("zlib");
  if (libraries.zstd) found.emplace_back("zstd");
  for (std::string& each : weir::support::split_list(WEIR_PARTS))
    if (!each.empty()) found.push_back(std::move(each));
  return found;
}

}  // namespace

this_build how_built() {
  return {.version = weir::version, .compiler = compiler(), .machine = machine(), .traits = traits(), .parts = parts()};
}

std::string text_of(const this_build& build) {
  const std::string with =
      build.parts.empty() ? "without optional parts" : fmt::format("with {}", fmt::join(build.parts, ", "));
  return fmt::format("built by {} for {}, {}\n{}", build.compiler, build.machine, fmt::join(build.traits, ", "),
                     weir::support::wrapped(with, 80));
}
