// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "record_rules.hpp"

#include <variant>

namespace extsort {

std::unique_ptr<const input_rules> rules_of_input(const record_format& format) {
  return std::visit(
      []<class Format>(const Format& as) -> std::unique_ptr<const input_rules> {
        return std::make_unique<input_rules_of<Format>>(as);
      },
      format);
}

std::unique_ptr<const record_rules> rules_of_runs(const record_format& format, bool numbered) {
  if (!numbered) return rules_of_input(format);
  return std::visit(
      []<class Format>(const Format& as) -> std::unique_ptr<const record_rules> {
        using stored = numbered_records<Format>;
        return std::make_unique<rules_of<stored>>(stored(as));
      },
      format);
}

}  // namespace extsort
