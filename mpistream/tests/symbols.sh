#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   symbols.sh LIBRARY FAULT_TEST    checks that all symbols which libmpistream.a gives to a program
#                                    begin with MPIStream_, MPISTREAM_ or mpistream_, and that
#                                    FAULT_TEST defines all functions of MPI that the library calls, so
#                                    that they can fail; prints those for which it is not so. Symbols
#                                    with two underscores belong to the compiler
symbols=$(nm -g --defined-only "$1") || exit 1
foreign=$(awk 'NF == 3 && $3 !~ /^(MPIStream_|MPISTREAM_|mpistream_|__)/ { print $3 }' <<<"$symbols")
[ -z "$foreign" ] || { echo "$1 gives to programs: $foreign"; exit 1; }
grep -q ' MPIStream_Send$' <<<"$symbols" || { echo "$1 lacks MPIStream_Send"; exit 1; }

# These can't fail: handles for Fortran, the time; and a constant.
called=$(nm -u "$1" | awk '$1 == "U" && $2 ~ /^MPI_/ { print $2 }' |
  grep -vE '_(c2f|f2c)$|^MPI_(Wtime|COMM_NULL_COPY_FN)$' | sort -u)
defined=$(nm --defined-only "$2" | awk '$2 == "T" && $3 ~ /^MPI_/ { print $3 }' | sort -u)
[ -n "$called" ] || { echo "$1 does not call MPI"; exit 1; }
missing=$(comm -23 <(echo "$called") <(echo "$defined"))
[ -z "$missing" ] || { echo "$2 lets these not fail: $missing"; exit 1; }
