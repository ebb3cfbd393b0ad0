#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   weir_builds.sh BIN_DIR    runs clusters whose groups are different builds of one program; prints each check that fails
. "$(dirname -- "$0")/../support/weir_command.sh"

cat >two.json <<'END'
{ "groups": [{"name": "G1"}, {"name": "G2"}] }
END
# together CODE OF_G1 OF_G2: each group its build
together() {
  what="G1 runs $2, G2 runs $3"
  timeout 600 "$weir" run two.json -- sh -c 'case $WEIR_GROUP in G1) exec "$1" ;; *) exec "$2" ;; esac' sh "$bin/$2" "$bin/$3" \
    >out 2>err </dev/null
  local code=$?
  [ $code = "$1" ] || failed "$what: ended with $code, expected $1"
}

together 0 one_build one_build
[ "$(cat out)" = '[G2] 499500' ] || failed "$what: says $(cat out)"

# The same name, and another size.
for pair in 'one_build build_with_another_type' 'build_with_another_type one_build'; do
  together 76 $pair
  has err 'runs another network than G1'
  [ ! -s out ] || failed "$what: prints a result: $(cat out)"
done

# Whoever of them it is, the one that is called and the one that calls say both versions.
for pair in 'one_build build_with_another_protocol' 'build_with_another_protocol one_build'; do
  together 76 $pair
  has err 'was refused: it speaks version 2 of the protocol, this program version 1'
  grep -q 'one_build: .*it speaks version 1 of the protocol, this program version 2' err || failed "$what: the refused one does not say why"
  [ ! -s out ] || failed "$what: prints a result: $(cat out)"
done

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
