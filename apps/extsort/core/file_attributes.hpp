// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace extsort {

/// Gives a new file what an old one has, whose place it is going to take: owner, group,
/// permissions, access control list and other extended attributes.
/// @param old its name; it is there
/// @param made descriptor of the new one
/// @return what could not be kept, in words
std::vector<std::string> keep_attributes(const std::string& old, int made);

}  // namespace extsort
