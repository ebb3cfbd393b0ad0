// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/tell.hpp"

#include "support/output.hpp"
#include "support/unhurried_stream.hpp"

void tell(std::string_view text) { weir::support::write_standard_error_in_time(text); }

void tell_problem(std::string_view message) { tell(weir::support::complaint("weir run", message)); }
