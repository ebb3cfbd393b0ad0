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
  weir_manual(${target} ${name})
endfunction()

# weir_manual(TARGET NAME): the manual pages and the completion of a program, which the program itself prints. They are made
# in share/ of the build folder by the target <target>_manual, which belongs to all, and are installed if they are there. A program for another machine needs CMAKE_CROSSCOMPILING_EMULATOR for that.
function(weir_manual target name)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "No manual page and no completion of ${name}: CMAKE_CROSSCOMPILING_EMULATOR is not set")
    return()
  endif()
  set(share ${PROJECT_BINARY_DIR}/share)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${name}.manual)
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -D "PROGRAM=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:${target}>" -D NAME=${name} -D SHARE=${share}
      -P ${PROJECT_SOURCE_DIR}/cmake/make_manual.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${made}
    DEPENDS ${target} ${PROJECT_SOURCE_DIR}/cmake/make_manual.cmake COMMENT "Manual pages and completion of ${name}" VERBATIM)
  add_custom_target(${target}_manual ALL DEPENDS ${made})
  install(DIRECTORY ${share}/man/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL FILES_MATCHING REGEX "/${name}(-[a-z]+)?[.]1$")
  install(FILES ${share}/bash-completion/completions/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
  install(FILES ${share}/zsh/site-functions/_${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
  install(FILES ${share}/fish/vendor_completions.d/${name}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endfunction()
