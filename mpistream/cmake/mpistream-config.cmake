# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
include(CMakeFindDependencyMacro)
find_dependency(MPI COMPONENTS C)
include(${CMAKE_CURRENT_LIST_DIR}/mpistream-targets.cmake)
