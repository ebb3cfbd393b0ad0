# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0

# cmake -D PROGRAM=FILE -D NAME=NAME -D SHARE=FOLDER -P make_manual.cmake: the manual pages of a program and of its subcommands, and its
# completion for three shells, in the places below FOLDER where man and the shells look for them.

function(say_to file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${SHARE}/${file} "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

say_to(man/man1/${NAME}.1 --man)
# The page refers to those of the subcommands.
string(REGEX MATCHALL "\n[.]TP\n[.]BR ${NAME}[^ ]+ [(]1[)]" pages "${text}")
foreach(page ${pages})
  string(REGEX REPLACE ".*BR ${NAME}[^a-z]+([a-z]+) .*" "\\1" subcommand "${page}")
  say_to(man/man1/${NAME}-${subcommand}.1 ${subcommand} --man)
endforeach()
say_to(bash-completion/completions/${NAME} --completion bash)
say_to(zsh/site-functions/_${NAME} --completion zsh)
say_to(fish/vendor_completions.d/${NAME}.fish --completion fish)
