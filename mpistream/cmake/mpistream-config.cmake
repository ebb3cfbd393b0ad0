# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# The CMake package of MPIStream: mpistream::mpistream, built for the MPI that CMake finds (MPI_C_COMPILER names another one).
include(CMakeFindDependencyMacro)
find_dependency(MPI COMPONENTS C)
include("${CMAKE_CURRENT_LIST_DIR}/which_mpi.cmake")
which_mpi(mpistream_mpi)
if(NOT EXISTS "${CMAKE_CURRENT_LIST_DIR}/mpistream-${mpistream_mpi}-targets.cmake")
  file(GLOB mpistream_there RELATIVE "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/mpistream-*-targets.cmake")
  list(TRANSFORM mpistream_there REPLACE "mpistream-(.*)-targets.cmake" "\\1")
  list(JOIN mpistream_there " and " mpistream_there)
  set(mpistream_FOUND FALSE)
  set(mpistream_NOT_FOUND_MESSAGE "MPIStream was built for ${mpistream_there}, but the MPI that CMake has found is ${mpistream_mpi}; \
choose another one by MPI_C_COMPILER")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/mpistream-${mpistream_mpi}-targets.cmake")
