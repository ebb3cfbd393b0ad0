# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
# Functions shared by scripts that call programs as users do; the scripts source this file. Each script ends with `[ $failures = 0 ]`.
failures=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }
# expect CODE WORDS COMMAND…: requires this exit code, and exactly one line on standard error, with these words. The output of the
# command is in the files out and err.
expect() {
  local code=$1 words=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  [ $got = "$code" ] || fail "$*: exit code $got instead of $code: $(head -c 300 err)"
  if [ -n "$words" ]; then
    grep -qF -- "$words" err || fail "$*: no '$words' in: $(head -c 300 err)"
    [ "$(wc -l <err)" = 1 ] || fail "$*: not one line: $(head -c 600 err)"
  fi
}
