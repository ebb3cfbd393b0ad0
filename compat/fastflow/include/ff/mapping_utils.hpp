// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_MAPPING_UTILS_HPP
#define WEIR_FF_MAPPING_UTILS_HPP

#include <weir/export.hpp>

#include <ff/utils.hpp>
#include <sys/types.h>

#include <string>

/// Number of processors that this process may use.
WEIR_API ssize_t ff_numCores();
/// Number of cores of the machine: its processors without those that share a core with another one.
WEIR_API ssize_t ff_realNumCores();
/// Number of sockets of the machine.
WEIR_API ssize_t ff_numSockets();
/// Hertz of the processor; 0 if the system doesn't say.
WEIR_API unsigned long ff_getCpuFreq();
/// The processor that the caller runs on.
WEIR_API ssize_t ff_getMyCore();
inline ssize_t ff_getMyCpu() { return ff_getMyCore(); }
/// The system's number of this thread.
WEIR_API std::size_t ff_getThreadID();
/// Binds this thread to a processor. A node's code should leave that to the network, whose threads
/// run several nodes. @return 0; -1 if the system refuses
WEIR_API ssize_t ff_mapThreadToCpu(int cpu, int priority = 0);
WEIR_API ssize_t ff_setPriority(ssize_t priority = 0);

#endif
