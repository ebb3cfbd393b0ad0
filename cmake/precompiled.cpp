// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// CMake compiles headers beforehand for a target that has a file; here they are all that matters.
