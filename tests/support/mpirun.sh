#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   mpirun.sh openmpi|mpich RANKS PROGRAM [ARGUMENT...]    on this machine, whoever calls it and however few cores it has
mpi=$1 ranks=$2
shift 2
if [ "$mpi" = openmpi ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # A rank that is killed while it has a lock in the memory that PMIx shares with mpirun keeps it,
  # and mpirun waits for ever. "hash" is without that memory.
  export PMIX_MCA_gds=${PMIX_MCA_gds-hash}
  exec mpirun.openmpi --oversubscribe --bind-to none -n "$ranks" "$@"
fi
# More ranks than cores must not spin for their turn.
export MPIR_CVAR_POLLS_BEFORE_YIELD=1
# MPICH's mpirun may end before it has passed on the last words of a rank that aborts, so ranks write them to a file. It
# may die if its input ends behind the last rank, so that never ends, unless there is something to read.
words=$(mktemp)
trap 'rm -f -- "$words" "$words.input"' EXIT
if [ ! -p /dev/stdin ] && [ ! -f /dev/stdin ]; then
  mkfifo "$words.input" && exec 0<>"$words.input"
fi
# shellcheck disable=SC2016
mpirun.mpich -n "$ranks" sh -c 'words=$1; shift; exec "$@" 2>>"$words"' sh "$words" "$@"
code=$?
cat -- "$words" >&2
exit $code
