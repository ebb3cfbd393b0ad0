#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   check.sh FOLDER    looks at the packages in FOLDER without installing them: whether they are those of docs/install.md, what
#                      they depend on, what the shared libraries export, and what lintian says. Prints each check that fails
set -uo pipefail
cd "$1" || exit 1
tree=$(readlink -f -- "$(dirname -- "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
failed() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}
sha256sum --check --quiet SHA256SUMS || failed 'SHA256SUMS'

# The table of the page.
documented=$(sed -nE '/^## Debian packages/,/^## Conan/s/^\| `([a-z0-9.-]+)` \|.*/\1/p' "$tree/docs/install.md" | sort)
there=$(for file in *.deb; do dpkg-deb -f "$file" Package; done | sort)
[ "$documented" = "$there" ] || failed "docs/install.md names the packages $(echo $documented), there are $(echo $there)"

field() { dpkg-deb -f "$1"_*.deb "$2"; }
depends() { field "$1" Depends | grep -qE "$2" || failed "$1 depends on: $(field "$1" Depends)"; }
depends libweir0.2 'libc6 .*libhwloc.*libstdc\+\+6'
depends libweir-dev 'libweir0\.2 \(= .*libssl-dev'
depends weir-tools 'libweir0\.2 \(= '
depends weir-apps 'libre2.*liburing|liburing.*libre2'
depends libweir0.2-openmpi 'libopenmpi3'
depends libweir0.2-mpich 'libmpich12'
[ "$(field weir-doc Architecture)" = all ] || failed 'weir-doc is not for all processors'

# A shared library exports names of weir, or of FastFlow, and nothing else.
for file in libweir0.2_*.deb; do dpkg-deb -x "$file" "$work"; done
for library in "$work"/usr/lib/*/*.so.0.2; do
  exported=$(nm -D --defined-only -C "$library" | cut -d' ' -f3-)
  grep -q . <<<"$exported" || failed "$library exports nothing"
  others=$(grep -vE '^((non-)?virtual thunk to |guard variable for |TLS (init|wrapper) function for |(vtable|VTT|typeinfo|typeinfo name) for |construction vtable for )?((weir|ff)::|operator)' <<<"$exported" |
    grep -vE '(^| )(weir|ff)::[^ ]*(<|\(|$)' || true)
  [ -z "$others" ] || failed "${library##*/} exports $(wc -l <<<"$others") names of others, such as $(head -n 3 <<<"$others")"
done

# Debian's own checks. No bug of Debian's asks for these packages, and CPack writes scripts that call ldconfig.
lintian --tag-display-limit 0 --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,maintscript-calls-ldconfig \
  ./*.deb || failed 'lintian'
[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
