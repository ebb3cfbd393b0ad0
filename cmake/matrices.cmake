# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Makes the header matrices.hpp of swsearch from NCBI's score matrices.
file(GLOB matrices CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/swsearch/matrices/*)
list(FILTER matrices EXCLUDE REGEX "\\.md$")
list(LENGTH matrices number_of_matrices)
set(all_matrices)
foreach(file ${matrices})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  cmake_path(GET file FILENAME name)
  file(READ ${file} text)
  string(APPEND all_matrices "    {\"${name}\", R\"(${text})\"},\n")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/apps/swsearch/matrices.hpp.in ${PROJECT_BINARY_DIR}/swsearch/matrices.hpp @ONLY)
add_library(swsearch_matrices INTERFACE)
target_include_directories(swsearch_matrices INTERFACE ${PROJECT_BINARY_DIR}/swsearch)
