#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   mpirun.sh openmpi|mpich RANKS PROGRAM [ARGUMENT...]    on this machine, whoever calls it and however few cores it has
mpi=$1 ranks=$2
shift 2
if [ "$mpi" = openmpi ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # If a rank is killed while it holds a lock in the memory that PMIx shares with mpirun, the lock is never
  # released and mpirun waits for ever. The component "hash" does not use that memory.
  export PMIX_MCA_gds=${PMIX_MCA_gds-hash}
  exec mpirun.openmpi --oversubscribe --bind-to none -n "$ranks" "$@"
fi
# If there are more ranks than cores, a rank must not spin while it waits for its turn.
export MPIR_CVAR_POLLS_BEFORE_YIELD=1
# MPICH's mpirun may end before it has passed on the last output of a rank that aborts, so the ranks write standard error to a file.
# It may also die if its input ends after the last rank, so the input never ends, unless there is something to read.
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
