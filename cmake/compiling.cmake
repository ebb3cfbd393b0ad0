# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# How all of weir is compiled: compiler cache, linker, warnings, and the precompiled headers.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  find_program(WEIR_CCACHE ccache)
  if(WEIR_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${WEIR_CCACHE})
    # ccache stores the result of a compilation with a precompiled header only with these settings.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${WEIR_CCACHE})
    add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess> $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang\ -fno-pch-timestamp>)
  endif()
  find_program(WEIR_MOLD mold)
  if(WEIR_MOLD AND NOT CMAKE_CROSSCOMPILING)  # a cross compiler has linkers of its own
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# The library may become part of a shared one. Replacing its functions from outside is not supported, so calls among them stay direct.
add_compile_options(-fPIC -fno-semantic-interposition)

# Symbols are for the library itself unless a header marks them by WEIR_API. clang wants the same of a precompiled header.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# Warnings are for our own code, not for what includes it.
add_library(weir_warnings INTERFACE)
target_compile_options(weir_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns of std::string's own memcpy (GCC bug 105651), of an ABI that changed in GCC 4.6, and, once
  # it has inlined one half of them, of how Asio allocates the frames of coroutines.
  # It forgets that precompiled headers are the system's, and warns of std::string in two more ways.
  target_compile_options(weir_warnings INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-psabi
    -Wno-mismatched-new-delete)
endif()

# The standard headers that most files include, compiled once for all that have the same flags: without them a third more for the compiler to do.
# scripts/check_includes.py finds files that include too little without them. Examples do without, as users' programs do.
add_library(weir_precompiled OBJECT cmake/precompiled.cpp)
target_precompile_headers(weir_precompiled PRIVATE <algorithm> <charconv> <chrono> <cstring> <exception> <functional> <map> <memory> <mutex>
  <optional> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <variant> <vector>)
target_link_libraries(weir_precompiled PRIVATE weir_warnings)
