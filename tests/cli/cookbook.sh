#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
# needs: ZLIB OPENSSL
#
#   cookbook.sh BIN_DIR    runs the programs of the cookbook, and compares their results with those of the programs that they replace; gives
#                          them wrong arguments and broken input. Prints each check that fails. Ends with 77 where they are not built
set -uo pipefail
export LC_ALL=C
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../support/expect.sh"
bin=$(readlink -f -- "$1")
programs=$bin/docs/cookbook
[ -d "$programs" ] || { echo "the cookbook is not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export PATH=$programs:$bin:$PATH

# input KIND COUNT FILE
input() { python3 "$here/../../docs/cookbook/make_input.py" "$1" "$2" >"$3"; }
# same EXPECTED FILE WORDS
same() { cmp -s -- "$1" "$2" || fail "$3: not what it replaces: $(diff -- "$1" "$2" | head -n 4)"; }
# prints EXPECTED COMMAND…: the command succeeds, and prints what is in the file. prints_sorted: in any order of lines
prints() { local expected=$1; shift; "$@" >out 2>err || fail "$*: ended with $?: $(cat err)"; same "$expected" out "$*"; }
prints_sorted() { local expected=$1; shift; "$@" >unsorted 2>err || fail "$*: ended with $?: $(cat err)"; sort unsorted >out; same "$expected" out "$*"; }

# ---- compressed: nothing, a byte, text of many pieces, what can't be compressed; by each level, and from a pipe ----
: >nothing
printf x >byte
cat "$here"/../../docs/*.md "$here"/../*/*.cpp >text
head -c 600000 /dev/urandom >random
for file in nothing byte text random; do
  parallel_gzip <"$file" >packed || fail "parallel_gzip of $file: ended with $?"
  prints "$file" gzip -dc packed
done
for level in 1 9; do
  cat text | parallel_gzip -$level >packed || fail "parallel_gzip -$level: ended with $?"
  prints text gzip -dc packed
done
parallel_gzip <random | parallel_gzip | gzip -dc | gzip -dc >out
same random out 'parallel_gzip twice'
expect 2 usage parallel_gzip -0
expect 2 usage parallel_gzip -1 file
expect 1 'standard input: Is a directory' parallel_gzip <.
parallel_gzip <text 2>err >/dev/full && fail 'parallel_gzip on a full disk'
grep -q 'No space left on device' err || fail "parallel_gzip on a full disk: $(cat err)"

# ---- logs: also compressed, and several ----
input access-log 5000 log
{ cat log; echo 'no request'; printf '192.0.2.1 - - [] "GET /last HTTP/1.1" 200 1'; } >odd
gzip -k log
by_shell() { awk -F'"' 'split($2, r, " ") == 3 {print r[2]}' "$@" | sort | uniq -c | sort -k1,1nr -k2; }
by_shell log odd | head -n 50 >expected
prints expected access_log 50 log.gz odd
by_shell odd >expected
prints expected access_log 1000000 odd
expect 2 usage access_log 0 log
expect 2 usage access_log 5
expect 1 "can't read 'missing': No such file" access_log 5 missing

# ---- windows: in order, out of order, late ----
input requests 10000 requests
before window_averages <requests | sort >expected
prints_sorted expected window_averages requests
printf '100 a 1\n500 a 2\n20 a 3\n' | window_averages - >out 2>err || fail 'window_averages of late events'
grep -q '1 events came too late' err || fail "window_averages of late events: $(cat err)"
printf '1 a 2\n1 a\n' >broken
expect 1 "'1 a' is not SECONDS SERVICE MICROSECONDS" window_averages broken
expect 2 usage window_averages

# ---- pictures: one row, less than a band, many bands; grey ones, with a comment ----
for rows in 1 3 63 64 65 200; do
  input picture $rows picture
  before image_blur <picture >expected
  image_blur picture out || fail "image_blur of $rows rows: ended with $?"
  same expected out "image_blur of $rows rows"
done
{ printf 'P5 # grey\n#\n 7 5\n255\n'; head -c 35 random; } >grey
before image_blur <grey >expected
image_blur grey out || fail "image_blur of a grey picture: ended with $?"
same expected out 'image_blur of a grey picture'
head -c 100 picture >broken
rm -f new
expect 1 'broken: ends too early' image_blur broken new
[ -e new ] && fail 'image_blur: a broken picture has a result'
expect 1 'log: is no binary PGM or PPM' image_blur log new
expect 1 "missing: can't be read" image_blur missing new
expect 2 usage image_blur picture

# ---- queens: the known numbers ----
found=$(for n in 1 2 3 4 5 6 7 8 9 10; do n_queens $n; done | tr '\n' ' ')
[ "$found" = '1 0 0 2 10 4 40 92 352 724 ' ] || fail "n_queens: $found"
expect 2 usage n_queens 0
expect 2 usage n_queens 8x

# ---- searches: also of a chain, and of nothing ----
input graph 20000 graph
seq 1000 | awk '{print $1 - 1, $1}' >chain
for file in graph chain nothing; do
  before breadth_first <$file >expected
  prints expected breadth_first $file
done
printf '0 1\n1 x\n' >broken
expect 1 'broken: ' breadth_first broken
expect 1 'missing: ' breadth_first missing

# ---- checksums: of one process, and of several, which have no memory in common ----
mkdir -p folder/below
cp text folder/below/ && cp byte nothing folder/
find folder -type f | sort | xargs sha256sum >expected
prints expected checksums folder
for groups in 2 3; do
  prints expected weir run --on $groups -- "$programs/checksums" folder
done
expect 1 'missing' checksums missing

# ---- words: lower case, unknown letters, and sequences shorter than a word ----
input genome 60000 genome
printf '>short\nACG\n>none\n>last\nacgtacgtNNacgtacgtacgtacgtacgtacgtacgtacgtacgt' >>genome
for k in 1 11 31; do
  before kmers $k <genome | sort >expected
  prints_sorted expected kmers $k genome
done
sed 's/$/\r/' genome >lines_of_another_system
prints_sorted expected kmers 31 lines_of_another_system
expect 2 usage kmers 32 genome
expect 1 "can't read 'missing': " kmers 5 missing

# ---- services, and the video that is interrupted ----
mkdir clients
(cd clients && /usr/bin/python3 "$here/cookbook_clients.py" "$here/../../docs/cookbook") || fail 'services'
expect 2 usage spelling_service text 0
expect 1 "missing: can't be read" spelling_service missing 4711
expect 2 usage sensors 1 70000
expect 2 usage video
expect 1 "missing: can't be read" video missing out
expect 1 'text: is no YUV4MPEG2' video text out
for colours in 444 420p10 mono; do
  echo "YUV4MPEG2 W2 H2 F25:1 C$colours" >strange
  expect 1 'strange: has other colours' video strange out
done

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
