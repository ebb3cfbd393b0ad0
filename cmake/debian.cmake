# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Debian packages: scripts/release.sh builds them, by the preset debian and `cpack -G DEB`. Each component of the installation
# is a package.

set(CPACK_PACKAGE_NAME weir)
set(CPACK_PACKAGE_VENDOR "The weir authors")
set(WEIR_MAINTAINER "The weir authors <authors@weir.invalid>" CACHE STRING "Name and address of who builds packages")
set(CPACK_PACKAGE_CONTACT ${WEIR_MAINTAINER})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
# Libraries of weir that its own programs are linked to.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake)
set(CPACK_COMPONENTS_ALL)

# What Debian's policy wants beside the files of each package (§12.5 and §12.7).
configure_file(cmake/debian/copyright ${PROJECT_BINARY_DIR}/debian/copyright COPYONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH, if that is set
configure_file(cmake/debian/changelog.in ${PROJECT_BINARY_DIR}/debian/changelog.Debian @ONLY)
find_program(WEIR_GZIP gzip)
if(WEIR_GZIP)
  execute_process(COMMAND ${WEIR_GZIP} -9nf ${PROJECT_BINARY_DIR}/debian/changelog.Debian)
endif()

# weir_package(COMPONENT NAME SECTION SUMMARY DESCRIPTION [DEPENDS d] [RECOMMENDS r] [SUGGESTS s] [SHLIBDEPS] [ALL])
#   SHLIBDEPS  depends on the packages of the libraries that its files are linked to
#   ALL        is the same on all processors
macro(weir_package component name section summary description)
  cmake_parse_arguments(package "SHLIBDEPS;ALL" "DEPENDS;RECOMMENDS;SUGGESTS" "" ${ARGN})
  string(TOUPPER ${component} key)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${package_DEPENDS}")
  set(CPACK_DEBIAN_${key}_PACKAGE_RECOMMENDS "${package_RECOMMENDS}")
  set(CPACK_DEBIAN_${key}_PACKAGE_SUGGESTS "${package_SUGGESTS}")
  set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS ${package_SHLIBDEPS})
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${description}")
  if(package_ALL)
    set(CPACK_DEBIAN_${key}_PACKAGE_ARCHITECTURE all)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/debian/copyright ${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  if(EXISTS ${PROJECT_SOURCE_DIR}/cmake/debian/${component}.lintian)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian/${component}.lintian DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides
      RENAME ${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
endmacro()

set(about "weir runs networks of sequential nodes, combined by pipelines, farms and
loops, on all cores of a machine or of a cluster.")
set(library libweir${WEIR_SOVERSION})
set(this "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
weir_package(library ${library} libs "structured parallel streaming for C++ (shared library)"
  "${about}\n.\nThis package contains the shared libraries." SHLIBDEPS SUGGESTS "${library}-openmpi | ${library}-mpich")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
weir_package(development libweir-dev libdevel "structured parallel streaming for C++ (development files)"
  "${about}\n.\nThis package contains the headers, the static libraries, and the files for\nCMake and pkg-config."
  DEPENDS "${library} ${this}, libhwloc-dev, libzstd-dev, zlib1g-dev, libssl-dev, pkg-config"
  RECOMMENDS "g++ (>= 4:12) | clang-16" SUGGESTS "weir-doc, weir-tools, libcereal-dev, libmpistream-dev")
weir_package(tools weir-tools utils "launcher, monitor and tuner of weir programs"
  "${about}\n.\nThis package contains the command weir, which runs a program as a cluster,\ndraws its network, watches it, and chooses the widths of its farms."
  DEPENDS "${library} ${this}" RECOMMENDS graphviz SUGGESTS weir-doc SHLIBDEPS)
weir_package(applications weir-apps utils "parallel word count, search, sort and sequence search"
  "${about}\n.\nThis package contains its applications: wordcount, filesearch (a grep -E for\nall cores), extsort (a sort of files larger than memory) with recgen and\nrecheck, and swsearch (an exact Smith-Waterman search)."
  DEPENDS "${library} ${this}" SUGGESTS weir-doc SHLIBDEPS)
foreach(mpi openmpi mpich)
  if(TARGET weir_mpi_${mpi})
    weir_package(plugin_${mpi} ${library}-${mpi} libs "structured parallel streaming for C++ (plugin for ${mpi})"
      "${about}\n.\nThis package contains the plugin by which weir programs are started by ${mpi}\nand exchange items through it."
      DEPENDS "${library} ${this}" SHLIBDEPS)
    list(APPEND mpi_packages lib${mpi}-dev)
  endif()
endforeach()
if(mpi_packages)
  list(JOIN mpi_packages " | " mpi_packages)
  weir_package(mpistream libmpistream-dev libdevel "data streams within MPI programs (static libraries)"
    "MPIStream is a C library by which ranks of an MPI program stream elements to\nothers while they compute.\n.\nThis package contains the header, the static libraries, one for each MPI, and\nthe files for CMake and pkg-config."
    DEPENDS "${mpi_packages}" SUGGESTS weir-doc)
endif()
weir_package(docs weir-doc doc "structured parallel streaming for C++ (documentation)"
  "${about}\n.\nThis package contains the pages of its documentation, and example programs." ALL)

include(CPack)
