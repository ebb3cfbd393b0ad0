// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/io/collect.hpp"
#include "weir/io/from.hpp"

#include "support/file_text.hpp"
#include "support/networks.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace weir_test {

using strings = std::vector<std::string>;

/// A new folder for each test under each executor.
class in_folder : public each_executor {
 protected:
  std::string at(const std::string& name) const { return folder_.path() / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(at(name), std::ios::binary) << text;
    return at(name);
  }
  std::string read(const std::string& name) const { return file_text(at(name)); }
  /// Runs a command in the folder.
  void shell(const std::string& command) const {
    ASSERT_EQ(std::system(("cd '" + folder_.path().native() + "' && " + command).c_str()), 0) << command;
  }
  strings names() const {
    strings found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  template <class Item>
  std::vector<Item> all_of(const weir::block<void, Item>& source) {
    std::vector<Item> out;
    run(source | weir::collect(out));
    return out;
  }

  /// Returns the text of the node_error of a run.
  template <class Whole>
  std::string problem_of(const Whole& whole) {
    try {
      run(whole);
    } catch (const weir::node_error& error) {
      return error.what();
    }
    return "none";
  }
  template <class Item>
  std::string problem_with(const weir::block<void, Item>& source) {
    return problem_of(source | weir::sink([](Item) {}));
  }

 private:
  temporary_folder folder_;
};

/// Lines of many lengths, together some 1.5 MB.
inline strings many_lines() {
  strings lines;
  for (std::size_t n = 0; n != 30000; ++n) lines.emplace_back(n * 7 % 101, static_cast<char>('a' + n % 26));
  lines.emplace_back(700'000, 'x');  // longer than one read
  lines.emplace_back("last");
  return lines;
}

inline std::string joined(const strings& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace weir_test
