// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/descriptor.hpp"
#include "io/doorbell.hpp"
#include "io/encoder.hpp"
#include "io/output.hpp"
#include "io/watch.hpp"

#include <memory>
#include <optional>
#include <string>

namespace weir::io {

/// A file that is written from the beginning, and has its name only once it is complete.
class file_output final : public output {
 public:
  /// Opens it; `-` is standard output. @throws std::system_error
  file_output(std::string name, const write_options& options, const std::shared_ptr<doorbell>& bell);
  ~file_output() override;

  void add(std::string_view bytes) override;
  bool as_items_come() const noexcept override { return unfinished_.empty(); }
  bool flush() override;
  void end() override;
  void commit() override;

 private:
  void open_beside();

  std::string name_;
  std::string path_;        // where links lead
  std::string unfinished_;  // the name until it is complete; empty if it has none of its own
  descriptor file_;
  std::optional<watch> watch_;
  std::unique_ptr<encoder> encoder_;
};

}  // namespace weir::io
