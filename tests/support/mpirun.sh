#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   mpirun.sh openmpi|mpich RANKS PROGRAM [ARGUMENT...]    on this machine, whoever calls it and however few cores it has
mpi=$1 ranks=$2
shift 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# More ranks than cores must not spin for their turn.
export MPIR_CVAR_POLLS_BEFORE_YIELD=1
options=()
[ "$mpi" != openmpi ] || options=(--oversubscribe --bind-to none)
exec "mpirun.$mpi" "${options[@]}" -n "$ranks" "$@"
