// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// CMake needs a source file in a target that precompiles headers; only the headers matter.
