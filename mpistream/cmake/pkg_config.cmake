# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# install_pkg_config(NAME TEMPLATE): installs NAME.pc, made of the template. Its paths start from the place of the file, so that
# the installed files may be moved.
function(install_pkg_config name template)
  set(folder ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
  cmake_path(IS_PREFIX CMAKE_INSTALL_PREFIX ${folder} NORMALIZE within)
  if(within)
    file(RELATIVE_PATH up ${folder} ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" PC_PREFIX "\${pcfiledir}/${up}")
  else()
    set(PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  endif()
  foreach(kind LIBDIR INCLUDEDIR)
    set(PC_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
      set(PC_${kind} ${CMAKE_INSTALL_${kind}})
    endif()
  endforeach()
  configure_file(${template} ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
