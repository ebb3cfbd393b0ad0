// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/descriptor.hpp"
#include "io/encoder.hpp"
#include "io/node_waker.hpp"
#include "io/output.hpp"
#include "io/watch.hpp"

#include <memory>
#include <optional>
#include <string>

namespace weir::io {

/// An output file that is written from the beginning, and gets its name only once it is complete.
class file_output final : public output {
 public:
  /// Opens the file; `-` is standard output. @throws std::system_error
  file_output(std::string name, const write_options& options, const std::shared_ptr<node_waker>& waker);
  ~file_output() override;

  void add(std::string_view bytes) override;
  bool as_items_come() const noexcept override { return unfinished_.empty(); }
  bool flush() override;
  void end() override;
  void commit() override;

 private:
  void open_beside();

  std::string name_;
  std::string path_;        // the path with links resolved
  std::string unfinished_;  // the temporary name until it is complete; empty if it has none
  descriptor file_;
  std::optional<watch> watch_;
  std::unique_ptr<encoder> encoder_;
};

}  // namespace weir::io
