// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/protocol/welcome.hpp"

#include "weir/run/run.hpp"

#include "cluster/wire/frame.hpp"
#include "cluster/wire/mpi_process.hpp"
#include "graph/file_text.hpp"

#include <unistd.h>

#include <algorithm>

namespace weir::cluster {

process_place process_place::of_this_process(std::uint16_t port) {
  std::string boot = detail::text_of_file("/proc/sys/kernel/random/boot_id").value_or("");
  boot.resize(std::min(boot.size(), boot.find('\n')));
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  char network[256] = {};
  if (::readlink("/proc/self/ns/net", network, sizeof network - 1) < 0) network[0] = '\0';
  return {
      {port, boot + name, network, static_cast<std::uint64_t>(::getpid())}, available_cores(), mpi_process::may_join()};
}

link_transport welcome::between(const std::string& one, const std::string& other) const {
  link_transport said = transport;
  for (const link_configuration& link : links) {
    if ((link.one == one && link.other == other) || (link.one == other && link.other == one)) said = link.transport;
  }
  return said;
}

void introduced_group::check() const {
  if (!(share > 0)) throw protocol_error("a group has no cores");
}

}  // namespace weir::cluster
