#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   without_parts.sh BIN_DIR    tests the commands of a build without OpenSSL, zlib and zstd: each request for a missing part gets one line,
#                               and groups work together, also with those of a build that has OpenSSL
. "$(dirname -- "$0")/../support/weir_command.sh"
words=("$bin/wordcount" --workers 2)
for i in $(seq 500); do echo "the weir $((i % 97)) regulates the flow $((i % 13)) of a stream"; done >text
"${words[@]}" -q text >expected || failed "wordcount ended with $?"

# lacks_part CODE WORDS COMMAND…
lacks_part() {
  local code=$1 words=$2 got
  shift 2
  what=$*
  "$@" >out 2>err </dev/null
  got=$?
  [ $got = "$code" ] || failed "$what: ended with $got, expected $code"
  has err "$words"
  [ "$(wc -l <err)" = 1 ] || failed "$what: says more or less than one line"
}

# ---- files ----
printf '>one\nMKVLAT\n' >one.fa
gzip -k one.fa
lacks_part 1 "it is compressed with gzip, and this weir was built without zlib; decompress it with gunzip" "$bin/swsearch" one.fa one.fa.gz
zstd -q one.fa
lacks_part 1 "it is compressed with zstd, and this weir was built without zstd; decompress it with unzstd" "$bin/swsearch" one.fa one.fa.zst
lacks_part 1 "can't compress 'trace.json.gz', because this weir was built without zlib; name a file that does not end in .gz" \
  env WEIR_TRACE=trace.json.gz "${words[@]}" text
WEIR_TRACE=trace.json "${words[@]}" -q text >/dev/null && grep -q traceEvents trace.json || failed "a trace that is not compressed"

# ---- TLS ----
cat >tls.json <<'END'
{ "tls": {"certificate": "c.pem", "key": "k.pem", "authorities": "a.pem"},
  "groups": [{"name": "G1", "nodes": ["read"]}, {"name": "G2", "nodes": ["count"]}] }
END
refuses 64 'tls: this weir was built without OpenSSL; build it with OpenSSL, or configure no "tls"' run tls.json -- "${words[@]}" -q text

# ---- groups prove to each other that they know the secret, with weir's own HMAC ----
ends 0 run --on 3 -- "${words[@]}" -q text
cmp -s out expected || failed "$what: other words than in one process"
# The coordinator of a build that computes it with OpenSSL.
with=$bin/../../dev/bin/weir
if [ -x "$with" ]; then
  what="$with run"
  "$with" run --on 2 -- "${words[@]}" -q text >out 2>err </dev/null || failed "$what: ended with $?"
  cmp -s out expected || failed "$what: other words than in one process"
else
  echo "there is no $with, whose coordinator has OpenSSL"
fi
[ $failures = 0 ]
