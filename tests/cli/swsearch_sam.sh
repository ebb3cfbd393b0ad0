#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
#
#   swsearch_sam.sh BIN_DIR    SAM by its specification: rules by check_sam.py, samtools where it is installed, and names that it does not allow
set -uo pipefail
export LC_ALL=C
here=$(dirname "$(readlink -f -- "$0")")
. "$here/../support/expect.sh"
swsearch=$1/swsearch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Reads of both strands with errors, N and other vague letters, repeats, and reads of two places; proteins with X, B, U and *.
python3 - <<'END'
import random
chosen = random.Random(11)
def write(name, sequences):
    with open(name, "w") as out:
        for key, letters in sequences.items(): out.write(f">{key} words behind\n{letters}\n")
def some(letters, length): return "".join(chosen.choices(letters, k=length))
complement = str.maketrans("ACGTN", "TGCAN")
places = {f"chr{i}": some("ACGT", 3000) for i in range(3)}
places["chr1"] = places["chr1"][:500] + "N" * 30 + "RYACGTRY" + places["chr1"][538:]
places["copy"] = places["chr0"][1000:2000]
places["HLA:DRB1*12:01|x=y"] = some("ACGT", 400)
places["nothing"] = ""
def errors(read):
    made = ""
    for letter in read:
        draw = chosen.random()
        made += "" if draw < .02 else letter + chosen.choice("ACGT") if draw < .04 else chosen.choice("ACGTN") if draw < .08 else letter
    return made
reads = {}
for i in range(60):
    of = places[chosen.choice(["chr0", "chr1", "chr2", "copy"])]
    at = chosen.randrange(len(of) - 200)
    read = errors(of[at:at + 200])
    reads[f"r{i}/1"] = read.translate(complement)[::-1] if i % 2 else read
reads["over_N"] = places["chr1"][440:600]
reads["two_places"] = places["chr0"][:120] + places["chr2"][800:920]
reads["!\"'()*,;<=>?[~]"] = places["chr2"][100:200]
write("places.fa", places)
write("reads.fa", reads)
proteins = {f"sp|P{i}|X_Y": some("ARNDCQEGHILKMFPSTWYVX", 150) for i in range(8)}
write("proteins.fa", proteins)
write("domains.fa", {f"d{i}": letters[20:60] + "XB*U" + letters[60:120] for i, letters in enumerate(proteins.values())})
write("stops.fa", {name: letters[:60] + "XB*U" + letters[60:] for name, letters in proteins.items()})
END
valid() {
  local sam=$1
  shift
  python3 "$here/../support/check_sam.py" "$@" >problems 2>&1 || fail "$sam: $(cat problems)"
}
expect 0 '' "$swsearch" -q --dna --top 5 --outfmt sam reads.fa places.fa
cp out reads.sam
valid reads.sam reads.sam reads.fa places.fa
[ "$(awk -F'\t' '!/^@/ && $2 >= 256' reads.sam | wc -l)" -gt 60 ] || fail 'there are no secondary lines'
[ "$(awk -F'\t' '!/^@/ && $2 == 16' reads.sam | wc -l)" -gt 20 ] || fail 'there are no primary lines of the other strand'
awk -F'\t' '$1 == "over_N" && $2 == 0' reads.sam | grep -qE 'NM:i:3[0-9]' || fail "N against N is no difference: $(grep over_N reads.sam | head -n 1)"
expect 0 '' "$swsearch" -q --top 3 --outfmt sam domains.fa stops.fa
cp out domains.sam
valid domains.sam --protein domains.sam domains.fa stops.fa
if command -v samtools >/dev/null; then
  for sam in reads domains; do
    samtools view -b -o $sam.bam $sam.sam 2>problems && samtools quickcheck $sam.bam 2>>problems && [ ! -s problems ] || fail "samtools reads $sam.sam: $(cat problems)"
  done
  [ "$(samtools view -c -F 0x900 reads.bam)" = "$(grep -c '^>' reads.fa)" ] || fail "samtools counts $(samtools view -c -F 0x900 reads.bam) primary lines"
  # samtools counts the differences itself, and reports other values. It takes a vague letter against itself for equal, except N.
  sed '/^>nothing/,$d; /^>/!s/[RY]/A/g' places.fa >plain.fa
  expect 0 '' "$swsearch" -q --dna --top 5 --outfmt sam reads.fa plain.fa
  samtools faidx plain.fa
  samtools calmd out plain.fa >counted 2>problems
  ! grep -q 'different NM' problems || fail "samtools counts other differences: $(head -n 3 problems)"
  [ "$(grep -c 'NM:i:' counted)" -gt 60 ] || fail "samtools calmd: $(cat problems)"
fi

# Names that the specification does not allow: nothing is printed.
refused() {
  local words=$1
  shift
  expect 1 "$words" "$swsearch" -q --dna --outfmt sam "$@"
  [ ! -s out ] || fail "$words: printed $(head -c 300 out)"
  grep -qF '; rename it, or choose another --outfmt' err || fail "$words: no remedy: $(cat err)"
}
head -n 2 reads.fa >read.fa
head -n 2 places.fa >place.fa
with_name() { printf '%s\n' ">$1 words" "$(tail -n 1 "$2")" >>"$3"; }
for name in '@q1' '*'; do
  cp read.fa bad_reads.fa
  with_name "$name" read.fa bad_reads.fa
  case $name in '*') words="bad_reads.fa:3: the name '*' means none in SAM" ;; *) words='bad_reads.fa:3: SAM does not allow the name ' ;; esac
  refused "$words" bad_reads.fa place.fa
done
{ cat place.fa; printf '>gène\nACGT\n'; } >bad_places.fa
refused "bad_places.fa:3: SAM does not allow the name 'gène', for a byte of value 195 at its place 2; " read.fa bad_places.fa
"$swsearch" index -q --dna bad_places.fa
refused "bad_places.fa.swdb: sequence 2: SAM does not allow the name 'gène', " read.fa bad_places.fa.swdb
cat read.fa read.fa >bad_reads.fa
refused "bad_reads.fa:3: a second sequence with the name 'r0/1'" bad_reads.fa place.fa
{ cat place.fa; printf '>chr0\nACGT\n'; } >bad_places.fa  # of another length
refused "bad_places.fa:3: a second sequence with the name 'chr0'" read.fa bad_places.fa
"$swsearch" index -q --dna bad_places.fa
refused "bad_places.fa.swdb: sequence 2: a second sequence with the name 'chr0'" read.fa bad_places.fa.swdb
{ printf '>%0255d\n' 0; tail -n 1 read.fa; } >bad_reads.fa
refused 'bad_reads.fa:1: the name of a query has 255 letters, SAM allows 254: ' bad_reads.fa place.fa
expect 0 '' "$swsearch" -q --dna bad_reads.fa bad_places.fa

# A cluster lists the same, once.
if [ -x "$1/weir" ]; then
  "$1/weir" run --on 2 -- "$swsearch" -q --dna --top 5 --outfmt sam reads.fa places.fa >grouped.sam 2>problems
  cmp -s reads.sam grouped.sam || fail "two groups print other lines: $(diff reads.sam grouped.sam | head -n 3) $(cat problems)"
fi
[ $failures = 0 ]
