# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Installs the package of BUILD_DIR under WORK_DIR, then configures, builds and runs the project beside this file with it.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/consumer")
# Builds without CMake, and with the package moved to another place than that of its installation.
file(RENAME "${WORK_DIR}/prefix" "${WORK_DIR}/moved")
file(GLOB_RECURSE pc "${WORK_DIR}/moved/*/weir.pc")
cmake_path(GET pc PARENT_PATH pc_folder)
set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
execute_process(COMMAND pkg-config --cflags --libs weir OUTPUT_VARIABLE weir_flags OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(weir_flags UNIX_COMMAND "${weir_flags}")
separate_arguments(own_flags UNIX_COMMAND "${FLAGS}")
run("${COMPILER}" -std=c++20 ${own_flags} "${CMAKE_CURRENT_LIST_DIR}/main.cpp" ${weir_flags} -o "${WORK_DIR}/by_pkg_config")
run("${WORK_DIR}/by_pkg_config")
run("${WORK_DIR}/build/loader" "${WORK_DIR}/build/libplugin.so")
