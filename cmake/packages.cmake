# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# All packages that weir needs. They are found in its top folder, so that all its folders know their targets, and a project
# that adds weir as a folder does not.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
find_package(ZLIB REQUIRED)
find_path(WEIR_ASIO asio.hpp REQUIRED)
find_path(WEIR_XXHASH xxhash.h REQUIRED)
find_package(OpenSSL REQUIRED)
set(WEIR_PART_TARGETS PkgConfig::hwloc PkgConfig::zstd ZLIB::ZLIB OpenSSL::SSL)
set(WEIR_PART_MODULES hwloc libzstd zlib openssl)
set(WEIR_PART_LIBRARIES hwloc zstd z ssl crypto)
if(WEIR_WITH_MPI)
  pkg_check_modules(openmpi IMPORTED_TARGET ompi-c)
  pkg_check_modules(mpich IMPORTED_TARGET mpich)
endif()
if(WEIR_APPS OR WEIR_TOOLS)
  find_package(CLI11 REQUIRED)
  find_package(fmt REQUIRED)
  find_path(WEIR_BEAST boost/beast/http.hpp)  # optional: for weir top --web
endif()
if(WEIR_APPS)
  find_package(absl REQUIRED)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
  pkg_check_modules(highway REQUIRED IMPORTED_TARGET libhwy)
  pkg_check_modules(highway_sort REQUIRED IMPORTED_TARGET libhwy-contrib)
  pkg_check_modules(uring REQUIRED IMPORTED_TARGET liburing)
  pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
  # re2 asks for -pthread, which the system's library does not need. A precompiled header serves only files with the same flags.
  set_target_properties(PkgConfig::re2 PROPERTIES INTERFACE_COMPILE_OPTIONS "")
endif()
