#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   check.sh COMPILER INCLUDE_FOLDER HEADER SOURCE
#
# HEADER is included first; the compiler uses HEADER.gch, which a build makes.
# SOURCE must not compile. The messages of the compiler must contain the words of each of its lines `// expect: WORDS`, and
# those of no line `// expect-not: WORDS`. Their first ten lines, without the list of headers before them, must lead to the
# mistake: they contain a message of weir, or a line of SOURCE.
# With -DCONTROL it must compile, which shows that it fails for the intended reason.
set -euo pipefail
compiler=$1 include=$2 header=$3 source=$4
newer=$(find "$include" -name '*.hpp' -newer "$header.gch" -print -quit)
[ -z "$newer" ] || { echo "$newer is newer than $header.gch; build first"; exit 1; }
if ! output=$("$compiler" -std=c++20 -fsyntax-only -DCONTROL -include "$header" -I"$include" "$source" 2>&1); then
  printf '%s\nthe control does not compile\n' "$output"
  exit 1
fi
if output=$("$compiler" -std=c++20 -fsyntax-only -include "$header" -I"$include" "$source" 2>&1); then
  echo "it compiles"
  exit 1
fi
first=$(awk '!/^(In file included| +) ?from / && ++lines <= 10' <<<"$output")
grep -qE "weir: |$(basename "$source"):[0-9]" <<<"$first" || {
  printf '%s\nthe first ten lines say neither a message of weir nor a line of the program\n' "$output"
  exit 1
}
grep -q '^// expect: ' "$source" || { echo "there is no line '// expect: '"; exit 1; }
while IFS= read -r words; do
  grep -qF -- "$words" <<<"$output" || { printf '%s\nnot said: %s\n' "$output" "$words"; exit 1; }
done < <(sed -n 's,^// expect: ,,p' "$source")
while IFS= read -r words; do
  ! grep -qF -- "$words" <<<"$output" || { printf '%s\nsaid, but should not be: %s\n' "$output" "$words"; exit 1; }
done < <(sed -n 's,^// expect-not: ,,p' "$source")
