# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# All packages that weir needs. They are found in its top folder, so that all its folders know their targets, and a project
# that adds weir as a folder does not.

find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(WEIR_ASIO asio.hpp REQUIRED)
find_path(WEIR_XXHASH xxhash.h REQUIRED)
find_package(PkgConfig QUIET)

include(cmake/parts.cmake)

# ---- optional parts of the library ----

weir_part(HWLOC hwloc "pinned threads get neighbouring cores by the numbers of Linux"
  TARGET PkgConfig::hwloc MODULE hwloc LIBRARIES hwloc FIND pkg_check_modules hwloc QUIET IMPORTED_TARGET hwloc)
weir_part(OPENSSL OpenSSL "no TLS between groups"
  TARGET OpenSSL::SSL MODULE openssl LIBRARIES ssl crypto FIND find_package OpenSSL QUIET)
weir_part(ZLIB zlib "no files compressed with gzip, no compressed traces"
  TARGET ZLIB::ZLIB MODULE zlib LIBRARIES z FIND find_package ZLIB QUIET)
weir_part(ZSTD zstd "no files compressed with zstd"
  TARGET PkgConfig::zstd MODULE libzstd LIBRARIES zstd FIND pkg_check_modules zstd QUIET IMPORTED_TARGET libzstd)

# Of MPI, each one that is installed is used, by a plugin of its own.
weir_part_option(MPI ${WEIR_AUTO_IF_TOP} "Build a plugin for each MPI that is installed, and MPIStream")
if(WEIR_WITH_MPI)
  pkg_check_modules(openmpi QUIET IMPORTED_TARGET ompi-c)
  pkg_check_modules(mpich QUIET IMPORTED_TARGET mpich)
  foreach(mpi openmpi mpich)
    if(TARGET PkgConfig::${mpi})
      list(APPEND weir_mpis ${mpi})
    endif()
  endforeach()
endif()
list(JOIN weir_mpis " and " weir_mpis)
weir_note_part(MPI MPI "no transport over MPI, no MPIStream" "${weir_mpis}" " (${weir_mpis})")

# ---- programs, with the libraries that each needs ----

if(WEIR_APPS OR WEIR_TOOLS)
  find_package(CLI11 QUIET)
  find_package(fmt QUIET)
  find_path(WEIR_BEAST boost/beast/http.hpp)  # optional: for weir top --web
endif()
if(WEIR_APPS)
  find_package(absl QUIET)
  find_package(OpenMP QUIET COMPONENTS CXX)
  foreach(module re2:re2 highway:libhwy highway_sort:libhwy-contrib uring:liburing xxhash:libxxhash)
    string(REPLACE ":" ";" module ${module})
    list(POP_FRONT module name)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
  endforeach()
  # re2 asks for -pthread, which the system's library does not need. A precompiled header serves only files with the same flags.
  if(TARGET PkgConfig::re2)
    set_target_properties(PkgConfig::re2 PROPERTIES INTERFACE_COMPILE_OPTIONS "")
  endif()
endif()
set(every_program CLI11=CLI11::CLI11 fmt=fmt::fmt)
set(extsort_core highway=PkgConfig::highway_sort liburing=PkgConfig::uring xxhash=PkgConfig::xxhash zstd=PkgConfig::zstd
  OpenMP=OpenMP::OpenMP_CXX)
weir_programs(TOOLS weir ${every_program})
weir_programs(APPS wordcount ${every_program} abseil=absl::flat_hash_map)
weir_programs(APPS filesearch ${every_program} re2=PkgConfig::re2)
weir_programs(APPS swsearch ${every_program} highway=PkgConfig::highway xxhash=PkgConfig::xxhash)
weir_programs(APPS extsort ${every_program} ${extsort_core})
weir_programs(APPS recgen ${every_program} ${extsort_core})
weir_programs(APPS recheck ${every_program} ${extsort_core})

weir_say_parts()
