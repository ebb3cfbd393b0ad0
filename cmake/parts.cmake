# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Optional parts. Each has an option whose value is AUTO (used if it is found), ON (an error if it is not found) or OFF. Code that needs
# a part stands in files *_with_<part>.cpp; a build without the part has *_without_<part>.cpp in their place.

# weir_part_option(PART DEFAULT DESCRIPTION): the option WEIR_WITH_<PART>.
function(weir_part_option part default description)
  set(WEIR_WITH_${part} ${default} CACHE STRING "${description}: AUTO, ON or OFF")
  set_property(CACHE WEIR_WITH_${part} PROPERTY STRINGS AUTO ON OFF)
endfunction()

# weir_note_part(PART NAME LACK FOUND [MORE]): keeps in WEIR_HAS_<PART> whether the part is used, and what to say of it.
macro(weir_note_part part name lack found)
  if(NOT "${found}" STREQUAL "")
    set(WEIR_HAS_${part} true)
    list(APPEND weir_with "${name}${ARGN}")
  else()
    set(WEIR_HAS_${part} false)
    if(WEIR_WITH_${part} AND NOT WEIR_WITH_${part} STREQUAL "AUTO")
      message(FATAL_ERROR "WEIR_WITH_${part} is ON, but ${name} is not found; install it, or choose AUTO or OFF")
    endif()
    list(APPEND weir_without "${name}: ${lack}")
  endif()
endmacro()

# weir_part(PART NAME LACK TARGET t MODULE m LIBRARIES l... FIND command...): a library that weir is linked to.
#   NAME       as users know it
#   LACK       what is missing without it
#   TARGET     what the command defines
#   MODULE     its name for pkg-config, for weir.pc
#   LIBRARIES  their names for the linker, for the installed CMake package
# A macro, because the command must define its targets here.
macro(weir_part part name lack)
  cmake_parse_arguments(weir_part "" "TARGET;MODULE" "LIBRARIES;FIND" ${ARGN})
  weir_part_option(${part} AUTO "Use ${name}; without it, ${lack}")
  set(weir_part_found "")
  if(WEIR_WITH_${part})
    list(POP_FRONT weir_part_FIND weir_part_command)
    cmake_language(CALL ${weir_part_command} ${weir_part_FIND})
    if(TARGET ${weir_part_TARGET})
      set(weir_part_found true)
      list(APPEND WEIR_PART_TARGETS ${weir_part_TARGET})
      list(APPEND WEIR_PART_LIBRARIES ${weir_part_LIBRARIES})
      list(APPEND WEIR_PART_MODULES ${weir_part_MODULE})
    endif()
  endif()
  weir_note_part(${part} "${name}" "${lack}" "${weir_part_found}")
  list(APPEND WEIR_PARTS ${part})
endmacro()

# Leaves in the list of files those that this build can compile.
function(weir_sources_of_parts list)
  foreach(part ${WEIR_PARTS})
    string(TOLOWER ${part} name)
    if(WEIR_HAS_${part})
      list(FILTER ${list} EXCLUDE REGEX "_without_${name}(_test)?[.]cpp$")
    else()
      list(FILTER ${list} EXCLUDE REGEX "_with_${name}(_test)?[.]cpp$")
    endif()
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# weir_programs(APPS|TOOLS PROGRAM LIBRARY=TARGET...): appends the program to WEIR_PROGRAMS if it is asked for and has its libraries.
function(weir_programs kind program)
  if(NOT WEIR_${kind})
    return()
  endif()
  set(missing "")
  foreach(need ${ARGN})
    string(REPLACE "=" ";" need ${need})
    list(POP_FRONT need name)
    if(NOT TARGET ${need})
      list(APPEND missing ${name})
    endif()
  endforeach()
  list(JOIN missing ", " missing)
  if(missing STREQUAL "")
    set(WEIR_PROGRAMS ${WEIR_PROGRAMS} ${program} PARENT_SCOPE)
  elseif(WEIR_${kind} STREQUAL "AUTO")
    set(weir_left_out ${weir_left_out} "${program}, which needs ${missing}" PARENT_SCOPE)
    set(WEIR_MISSING_PROGRAMS ${WEIR_MISSING_PROGRAMS} ${program} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "WEIR_${kind} is ON, but ${program} needs ${missing}; install that, or choose AUTO or OFF")
  endif()
endfunction()

function(weir_say_parts)
  list(JOIN weir_with ", " with)
  list(JOIN WEIR_PROGRAMS ", " programs)
  message(STATUS "weir with: ${with}")
  foreach(each ${weir_without})
    message(STATUS "weir without ${each}")
  endforeach()
  if(WEIR_PROGRAMS)
    message(STATUS "weir's programs: ${programs}")
  endif()
  foreach(each ${weir_left_out})
    message(STATUS "left out: ${each}")
  endforeach()
endfunction()
