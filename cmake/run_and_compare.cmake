# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -D OUTPUT=REGEX -D EXIT=CODE -P run_and_compare.cmake -- PROGRAM ARGUMENT...
#
# Runs the program, with a new empty folder for temporary files. Fails unless the program ends with the exit code (0 if none is given)
# and its output matches.
set(command "")
set(found FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(found)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(found TRUE)
  endif()
endforeach()
if("${EXIT}" STREQUAL "")
  set(EXIT 0)
endif()
execute_process(COMMAND mktemp -d OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(ENV{TMPDIR} "${folder}")
execute_process(COMMAND ${command} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
file(REMOVE_RECURSE "${folder}")
message("${said}")
if(NOT code STREQUAL EXIT)
  message(FATAL_ERROR "ended with ${code} instead of ${EXIT}")
endif()
if(NOT "${said}" MATCHES "${OUTPUT}")
  message(FATAL_ERROR "printed nothing that matches: ${OUTPUT}")
endif()
