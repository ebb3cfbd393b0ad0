# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by scripts SCRIPT BIN_DIR that test the command weir as a user calls it. Sets `bin`, `weir` to that command, and `here` to the
# folder of the script. Makes `work` the current folder, which is empty, and is removed at the end. Each failure is printed and counted
# in `failures`.
set -uo pipefail
bin=$(CDPATH='' cd -- "$1" && pwd) || exit 2
weir=$bin/weir
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'cd /; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset WEIR_GROUP WEIR_CLUSTER WEIR_COORDINATOR WEIR_SECRET WEIR_SECRET_FILE WEIR_PORT WEIR_CORES
failures=0

failed() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  [ ! -s err ] || sed 's/^/  stderr: /' err
}
# ends CODE arguments…: runs weir, with its output in `out` and `err`, and requires this exit code
ends() {
  local expected=$1 code
  shift
  what="weir $*"
  "$weir" "$@" >out 2>err </dev/null
  code=$?
  [ $code = "$expected" ] || failed "$what: ended with $code, expected $expected"
}
has() { grep -qF -- "$2" "$1" || failed "$what: $1 lacks '$2'"; }
lacks() { ! grep -qF -- "$2" "$1" || failed "$what: $1 has '$2'"; }
# refuses CODE WORDS arguments…: requires this exit code, one line on standard error with these words, and nothing on standard output
refuses() {
  local code=$1 words=$2
  shift 2
  ends "$code" "$@"
  has err "$words"
  has err "weir"
  [ "$(wc -l <err)" = 1 ] || failed "$what: says more or less than one line"
  [ ! -s out ] || failed "$what: wrote to standard output"
}
