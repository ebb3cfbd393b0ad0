// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DFF_HPP
#define WEIR_FF_DFF_HPP

// Programs that run as several processes (F2). Include this header in place of <ff/ff.hpp>, before
// all other headers of FastFlow. With DISABLE_FF_DISTRIBUTED the program is one process:
// groups only say which nodes of two blocks may be connected, and the dry run writes them.

#if defined(WEIR_FF_CONFIG_HPP) && !defined(DFF_ENABLED) && !defined(DISABLE_FF_DISTRIBUTED)
#error "include <ff/dff.hpp> before the other headers of FastFlow"
#endif
#if !defined(DISABLE_FF_DISTRIBUTED) && !defined(DFF_ENABLED)
#define DFF_ENABLED
#endif
#if defined(DFF_ENABLED) && __cplusplus < 202002L
#error "<ff/dff.hpp> needs C++20 (-std=c++20); the other headers of FastFlow need C++17"
#endif

#include <ff/detail/process_group.hpp>
#include <ff/ff.hpp>

#include <ostream>
#include <string>

namespace ff {

template <class Character, class Traits>
std::basic_ostream<Character, Traits>& endl(std::basic_ostream<Character, Traits>& to) {
  return std::endl(to);
}

}  // namespace ff

/// Makes this process the group that its arguments, or `weir run`, say, and removes these
/// arguments. Call it at the beginning of `main`. Arguments: - `--DFF_Config=FILE` and
/// `--DFF_GName=NAME`, or with a space in place of `=`: the configuration of all groups, and the
/// name of
///    this one. `weir run` and `dff_run` give them in the environment. Without them, the network
///    runs in this process;
///  - `--DFF_dryrun=FILE`: running a network writes a configuration for it, and does nothing else;
///  - `--DFF_PrintGroup`: running a network prints the nodes of this group first.
/// @return 0; -1: wrong arguments, said on standard error
static inline int DFF_Init(int& argc, char**& argv) {
#ifdef DFF_ENABLED
  return ff::detail::init_group(argc, argv, true);
#else
  return ff::detail::init_group(argc, argv, false);
#endif
}

/// Returns the name of the group that this process is; empty: none.
inline std::string DFF_getMyGroup() { return ff::detail::name_of_group(); }

namespace ff {
using ::DFF_getMyGroup;
using ::DFF_Init;
}  // namespace ff

#ifdef DFF_ENABLED
using namespace ff;  // distributed programs rely on it
#endif

#endif
