// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_MAPPER_HPP
#define WEIR_FF_MAPPER_HPP

#include <weir/export.hpp>

#include <ff/mapping_utils.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace ff {

/// Deals out processors in turn. Any thread may call it. Nothing but the program itself asks it:
/// weir leaves threads to the system.
class WEIR_API threadMapper {
 public:
  static threadMapper* instance();

  /// @param list processors, such as "0,2,1,3"
  void setMappingList(const char* list);
  /// The processor that is next.
  ssize_t getCoreId();
  ssize_t getCoreId(unsigned int thread);
  std::size_t getMask() const { return cpus_.size() - 1; }
  bool checkCPUId(ssize_t cpu) const { return cpu >= 0 && cpu < ff_numCores(); }

 private:
  threadMapper();

  std::mutex mutex_;
  std::vector<ssize_t> cpus_;
  std::size_t next_ = 0;
};

}  // namespace ff

#endif
