// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Includes the whole library except the cluster, the codecs for cereal, and the untyped builder. A
// program that includes weir/weir.hpp and only the headers of io/, patterns/ and serve/ that it
// uses compiles several times faster.

#include "weir/blocks/async.hpp"
#include "weir/graph/notice.hpp"
#include "weir/io/chunks.hpp"
#include "weir/io/collect.hpp"
#include "weir/io/file_names.hpp"
#include "weir/io/from.hpp"
#include "weir/io/generator.hpp"
#include "weir/io/lines.hpp"
#include "weir/io/tcp.hpp"
#include "weir/io/walk.hpp"
#include "weir/io/write_chunks.hpp"
#include "weir/io/write_lines.hpp"
#include "weir/patterns/aggregates.hpp"
#include "weir/patterns/count_window.hpp"
#include "weir/patterns/divide_and_conquer.hpp"
#include "weir/patterns/evolve.hpp"
#include "weir/patterns/map.hpp"
#include "weir/patterns/map_reduce.hpp"
#include "weir/patterns/object_pool.hpp"
#include "weir/patterns/parallel_for.hpp"
#include "weir/patterns/parallel_reduce.hpp"
#include "weir/patterns/parallel_scan.hpp"
#include "weir/patterns/parallel_sort.hpp"
#include "weir/patterns/session_window.hpp"
#include "weir/patterns/stencil.hpp"
#include "weir/patterns/task_graph.hpp"
#include "weir/patterns/time_window.hpp"
#include "weir/run/fork_join.hpp"
#include "weir/run/stop_on.hpp"
#include "weir/serve/accelerator.hpp"
#include "weir/serve/server.hpp"
#include "weir/weir.hpp"
