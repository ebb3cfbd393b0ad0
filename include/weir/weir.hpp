// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Includes the core of the library: nodes, pipelines, farms, loops, splits, and the functions that
// run them. The other parts have headers of their own in io/, patterns/ and serve/. weir/all.hpp
// includes all of them.

#include "weir/blocks/context.hpp"
#include "weir/blocks/farm.hpp"
#include "weir/blocks/feedback.hpp"
#include "weir/blocks/fuse.hpp"
#include "weir/blocks/node.hpp"
#include "weir/blocks/outlet.hpp"
#include "weir/blocks/pass.hpp"
#include "weir/blocks/replace.hpp"
#include "weir/blocks/source.hpp"
#include "weir/blocks/split.hpp"
#include "weir/blocks/zip.hpp"
#include "weir/run/run.hpp"
#include "weir/version.hpp"
