#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   symbols.sh LIBRARY    checks that all symbols which libmpistream.a gives to a program begin with
#                         MPIStream_, MPISTREAM_ or mpistream_; prints those that do not. Symbols with
#                         two underscores belong to the compiler
symbols=$(nm -g --defined-only "$1") || exit 1
foreign=$(awk 'NF == 3 && $3 !~ /^(MPIStream_|MPISTREAM_|mpistream_|__)/ { print $3 }' <<<"$symbols")
[ -z "$foreign" ] || { echo "$1 gives to programs: $foreign"; exit 1; }
grep -q ' MPIStream_Send$' <<<"$symbols" || { echo "$1 lacks MPIStream_Send"; exit 1; }
