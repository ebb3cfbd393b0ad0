// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/context.hpp"
#include "weir/blocks/farm.hpp"
#include "weir/blocks/feedback.hpp"
#include "weir/blocks/fuse.hpp"
#include "weir/blocks/node.hpp"
#include "weir/blocks/outlet.hpp"
#include "weir/blocks/replace.hpp"
#include "weir/blocks/source.hpp"
#include "weir/blocks/split.hpp"
#include "weir/blocks/zip.hpp"
#include "weir/io/collect.hpp"
#include "weir/io/from.hpp"
#include "weir/io/lines.hpp"
#include "weir/run/run.hpp"
#include "weir/serve/accelerator.hpp"
#include "weir/serve/server.hpp"
