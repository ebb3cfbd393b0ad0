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

/// A certificate authority and the certificates that it signs. The command openssl makes them in a
/// temporary folder, which the destructor removes.
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

  /// Returns the certificate files of a process `name`, signed by the authority `by`; makes them at
  /// the first call. Thread-safe.
  /// @param days number of days for which they are valid
  /// @param belongs_to subject alternative name, such as DNS:host; empty: none
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

  std::mutex mutex_;  // openssl keeps the serial number in a file
  std::filesystem::path folder_;
};

}  // namespace weir_test
