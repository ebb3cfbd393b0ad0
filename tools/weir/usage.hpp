// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

/// Help that begins with these words instead of what CLI11 makes up, for commands that start a program.
class given_usage final : public CLI::Formatter {
 public:
  explicit given_usage(std::string words) : words_(std::move(words)) {}

 private:
  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + words_ + "\n"; }

  std::string words_;
};
