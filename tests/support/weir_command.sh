# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# For scripts that test the command weir as a user calls it: sourced, with `weir` set to its path and a work folder as the
# current one. What fails is printed and counted in `failures`.
failures=0

failed() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  [ ! -s err ] || sed 's/^/  stderr: /' err
}
# ends CODE arguments…: runs weir with its output in `out` and `err`
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
# refuses CODE WORDS arguments…: one line on standard error, which has these words, and nothing on standard output
refuses() {
  local code=$1 words=$2
  shift 2
  ends "$code" "$@"
  has err "$words"
  has err "weir"
  [ "$(wc -l <err)" = 1 ] || failed "$what: says more or less than one line"
  [ ! -s out ] || failed "$what: wrote to standard output"
}
