# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Every source in `where` becomes a program. One with a line `// test: ARGUMENTS` is also a test that runs it with those;
# `// test-output: REGEX` says what it must print.
function(weir_self_testing where)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${where}/*.cpp)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    string(REPLACE "/" "_" folder ${where})
    set(target ${folder}_${name})
    add_executable(${target} ${source})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${where})
    target_link_libraries(${target} PRIVATE weir::weir weir_warnings)
    file(STRINGS ${source} arguments REGEX "^// test:" LIMIT_COUNT 1)
    if(arguments)
      string(REGEX REPLACE "^// test: *" "" arguments "${arguments}")
      separate_arguments(arguments UNIX_COMMAND "${arguments}")
      add_test(NAME ${where}/${name} COMMAND ${target} ${arguments} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      set_tests_properties(${where}/${name} PROPERTIES TIMEOUT 120)
      file(STRINGS ${source} output REGEX "^// test-output:" LIMIT_COUNT 1)
      if(output)
        string(REGEX REPLACE "^// test-output: *" "" output "${output}")
        set_tests_properties(${where}/${name} PROPERTIES PASS_REGULAR_EXPRESSION "${output}")
      endif()
    endif()
  endforeach()
endfunction()
