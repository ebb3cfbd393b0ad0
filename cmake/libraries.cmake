# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# How the libraries of weir are made, static and shared, and installed with the package.

include(mpistream/cmake/pkg_config.cmake)
option(BUILD_SHARED_LIBS "Make shared libraries, to which weir's programs are linked" OFF)
option(WEIR_BOTH_LIBRARIES "Make the other kind of libraries, too: static beside shared, shared beside static" OFF)
set(WEIR_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
# The tests call functions that a shared library hides.
if(BUILD_SHARED_LIBS AND WEIR_TESTS)
  set(WEIR_BOTH_LIBRARIES ON)
endif()

if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_RPATH)
  # Installed programs find the library from where they are, so that the folder may be moved.
  file(RELATIVE_PATH folder ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(CMAKE_INSTALL_RPATH "$ORIGIN/${folder}")
endif()

# While the major version is 0, each minor version may have another interface.
set(WEIR_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(WEIR_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()

# weir_library(TARGET NAME SOURCES): the library weir::NAME, of the kind that BUILD_SHARED_LIBS says. With WEIR_BOTH_LIBRARIES,
# TARGET_other is the other kind, of the same objects. Sets TARGET_targets to all of them, and makes aliases: weir::NAME, and
# weir::NAME_static or weir::NAME_shared for the kinds there are. Programs of the package see weir::NAME only, which is of the
# kind that they ask for.
function(weir_library target name sources)
  set(kinds static shared)
  if(BUILD_SHARED_LIBS)
    set(kinds shared static)
  endif()
  set(targets)
  foreach(kind ${kinds})
    string(TOUPPER ${kind} type)
    if(NOT targets)
      set(this ${target})
      add_library(${this} ${type} ${sources})
      add_library(weir::${name} ALIAS ${this})
    else()
      set(this ${target}_other)
      add_library(${this} ${type} $<TARGET_OBJECTS:${target}>)
      set_target_properties(${this} PROPERTIES LINKER_LANGUAGE CXX)
    endif()
    list(APPEND targets ${this})
    add_library(weir::${name}_${kind} ALIAS ${this})
    set_target_properties(${this} PROPERTIES OUTPUT_NAME ${target} EXPORT_NAME ${name}
      DEFINE_SYMBOL "")  # the objects of both kinds are the same
    if(kind STREQUAL "shared")
      set_target_properties(${this} PROPERTIES INSTALL_RPATH "$ORIGIN" VERSION ${PROJECT_VERSION} SOVERSION ${WEIR_SOVERSION}
        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exported.map)
      target_link_options(${this} PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/exported.map)
    endif()
    install(TARGETS ${this} EXPORT weir_${kind}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
    if(NOT WEIR_BOTH_LIBRARIES)
      break()
    endif()
  endforeach()
  set(${target}_targets ${targets} PARENT_SCOPE)
endfunction()
