# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# which_mpi(VARIABLE): the name of the MPI that find_package(MPI) has found: openmpi, mpich (also of those that keep its binary
# interface), or other. It is read from mpi.h, because a program for another processor can't be asked.
function(which_mpi variable)
  set(mpi other)
  foreach(folder ${MPI_C_HEADER_DIR} ${MPI_C_INCLUDE_DIRS})
    if(NOT EXISTS "${folder}/mpi.h")
      continue()
    endif()
    file(STRINGS "${folder}/mpi.h" defined REGEX "^# *define +(OPEN_MPI|OMPI_MAJOR_VERSION|MPICH_VERSION|MPICH_NUMVERSION)")
    if(defined MATCHES "OPEN_MPI|OMPI_MAJOR")
      set(mpi openmpi)
    elseif(defined MATCHES "MPICH")
      set(mpi mpich)
    endif()
    break()
  endforeach()
  set(${variable} ${mpi} PARENT_SCOPE)
endfunction()
