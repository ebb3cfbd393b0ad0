// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A program that is compiled without optimisation and with the thread sanitizer, unlike the
// library. Prints a report twice; the second time nothing is said of that.

#include <weir/run/report.hpp>

#include <iostream>

int main() { std::cout << weir::report{} << "second report\n" << weir::report{} << "end\n"; }
