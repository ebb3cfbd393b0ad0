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
  timeout 600 "$weir" run "${configuration:-two.json}" -- sh -c 'case $WEIR_GROUP in G1) exec "$1" ;; *) exec "$2" ;; esac' sh "$bin/$2" "$bin/$3" \
    >out 2>err </dev/null
  local code=$?
  [ $code = "$1" ] || failed "$what: ended with $code, expected $1"
}

together 0 one_build one_build
[ "$(cat out)" = 499500 ] || failed "$what: says $(cat out)"

# The same names and sizes, and the members of the items in another order. One of them has an id of the linker, the
# other has not, so that it is known by a hash.
id_of() { readelf -n "$bin/$1" | sed -n 's/^ *Build ID: //p'; }
hash_of() { sha256sum "$bin/$1" | cut -d ' ' -f 1; }
linked=$(id_of one_build)
hashed=$(hash_of build_with_swapped_members)
[ -n "$linked" ] && [ -z "$(id_of build_with_swapped_members)" ] || failed "the builds are not what this test is about"
together 0 build_with_swapped_members build_with_swapped_members
together 76 one_build build_with_swapped_members
has err "group G2: runs another build of the program than G1: $bin/build_with_swapped_members ($(uname -m), $hashed), not $bin/one_build ($(uname -m), $linked); start the same build everywhere, or say \"builds\": \"any\" in the configuration"
[ ! -s out ] || failed "$what: prints a result: $(cat out)"
together 76 build_with_swapped_members one_build
has err "$hashed"
has err "$linked"

# A user who allows other builds is told if they do not even run the same network: the same name, and another size.
sed '1s/{/& "builds": "any",/' two.json >any.json
for pair in 'one_build build_with_another_type' 'build_with_another_type one_build'; do
  together 76 $pair
  has err 'runs another build of the program than G1'
  configuration=any.json together 76 $pair
  has err 'runs another network than G1'
  [ ! -s out ] || failed "$what: prints a result: $(cat out)"
done

# Both the group that is called and the group that calls report both versions.
for pair in 'one_build build_with_another_protocol' 'build_with_another_protocol one_build'; do
  together 76 $pair
  another=60000  # tests/cli/another_protocol.cpp
  version=$(sed -n 's/.*this program version \([0-9]*\).*/\1/p' err | sort -n | head -n 1)
  has err "was refused: it speaks version $another of the protocol, this program version $version"
  grep -q "one_build: .*it speaks version $version of the protocol, this program version $another" err || failed "$what: the refused one does not say why"
  [ ! -s out ] || failed "$what: prints a result: $(cat out)"
done

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
