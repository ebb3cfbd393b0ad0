// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The programs that the recipes of the cookbook replace. They are functions of one program.

#include <cstddef>
#include <istream>
#include <string>

// loops.cpp: each reads `in`, and writes to standard output.
void window_averages(std::istream& in);
void image_blur(std::istream& in);
void n_queens(int size);
void breadth_first(std::istream& in);
void kmers(std::istream& in, std::size_t k);

// threads.cpp: as the recipes with these names.
void video(std::istream& in, const std::string& output);
void spelling(const std::string& dictionary, std::istream& in);
