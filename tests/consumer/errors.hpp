// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Returns whether exceptions that the library throws have the types that this program catches.
bool errors_cross_the_library();
