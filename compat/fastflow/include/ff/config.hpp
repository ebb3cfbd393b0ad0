// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_CONFIG_HPP
#define WEIR_FF_CONFIG_HPP

// The settings that FastFlow programs define before they include a header. A program may define
// each of them by itself.
//
// FF_BOUNDED_BUFFER bounds the channels of pipelines, farms and all-to-alls from the start, as
// `setFixedSize(true)` does. BLOCKING_MODE, NO_DEFAULT_MAPPING, TRACE_FASTFLOW and
// FF_INITIAL_BARRIER choose nothing here: threads without work always sleep, nothing is pinned
// unless the program asks for it, counters are always kept, and there is no barrier at the start.

#include <climits>
#include <cstddef>

#ifndef DEFAULT_BUFFER_CAPACITY
#define DEFAULT_BUFFER_CAPACITY 2048
#endif
#ifndef DEF_IN_BUFF_ENTRIES
#define DEF_IN_BUFF_ENTRIES DEFAULT_BUFFER_CAPACITY
#endif
#ifndef DEF_OUT_BUFF_ENTRIES
#define DEF_OUT_BUFF_ENTRIES DEFAULT_BUFFER_CAPACITY
#endif
#ifndef MAX_NUM_THREADS
#define MAX_NUM_THREADS 512
#endif
#ifndef DEF_MAX_NUM_WORKERS
#define DEF_MAX_NUM_WORKERS (MAX_NUM_THREADS - 2)
#endif
#ifndef FF_TIMEDWAIT_NS
#define FF_TIMEDWAIT_NS 200000
#endif
#ifndef DEF_OFARM_ONDEMAND_MEMORY
#define DEF_OFARM_ONDEMAND_MEMORY 10000
#endif
#ifndef BACKOFF_MIN
#define BACKOFF_MIN 128
#endif
#ifndef BACKOFF_MAX
#define BACKOFF_MAX 1024
#endif
#ifndef CACHE_LINE_SIZE
#define CACHE_LINE_SIZE 64
#endif
#ifdef FF_BOUNDED_BUFFER
#define FF_FIXED_SIZE true
#else
#define FF_FIXED_SIZE false
#endif
#ifdef BLOCKING_MODE
#define FF_RUNTIME_MODE true
#else
#define FF_RUNTIME_MODE false
#endif

#define FF_IGNORE_UNUSED(x) static_cast<void>(x)

// With <ff/dff.hpp>, typed nodes know how their tasks are sent to other processes. Then they are
// other types than without it, so files with and without it can be linked to one program.
#ifdef DFF_ENABLED
#define WEIR_FF_TYPED_BEGIN inline namespace distributed {
#define WEIR_FF_TYPED_END }
#else
#define WEIR_FF_TYPED_BEGIN
#define WEIR_FF_TYPED_END
#endif

#endif
