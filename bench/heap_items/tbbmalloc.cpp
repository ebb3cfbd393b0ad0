// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

int main(int argc, char** argv) { return weir_bench::heap_main(argc, argv, "tbbmalloc"); }
