# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Every source in `where` becomes a program. A source with a line `// test: ARGUMENTS` is also a test, which runs the program with these
# arguments; `// test-output: REGEX` gives the required output (a CMake pattern), `// test-exit: N` the required exit code, if not 0.
# `// needs: openmp` and `// needs: mpi` are for programs that show another library. They are left out without it, and with a sanitizer,
# which knows nothing of OpenMP's threads.
function(weir_self_testing where)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${where}/*.cpp)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    file(STRINGS ${source} needs REGEX "^// needs: " LIMIT_COUNT 1)
    set(library "")
    if(needs MATCHES openmp)
      set(library OpenMP::OpenMP_CXX)
    elseif(needs MATCHES mpi)
      set(library PkgConfig::openmpi)
    endif()
    if(library AND (NOT TARGET "${library}" OR CMAKE_CXX_FLAGS MATCHES sanitize))
      continue()
    endif()
    string(REPLACE "/" "_" folder ${where})
    set(target ${folder}_${name})
    add_executable(${target} ${source})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${where})
    # To the shared library, if there is one: so it is shown to export what pages and examples use.
    set(weir weir::weir)
    if(TARGET weir::weir_shared)
      set(weir weir::weir_shared)
    endif()
    target_link_libraries(${target} PRIVATE ${weir} weir_warnings ${library})
    if(library STREQUAL PkgConfig::openmpi)
      target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX)
    endif()
    file(STRINGS ${source} arguments REGEX "^// test:" LIMIT_COUNT 1)
    if(arguments)
      string(REGEX REPLACE "^// test: *" "" arguments "${arguments}")
      separate_arguments(arguments UNIX_COMMAND "${arguments}")
      file(STRINGS ${source} output REGEX "^// test-output:" LIMIT_COUNT 1)
      string(REGEX REPLACE "^// test-output: *" "" output "${output}")
      file(STRINGS ${source} code REGEX "^// test-exit:" LIMIT_COUNT 1)
      string(REGEX REPLACE "^// test-exit: *" "" code "${code}")
      add_test(NAME ${where}/${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${output}" -D "EXIT=${code}" -P ${PROJECT_SOURCE_DIR}/cmake/run_and_compare.cmake
          -- $<TARGET_FILE:${target}> ${arguments})
      set_tests_properties(${where}/${name} PROPERTIES TIMEOUT 300)
    endif()
  endforeach()
endfunction()
