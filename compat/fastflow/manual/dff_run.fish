# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion of dff_run for fish.

complete -c dff_run -s f -r -F -d 'The configuration of the groups, in JSON'
complete -c dff_run -s V -d 'Print the output of all groups'
complete -c dff_run -s v -x -d 'Print the standard output of these groups only'
complete -c dff_run -s p -x -a 'TCP MPI' -d 'The protocol, which the configuration must name, too'
complete -c dff_run -s t -x -d 'End the program after so long'
complete -c dff_run -s n -d 'Print the command, and do not run it'
complete -c dff_run -s h -l help -d 'Print the help and exit'
complete -c dff_run -l version -d 'Print the version and exit'
complete -c dff_run -x -a '(__fish_complete_subcommand)'
