# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# weir_program(NAME): the executable NAME of the sources in the current folder and below it. All of them except main.cpp
# are the library <target>_parts, which tests and benchmarks share. The command `weir` and the library of that name are
# two targets, so the command is weir_command.
function(weir_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "WITHOUT")
  set(target ${name})
  if(TARGET ${target})
    set(target ${name}_command)
  endif()
  file(GLOB_RECURSE sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
  list(REMOVE_ITEM sources main.cpp)
  foreach(folder ${program_WITHOUT})
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
  endforeach()
  add_executable(${target} main.cpp)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(${target} PRIVATE weir::weir weir_warnings weir_support nlohmann_json::nlohmann_json)
  if(sources)
    add_library(${target}_parts STATIC ${sources})
    target_precompile_headers(${target}_parts REUSE_FROM weir_precompiled)
    target_include_directories(${target}_parts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${target}_parts PUBLIC weir::weir weir_support nlohmann_json::nlohmann_json PRIVATE weir_warnings)
    target_link_libraries(${target} PRIVATE ${target}_parts)
  endif()
  install(TARGETS ${target})
endfunction()
