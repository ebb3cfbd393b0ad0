#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   filesearch_locales.sh BIN_DIR
#
# filesearch in locales whose characters are single bytes, against grep -E; and in one where they are several, which it refuses.
set -uo pipefail
unset GREP_COLORS GREP_COLOR LC_ALL
filesearch=$1/filesearch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir locales
for locale in de_DE.ISO-8859-1 tr_TR.ISO-8859-9 el_GR.ISO-8859-7 ja_JP.EUC-JP; do
  if ! localedef -i "${locale%%.*}" -f "${locale#*.}" "locales/$locale" 2>/dev/null; then
    echo "skipped: localedef can't make $locale here"
    exit 77
  fi
done
export LOCPATH=$work/locales LC_MESSAGES=C
failures=0
fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# in_locale NAME COMMAND…
in_locale() {
  local name=$1
  shift
  LC_CTYPE=$name LC_COLLATE=$name "$@"
}

# same LOCALE ARGUMENT…: prints and says what grep does.
same() {
  local locale=$1 got want syntax=-E
  shift
  [ "$1" != -F ] || syntax=
  in_locale "$locale" grep $syntax "$@" >want 2>want_said
  want=$?
  in_locale "$locale" "$filesearch" "$@" >got 2>got_said
  got=$?
  sed -i 's/^grep: /filesearch: /' want_said
  [ $got = $want ] && cmp -s got want && cmp -s got_said want_said && return
  fail "$locale: $(printf ' %q' "$@"): code $got instead of $want, $(diff -a got want | head -4; diff -a got_said want_said | head -4)"
}

# Each byte alone in a line, which shows the members of any set.
python3 -c 'import sys
sys.stdout.buffer.write(b"".join(bytes([byte, 10]) for byte in range(1, 256) if byte != 10))' >bytes
printf 'caf\351 au lait\n\311T\311\nstra\337e stra\337en\nna\357ve\n\377 \265\n\334ber \374ber\n_\351 \351-\351\n' >words
e=$'\351' E=$'\311'
# é, É and the brackets are those of Latin 1, and stand for other letters in the other two.
for locale in de_DE.ISO-8859-1 tr_TR.ISO-8859-9 el_GR.ISO-8859-7; do
  for pattern in . "$e" "$E" "[$e]" "[^$e]" '\w' '\W' '\s' '[[:alpha:]]' '[^[:alpha:]]' '[[:upper:]]' '[[:lower:]]' '[[:punct:]]' \
    '[[:cntrl:]]' '[[:print:]]' '[[:space:]]' i I $'\335' $'\375' $'\377' '[a-z]' '[A-Z]' '[^a-z]' '[0-9]' '[[=e=]]' "[e-$e]" '[]-a]' \
    '[^-a]' '[+-9]' "[$e-a]" '[a-'; do
    same "$locale" -a "$pattern" bytes
    same "$locale" -ai "$pattern" bytes
  done
done
for pattern in "$e" "$E" . '[[:alpha:]]+' 'stra.e' "caf$e" '\w+' 'n|v' ber 'a[^a]v' '[[:upper:]]+'; do
  for options in -n -w -i -iw -x -o -iow -vc -c --color=always; do
    same de_DE.ISO-8859-1 $options "$pattern" words
    same de_DE.ISO-8859-1 -F $options "$pattern" words
  done
done
# Bytes that are no characters of the encoding make a line that isn't text, as in UTF-8.
printf 'alpha\nbeta \256\n' >no_text
same el_GR.ISO-8859-7 a no_text
same el_GR.ISO-8859-7 -a a no_text
same de_DE.ISO-8859-1 a no_text
# A locale that does not exist acts like C.
same xx_XX.ISO-8859-1 '[[:alpha:]]' bytes

in_locale ja_JP.EUC-JP "$filesearch" a words >got 2>said
code=$?
[ $code = 2 ] && [ ! -s got ] &&
  [ "$(cat said)" = "filesearch: the locale's encoding, EUC-JP, is not supported; use UTF-8 or one of single bytes, or LC_ALL=C" ] ||
  fail "EUC-JP: code $code, $(cat said)"
in_locale ja_JP.EUC-JP "$filesearch" --version >/dev/null || fail "EUC-JP: no version"

[ $failures = 0 ]
