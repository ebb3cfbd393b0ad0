// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>

namespace weir_test {

/// A certificate authority, and certificates of its own, made by the command openssl in a folder
/// that goes with it.
class certificates {
 public:
  certificates() {
    std::string name = (std::filesystem::temp_directory_path() / "weir-certificates-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("can't make a folder");
    folder_ = name;
  }
  certificates(const certificates&) = delete;
  certificates& operator=(const certificates&) = delete;
  ~certificates() {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }

  /// Those of a process `name`, signed by authority `by`. Any thread.
  /// @param days for which they are good
  /// @param belongs_to as a certificate says that, such as DNS:host; empty: it does not
  weir::tls_configuration files(const std::string& name = "group", const std::string& by = "authority", int days = 2,
                                const std::string& belongs_to = {}) {
    const std::lock_guard lock(mutex_);
    const std::string key = path(name + ".key");
    const std::string certificate = path(name + ".pem");
    const std::string authority = path(by + ".pem");
    if (!std::filesystem::exists(authority)) {
      run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=" + by + " -keyout " +
          path(by + ".key") + " -out " + authority);
    }
    if (!std::filesystem::exists(certificate)) {
      run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name + " -keyout " + key +
          " -out " + path(name + ".csr"));
      const std::string more = path(name + ".more");
      std::ofstream(more) << (belongs_to.empty() ? "" : "subjectAltName=" + belongs_to + "\n");
      run("openssl x509 -req -days " + std::to_string(days) + " -extfile " + more + " -in " + path(name + ".csr") +
          " -CA " + authority + " -CAkey " + path(by + ".key") + " -CAcreateserial -out " + certificate);
    }
    return {certificate, key, authority};
  }

 private:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static void run(const std::string& command) {
    if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) throw std::runtime_error("failed: " + command);
  }

  std::mutex mutex_;  // openssl counts its certificates in a file
  std::filesystem::path folder_;
};

}  // namespace weir_test
