# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# The CMake package, its components, and weir.pc. A project that adds weir as a folder has targets of the same names.

# The cluster is a part of the library: a program becomes a group of one without being linked to more.
add_library(weir_cluster INTERFACE)
target_link_libraries(weir_cluster INTERFACE weir)
add_library(weir::cluster ALIAS weir_cluster)
# MPI is called by plugins, which are loaded when a program runs.
if(TARGET weir_mpi_openmpi OR TARGET weir_mpi_mpich)
  add_library(weir_mpi INTERFACE)
  target_link_libraries(weir_mpi INTERFACE weir)
  add_library(weir::mpi ALIAS weir_mpi)
endif()

include(CMakePackageConfigHelpers)
set(WEIR_KINDS)
foreach(kind static shared)
  if(TARGET weir::weir_${kind})
    list(APPEND WEIR_KINDS ${kind})
    install(EXPORT weir_${kind} NAMESPACE weir:: FILE weir-${kind}-targets.cmake DESTINATION ${WEIR_PACKAGE_FOLDER})
  endif()
endforeach()
set(WEIR_PLUGINS_OF_PACKAGE lib/weir)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weir-config.cmake.in ${PROJECT_BINARY_DIR}/weir-config.cmake
  INSTALL_DESTINATION ${WEIR_PACKAGE_FOLDER} PATH_VARS WEIR_PLUGINS_OF_PACKAGE)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weir-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weir-config.cmake ${PROJECT_BINARY_DIR}/weir-config-version.cmake
  DESTINATION ${WEIR_PACKAGE_FOLDER})

# weir.pc is for the shared library if there is one, weir-static.pc for the static one. Programs need the packages of a static
# library, too. Those of a shared one stand in the file for `pkg-config --static`.
list(JOIN WEIR_PART_MODULES " " PC_MODULES)
set(PC_NAME weir)
set(PC_LIBRARY weir)
set(PC_REQUIRES Requires)
set(PC_RPATH "")
if("shared" IN_LIST WEIR_KINDS)
  set(PC_REQUIRES Requires.private)
  if(NOT CMAKE_SKIP_INSTALL_RPATH)
    set(PC_RPATH "-Wl,-rpath,\${libdir} ")  # so that programs find it outside the system's folders, too
  endif()
endif()
install_pkg_config(weir ${PROJECT_SOURCE_DIR}/cmake/weir.pc.in)
if("static" IN_LIST WEIR_KINDS)
  set(PC_NAME weir-static)
  set(PC_LIBRARY :libweir.a)
  set(PC_REQUIRES Requires)
  set(PC_RPATH "")
  install_pkg_config(weir-static ${PROJECT_SOURCE_DIR}/cmake/weir.pc.in)
endif()

# The pages, with the files that they link to, as they lie in the source.
if(PROJECT_IS_TOP_LEVEL)
  install(FILES README.md CHANGELOG.md CONTRIBUTING.md MAINTAINERS.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
  install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
  file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS apps/*/README.md)
  foreach(page ${pages} mpistream/include/MPIStream.h packaging/README.md)
    cmake_path(GET page PARENT_PATH folder)
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT docs)
  endforeach()
endif()
