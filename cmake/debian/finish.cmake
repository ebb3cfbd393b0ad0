# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# Changes installed files to what Debian's policy wants, before cpack packs them: manual pages are compressed (§12.1), and completions
# for zsh lie where Debian's zsh looks.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*/share/man/*.1")
foreach(page ${pages})
  execute_process(COMMAND gzip -9n "${page}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE completions "${CPACK_TEMPORARY_DIRECTORY}/*/share/zsh/site-functions/_*")
foreach(completion ${completions})
  string(REPLACE /site-functions/ /vendor-completions/ place "${completion}")
  cmake_path(GET place PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  file(RENAME "${completion}" "${place}")
endforeach()
foreach(completion ${completions})
  cmake_path(GET completion PARENT_PATH folder)
  file(REMOVE_RECURSE "${folder}")
endforeach()
