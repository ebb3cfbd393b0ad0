// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks the functions and classes that the libraries define and programs call. weir's files are
/// compiled with -fvisibility=hidden, so a shared library exports nothing else. Templates need the
/// mark only if a library instantiates them.
///
/// It is the same in the library and in programs: classes that are thrown or that have virtual
/// functions then have one type in the whole program, even if the program hides its own symbols.
#define WEIR_API [[gnu::visibility("default")]]
