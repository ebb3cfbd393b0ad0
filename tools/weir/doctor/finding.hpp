// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

/// Whether the machine offers a thing: all of it, a part of it, or nothing.
enum class offer { whole, part, none };

/// A thing that weir doctor finds out: a line of its output, and the same as data.
struct finding {
  std::string topic;  ///< the name in front of the line; in JSON in small letters, with _ for blanks
  offer is = offer::whole;
  std::string text;         ///< what there is
  std::string consequence;  ///< a sentence about what follows from a lack; empty: nothing is lacking
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
};

/// The cores that this process may use, and the processor.
finding cores_found();
finding processor_found();

/// The memory that this process may use, and memory that it can share with others.
finding memory_found();
finding shared_memory_found();

/// Services of the kernel. Each is really tried.
finding io_uring_found();
finding counters_found();

/// Other programs that commands of weir start. Each is really started, but does nothing.
finding mpi_found();
finding slurm_found();
finding ssh_found();
finding graphviz_found();
finding stacks_found();

/// Returns a size with its unit: "1.5 GiB".
std::string size_text(double bytes);
