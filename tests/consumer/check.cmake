# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Installs the package of BUILD_DIR under WORK_DIR, then configures, builds and runs the project beside this file with it. The
# libraries are shared if there are such. ways.sh tries the other ways to get weir, and other compilers.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Blanks in a path do no harm.
set(prefix "${WORK_DIR}/a prefix")
file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_PREFIX_PATH=${prefix}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
foreach(program consumer fastflow_program)
  if(EXISTS "${WORK_DIR}/build/${program}")
    run("${WORK_DIR}/build/${program}")
  endif()
endforeach()
run("${WORK_DIR}/build/loader" "${WORK_DIR}/build/libplugin.so")
# Builds without CMake, and with the package moved to another place than that of its installation.
file(RENAME "${prefix}" "${WORK_DIR}/moved here")
set(moved "${WORK_DIR}/moved here")
file(GLOB_RECURSE pc "${moved}/*/weir.pc")
cmake_path(GET pc PARENT_PATH pc_folder)
set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
execute_process(COMMAND pkg-config --cflags --libs weir OUTPUT_VARIABLE weir_flags OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(weir_flags UNIX_COMMAND "${weir_flags}")
separate_arguments(own_flags UNIX_COMMAND "${FLAGS}")
set(sources "${CMAKE_CURRENT_LIST_DIR}/main.cpp" "${CMAKE_CURRENT_LIST_DIR}/errors.cpp")
run("${COMPILER}" -std=c++20 ${own_flags} ${sources} ${weir_flags} -o "${WORK_DIR}/by_pkg_config")
run("${WORK_DIR}/by_pkg_config")
# FastFlow's headers, if they were built.
if(EXISTS "${pc_folder}/weir-fastflow.pc")
  execute_process(COMMAND pkg-config --cflags --libs weir-fastflow OUTPUT_VARIABLE fastflow_flags OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(fastflow_flags UNIX_COMMAND "${fastflow_flags}")
  run("${COMPILER}" -std=c++17 ${own_flags} "${CMAKE_CURRENT_LIST_DIR}/fastflow.cpp" ${fastflow_flags} -o "${WORK_DIR}/fastflow")
  run("${WORK_DIR}/fastflow")
  run("${moved}/include/weir/fastflow/ff/mapping_string.sh")
  if(EXISTS "${moved}/bin/weir")
    file(WRITE "${WORK_DIR}/groups.json" "{}")
    execute_process(COMMAND "${moved}/bin/dff_run" -n -f "${WORK_DIR}/groups.json" program OUTPUT_VARIABLE command
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE " " "\\ " launcher "${moved}/bin/weir")  # as a shell would need it
    if(NOT command STREQUAL "${launcher} run ${WORK_DIR}/groups.json -- program")
      message(FATAL_ERROR "dff_run would run: ${command}")
    endif()
  endif()
endif()

# No file for other builds names a folder of this one.
cmake_path(SET tree NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
cmake_path(GET tree PARENT_PATH tree)
file(GLOB_RECURSE texts "${moved}/*.cmake" "${moved}/*.pc")
foreach(file ${texts})
  file(READ "${file}" text)
  foreach(folder "${tree}" "${BUILD_DIR}" "${WORK_DIR}")
    string(FIND "${text}" "${folder}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} names ${folder}")
    endif()
  endforeach()
endforeach()

# What users get is a Release: no folder of the build in the library either, and sizes, in MiB, that do not grow unnoticed.
if(NOT BUILD_TYPE STREQUAL "Release")
  return()
endif()
file(GLOB_RECURSE library "${moved}/libweir.a")
execute_process(COMMAND grep -c -F -e "${tree}" -e "${BUILD_DIR}" "${library}" RESULT_VARIABLE none OUTPUT_QUIET)
if(NOT none EQUAL 1)
  message(FATAL_ERROR "${library} names the folder of its sources, or of its build")
endif()
function(has_at_most most file)
  file(SIZE "${file}" size)
  math(EXPR size "${size} >> 20")
  if(NOT size LESS most)
    message(FATAL_ERROR "${file} has ${size} MiB, not less than ${most}")
  endif()
endfunction()
run(strip "${WORK_DIR}/by_pkg_config")
has_at_most(24 "${library}")
has_at_most(4 "${WORK_DIR}/by_pkg_config")

# In another project, FetchContent and add_subdirectory make the library alone, and its users find its headers. One file is compiled.
file(COPY "${CMAKE_CURRENT_LIST_DIR}/main.cpp" "${CMAKE_CURRENT_LIST_DIR}/errors.hpp" DESTINATION "${WORK_DIR}/around")
file(WRITE "${WORK_DIR}/around/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(around LANGUAGES C CXX)
include(FetchContent)
FetchContent_Declare(weir SOURCE_DIR \"${tree}\")
FetchContent_MakeAvailable(weir)
add_executable(around main.cpp)
target_link_libraries(around PRIVATE weir::weir)
")
run("${CMAKE_COMMAND}" -S "${WORK_DIR}/around" -B "${WORK_DIR}/around/build" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Release)
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/around/build" --target CMakeFiles/around.dir/main.cpp.o)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/around/build" -- -t commands all OUTPUT_VARIABLE commands
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL ": && [^\n]*" linked "${commands}")
list(LENGTH linked count)
if(NOT count EQUAL 2 OR NOT linked MATCHES " -o around " OR NOT linked MATCHES "/libweir.a ")
  message(FATAL_ERROR "with weir, a project around it links: ${linked}")
endif()
