// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir::support {

/// Gives a new file the attributes of the old file that it is going to replace: owner, group,
/// permissions, access control list and other extended attributes.
/// @param old name of the old file, which exists
/// @param made descriptor of the new one
/// @return the attributes that could not be kept, in words
std::vector<std::string> keep_attributes(const std::string& old, int made);

}  // namespace weir::support
