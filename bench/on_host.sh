#!/bin/sh
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   on_host.sh HOST WORD...    runs a command on a host of scripts/cluster.sh, as rsh does: the words are joined for a shell. Temporary
#                              files go to a folder of that host in WEIR_HOST_FOLDERS
host=$1
shift
mkdir -p "$WEIR_HOST_FOLDERS/$host"
exec ip netns exec "$host" env TMPDIR="$WEIR_HOST_FOLDERS/$host" sh -c "exec $*"
