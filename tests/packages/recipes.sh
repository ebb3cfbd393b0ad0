#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   recipes.sh WORK_DIR    builds weir by the recipe for Conan, if conan is installed, and checks that the recipes of packaging/
#                          have weir's version. Prints each check that fails
set -uo pipefail
mkdir -p "$1"
work=$(readlink -f -- "$1")
cd "$(dirname -- "$(readlink -f -- "$0")")/../.." || exit 1
failures=0
failed() {
  failures=$((failures + 1))
  echo "FAILED: $1"
}
number() { sed -nE "s/^#define WEIR_VERSION_$1 ([0-9]+)$/\1/p" include/weir/version.hpp; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
[ "$(python3 -c 'import json; print(json.load(open("packaging/vcpkg/vcpkg.json"))["version-semver"])')" = "$version" ] || failed "packaging/vcpkg/vcpkg.json: has not version $version"
grep -qF "version(\"$version\"" packaging/spack/package.py || failed "packaging/spack/package.py: has not version $version"
python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' packaging/spack/package.py || failed 'packaging/spack/package.py'
if command -v conan >/dev/null; then
  export CONAN_HOME=$work/conan
  conan profile detect --exist-ok >"$work/log" 2>&1
  for shared in False True; do
    conan create packaging/conan -s compiler.cppstd=20 -o "weir/*:shared=$shared" --no-remote >"$work/log" 2>&1 &&
      grep -qF "weir $version: 30" "$work/log" || { tail -n 30 "$work/log"; failed "packaging/conan with shared=$shared"; }
  done
else
  echo 'Left out: the recipe for Conan, because there is no conan (pip install conan)'
fi
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
