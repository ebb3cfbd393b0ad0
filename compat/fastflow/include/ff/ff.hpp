// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_FF_HPP
#define WEIR_FF_FF_HPP

// FastFlow's interface, on weir's engine. See docs/from-fastflow.md.

#include <ff/all2all.hpp>
#include <ff/buffernode.hpp>
#include <ff/combine.hpp>
#include <ff/config.hpp>
#include <ff/farm.hpp>
#include <ff/graph_utils.hpp>
#include <ff/multinode.hpp>
#include <ff/node.hpp>
#include <ff/optimize.hpp>
#include <ff/ordering_policies.hpp>
#include <ff/pipeline.hpp>
#include <ff/thread.hpp>
#include <ff/utils.hpp>

#endif
