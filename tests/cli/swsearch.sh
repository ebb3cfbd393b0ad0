#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
# needs: ZLIB ZSTD
#
#   swsearch.sh BIN_DIR    swsearch as a user calls it: plain and compressed files, standard input, what it prints, calls and input that make no sense
set -uo pipefail
export LC_ALL=C
. "$(dirname "$(readlink -f -- "$0")")/../support/expect.sh"
swsearch=$1/swsearch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
prints() { [ "$(cat out)" = "$1" ] || fail "$2: printed $(head -c 600 out)"; }

# By BLOSUM50 W scores 15, C 13, H 10; C / A -1, C / W -5, H / W -3: WCHW / WAWW is 26 without a gap.
printf '>w five of them\nWWWWW\n>mixed\nWC\nHW\n' >queries.fa
printf '>one\nWWWWW\n>two\nwwaww\n>three\nCHW\n>four\nWWAWWW\n>none\n\n>far\nDDDD\n' >database.fa
expected=$'w\tone\t75\t5\t5\nw\tfour\t63\t5\t6\nw\ttwo\t57\t5\t5\nw\tthree\t15\t5\t3\nmixed\tthree\t38\t4\t3\nmixed\ttwo\t26\t4\t5\nmixed\tfour\t26\t4\t6\nmixed\tone\t22\t4\t5'
lengths=(--columns qseqid,sseqid,score,qlen,slen)
options=(-m BLOSUM50 --gap-open 10 --gap-extend 2 "${lengths[@]}")
for threads in 1 2 5; do
  expect 0 '2 queries of 9 residues, 6 sequences of 23; BLOSUM50, a gap of k costs 10 + 2k; ' "$swsearch" "${options[@]}" -j $threads queries.fa database.fa
  prints "$expected" "$threads threads"
done
gzip -k database.fa
zstd -q database.fa
for file in database.fa.gz database.fa.zst; do
  expect 0 '' "$swsearch" -q "${options[@]}" queries.fa $file
  prints "$expected" $file
  [ ! -s err ] || fail "-q says $(cat err)"
done
expect 0 '' "$swsearch" -q "${options[@]}" queries.fa - <database.fa
prints "$expected" 'standard input'
expect 0 '' "$swsearch" -q "${options[@]}" - database.fa <queries.fa
prints "$expected" 'queries from standard input'
expect 0 '' "$swsearch" -q "${options[@]}" --top 2 --min-score 60 queries.fa database.fa
prints "$(head -n 2 <<<"$expected")" '--top, --min-score'
expect 0 '' "$swsearch" -q "${options[@]}" --all-scores queries.fa database.fa
prints $'w\tone\t75\t5\t5\nw\ttwo\t57\t5\t5\nw\tthree\t15\t5\t3\nw\tfour\t63\t5\t6\nw\tnone\t0\t5\t0\nw\tfar\t0\t5\t4\nmixed\tone\t22\t4\t5\nmixed\ttwo\t26\t4\t5\nmixed\tthree\t38\t4\t3\nmixed\tfour\t26\t4\t6\nmixed\tnone\t0\t4\t0\nmixed\tfar\t0\t4\t4' '--all-scores'
printf '  W X\nW 2 -1\nX -1 -1\n' >own
expect 0 '; own, a gap of k costs 11 + 1k; ' "$swsearch" -m own "${lengths[@]}" --top 1 queries.fa database.fa
prints $'w\tone\t10\t5\t5\nmixed\tone\t2\t4\t5' 'a matrix of our own'

# ---- formats ----
# 45 identities, of which one pair is exchanged (N / D scores 1), and two residues are missing in the database.
printf '>query of mine\nMKVLAAGIVGLPNVGKSTLFNALTNAKVEAANYPFCTIDPNTGVVPVPD\n' >one.fa
printf '>other\nDDDD\n>found with "quotes", a comma\nAAMKVLAAGIVGLPDVGKSTLFNALTAKVEAANYPFCTIDPNTGVVPVPDCC\n' >two.fa
expect 0 '' "$swsearch" -q --top 1 one.fa two.fa
prints $'query\tfound\t95.918\t49\t1\t1\t1\t49\t3\t50\t7.42e-35\t73.8' 'the twelve columns'
expect 0 '' "$swsearch" -q --top 1 --outfmt csv --columns 'qseqid, stitle cigar,positive' one.fa two.fa
prints $'qseqid,stitle,cigar,positive\nquery,"found with ""quotes"", a comma",24M1I24M,48' csv
expect 0 '' "$swsearch" -q --top 1 --outfmt jsonl --columns sseqid,stitle,score,evalue,pident,qseq,sseq one.fa two.fa
python3 - <<'END' || fail "jsonl: $(cat out)"
import json
(hit,) = [json.loads(line) for line in open("out")]
assert hit["sseqid"] == "found" and hit["stitle"] == 'found with "quotes", a comma', hit
assert hit["score"] > 200 and 0 < hit["evalue"] < 1e-30 and 95 < hit["pident"] < 96, hit
assert len(hit["qseq"]) == len(hit["sseq"]) and hit["qseq"].replace("-", "") == "MKVLAAGIVGLPNVGKSTLFNALTNAKVEAANYPFCTIDPNTGVVPVPD", hit
END
expect 0 '' "$swsearch" -q --top 1 --outfmt pairwise one.fa two.fa
prints "$(cat <<'END'
Query: query of mine
Length: 49

> found with "quotes", a comma
Length: 52
Score: 231 (73.8 bits), e-value: 7.42e-35
Identities: 47/49 (96 %), positives: 48/49 (98 %), gaps: 1/49 (2 %)

Query  1   MKVLAAGIVGLPNVGKSTLFNALTNAKVEAANYPFCTIDPNTGVVPVPD  49
           MKVLAAGIVGLP+VGKSTLFNALT AKVEAANYPFCTIDPNTGVVPVPD
Sbjct  3   MKVLAAGIVGLPDVGKSTLFNALT-AKVEAANYPFCTIDPNTGVVPVPD  50
END
)" pairwise
expect 0 '' "$swsearch" -q --top 1 --outfmt sam one.fa two.fa
if command -v samtools >/dev/null; then
  samtools view -h -o converted.sam out 2>err || fail "samtools: $(cat err)"
  samtools view -c out 2>/dev/null | grep -qx 1 || fail "samtools counts $(samtools view -c out 2>&1) alignments"
fi
grep -q $'^@SQ\tSN:found\tLN:52$' out && grep -q $'^query\t0\tfound\t3\t255\t24M1I24M\t' out || fail "sam: $(cat out)"
expect 2 "there is no column 'nothing'; choose among qseqid, qlen" "$swsearch" --columns nothing one.fa two.fa
expect 2 'no column is named' "$swsearch" --columns , one.fa two.fa
expect 2 'column score is named twice' "$swsearch" --columns score,score one.fa two.fa
expect 2 '7 is none of tabular, csv, jsonl, sam, pairwise and 6' "$swsearch" --outfmt 7 one.fa two.fa
expect 0 '' "$swsearch" -q --top 1 --outfmt 6 one.fa two.fa
prints $'query\tfound\t95.918\t49\t1\t1\t1\t49\t3\t50\t7.42e-35\t73.8' "BLAST's 6"
expect 0 '' "$swsearch" -q --top 1 --outfmt '6 qlen std slen' one.fa two.fa
prints $'49\tquery\tfound\t95.918\t49\t1\t1\t1\t49\t3\t50\t7.42e-35\t73.8\t52' "BLAST's 6 with columns"
expect 2 "there is no column 'sscinames'; choose among" "$swsearch" --outfmt '6 std sscinames' one.fa two.fa
expect 2 '--outfmt and --columns both name columns' "$swsearch" --outfmt '6 std' --columns score one.fa two.fa
expect 2 '--evalue' "$swsearch" --evalue nan one.fa two.fa
expect 2 '--all-scores' "$swsearch" --all-scores --top 3 one.fa two.fa
expect 2 '--all-scores goes with tabular, csv and jsonl only' "$swsearch" --all-scores --outfmt sam one.fa two.fa
expect 2 '--columns goes with tabular, csv and jsonl only' "$swsearch" --columns score --outfmt sam one.fa two.fa
expect 2 '--strand' "$swsearch" --strand plus one.fa two.fa
linear=(-m BLOSUM50 --gap-open 5 --gap-extend 2)
"$swsearch" "${linear[@]}" --top 1 one.fa two.fa >out 2>err || fail "without e-values: ended with $?"
grep -qF 'there are no e-values for these scores: where a gap of k costs 5 + 2k' err || fail "without e-values: says $(cat err)"
[ "$(cut -f 2,11- out)" = $'found\tnan\tnan' ] || fail "without e-values: printed $(cat out)"
expect 1 'there are no e-values for these scores' "$swsearch" "${linear[@]}" --evalue 1 one.fa two.fa

# ---- e-values ----
expect 0 '' "$swsearch" -q --evalue 1e-60 one.fa two.fa
prints '' 'hits below an e-value'
expect 0 '' "$swsearch" -q --evalue 1e-30 --columns sseqid one.fa two.fa
prints found 'a hit above an e-value'

# A long sequence of the same score says less: the order is that of e-values, and --top keeps the best of it.
python3 - <<'END'
import random
chosen = random.Random(3)
def some(length): return "".join(chosen.choices("ARNDCQEGHILKMFPSTWYV", k=length))
part = some(200)
with open("lengths.fa", "w") as out:
    for i in range(40):
        piece = part[100:120 + i // 2]
        out.write(f">s{i}\n{piece if i % 2 else some(1500) + piece + some(1500)}\n")
with open("part.fa", "w") as out: out.write(f">part\n{part}\n")
END
order() { "$swsearch" -q --top "$1" "${@:2}" --columns sseqid,evalue,score part.fa lengths.fa; }
order 0 >all
cut -f 2 all | python3 -c 'import sys; e = [float(line) for line in sys.stdin]; sys.exit(e != sorted(e) or len(e) != 40)' || fail 'hits are not in the order of e-values'
cut -f 3 all | sort -c -n -r 2>/dev/null && fail 'the order of e-values is that of scores, so nothing is tested'
for threads in 1 3; do
  order 7 -t $threads >some
  head -n 7 all | cmp -s - some || fail '--top keeps others than the best e-values'
done
order 0 --sort score | cut -f 3 | sort -c -n -r || fail '--sort score'
"$swsearch" -q --top 0 --sort evalue --columns sseqid part.fa lengths.fa | cmp -s - <(cut -f 1 all) || fail '--sort evalue without e-values'

printf '>none\n\n>some\nMKVLW\n' >empty_query.fa
expect 0 '' "$swsearch" -q --min-score 0 --columns qseqid,sseqid,score,evalue empty_query.fa two.fa
prints $'none\tother\t0\t2\nnone\tfound\t0\t2\nsome\tfound\t18\t0.0332\nsome\tother\t0\t2' 'e-values of nothing'
expect 0 '' "$swsearch" -q --min-score 0 --outfmt sam empty_query.fa two.fa
[ "$(grep -vc '^@' out)" = 1 ] || fail "sam, with hits of nothing: $(cat out)"
cat two.fa two.fa >twice.fa
{ echo -n '>'; head -c 255 /dev/zero | tr '\0' q; echo; tail -n +2 one.fa; } >long_name.fa
expect 1 "long_name.fa:1: the name of a query has 255 letters, SAM allows 254: 'qqqq" "$swsearch" --outfmt sam long_name.fa two.fa
expect 0 '' "$swsearch" -q long_name.fa two.fa
expect 1 "twice.fa:5: a second sequence with the name 'other', which SAM does not allow; " "$swsearch" --outfmt sam one.fa twice.fa

# ---- an index ----
expect 0 'database.fa.swdb: 6 sequences of 23 residues' "$swsearch" index database.fa
expect 0 '' "$swsearch" -q "${options[@]}" queries.fa database.fa.swdb
prints "$expected" 'an index'
expect 0 '' "$swsearch" index -q -o here.swdb - <database.fa
cmp -s here.swdb database.fa.swdb || fail 'indexes of one database differ'
printf x | dd of=here.swdb bs=1 seek=300 conv=notrunc status=none
expect 1 "'here.swdb': the index is damaged; make it again" "$swsearch" queries.fa here.swdb
head -c 200 database.fa.swdb >here.swdb
expect 1 "'here.swdb': the index is cut off" "$swsearch" queries.fa here.swdb
cp database.fa here.swdb
expect 1 "'here.swdb': " "$swsearch" queries.fa here.swdb
mkfifo pipe.swdb
expect 1 "can't read 'pipe.swdb': an index must be a regular file" "$swsearch" queries.fa pipe.swdb
expect 1 'the index has other letters' "$swsearch" --dna queries.fa database.fa.swdb
expect 1 'missing.swdb' "$swsearch" queries.fa missing.swdb
expect 2 'must end with .swdb' "$swsearch" index database.fa -o database.index
expect 2 'give one with -o' "$swsearch" index -
expect 1 'bad.fa' "$swsearch" index bad.fa
[ ! -e bad.fa.swdb ] || fail 'a failed index leaves a file'
expect 1 "can't write 'missing/x.swdb'" "$swsearch" index database.fa -o missing/x.swdb

# ---- DNA ----
printf '>q\nACGTACGGATTCCGTAAGGCTA\n' >dna_query.fa
printf '>plus\nTTACGTACGGATTCCGTAAGGCTATT\n>minus\nGGTAGCCTTACGGAATCCGTACGTGG\n' >dna.fa
dna=(--dna --columns sseqid,score,sstrand,qstart,qend,sstart,send,cigar)
expect 0 '' "$swsearch" -q "${dna[@]}" dna_query.fa dna.fa
prints $'plus\t44\tplus\t1\t22\t3\t24\t22M\nminus\t44\tminus\t1\t22\t24\t3\t22M' 'both strands'
expect 0 '' "$swsearch" -q "${dna[@]}" --strand minus --min-score 40 dna_query.fa dna.fa
prints $'minus\t44\tminus\t1\t22\t24\t3\t22M' 'the minus strand'
expect 0 '; 2 / -3, a gap of k costs 5 + 2k; ' "$swsearch" --dna dna_query.fa dna.fa

# ---- parts of low complexity ----
# Many copies of one residue are no evidence; for an average composition they would be.
printf '>s\nMSSSSSSSSSTSSSGSSSSSSSGSSTSSSSSSSSSSSSSTSSSSSSSS\n' >low.fa
{ printf '>s\n'; printf 'MSSKVSSSLSSSSTSSGSSDSESSSSTSSNSSSSSISSSSTSSSASSS%.0s' 1 2; } >polys.fa
evalue() { "$swsearch" -q "$@" --columns evalue low.fa polys.fa; }
python3 -c 'import sys; sys.exit(not 1e6 * float(sys.argv[1]) < float(sys.argv[2]))' "$(evalue --no-composition)" "$(evalue)" || fail "e-values: $(evalue --no-composition), corrected $(evalue)"
[ -z "$(evalue --mask --min-score 20)" ] || fail "a query that is masked as a whole has $(evalue --mask --min-score 20)"
expect 2 '--no-composition' "$swsearch" --dna --no-composition low.fa polys.fa
printf '>q\nMKWVTFISLLQQQQQQQQQQQQQQQDAHKSEVAHRFKD\n' >low.fa
printf '>poly\nWWQQQQQQQQQQQQQQQQWW\n>like\nMKWVTFISLLQQQQQQQQQQQQQQQDAHKSEVAHRFKD\n' >polys.fa
expect 0 '' "$swsearch" -q --columns sseqid,score,qseq low.fa polys.fa
prints $'like\t197\tMKWVTFISLLQQQQQQQQQQQQQQQDAHKSEVAHRFKD\npoly\t75\tQQQQQQQQQQQQQQQ' 'without --mask'
expect 0 '' "$swsearch" -q --mask --min-score 20 --columns sseqid,score,qseq,mismatch low.fa polys.fa
prints $'like\t107\tMKWVTFISLLXXXXXXXXXXXXXXXDAHKSEVAHRFKD\t15' '--mask'
printf '>q\nACGGTCTTTTTTTTTTTTGCATCG\n' >low_dna.fa
expect 0 '' "$swsearch" -q --dna --mask --outfmt sam --top 1 low_dna.fa low_dna.fa
[ -z "$(cut -f 10 out | grep TTTTT)" ] || fail "--mask of DNA: $(cat out)"

# ---- calls that may be mistakes: they are reported also with -q ----
printf '>\n   1 MKVLW 5\n>b\nMKVLWJOUX\n' >doubtful.fa
"$swsearch" -q --columns qseqid,qlen,sseqid doubtful.fa one.fa >out 2>err || fail "doubtful.fa: exit code $?"
prints $'unnamed\t5\tquery\nb\t9\tquery' 'doubtful.fa'
[ "$(cat err)" = $'swsearch: 2 digits among residues left out\nswsearch: 1 sequence without a name, called \'unnamed\'' ] || fail "doubtful.fa: $(cat err)"
expect 1 "doubtful.fa:1: a name is missing behind '>'" "$swsearch" -q --strict doubtful.fa one.fa
printf '\xef\xbb\xbf>marked\nMKVLW\n' >marked.fa
expect 0 '' "$swsearch" -q --columns qseqid marked.fa one.fa
prints marked 'the mark of UTF-8'
expect 1 'it is compressed by xz, and only gzip and zstd are read; unpack it, as by `xz -dc`' "$swsearch" <(printf '\xfd7zXZ\0\0\4') one.fa
{ echo '>d'; printf 'ACGTACGGATTCCGTAAGGCTAACGT%.0s' 1 2 3; echo; } >bases.fa
expect 0 'the queries look like DNA, and were searched as proteins; --dna searches both strands' "$swsearch" -q bases.fa one.fa
"$swsearch" -q --dna one.fa one.fa >out 2>err
grep -qx 'swsearch: these look like proteins, and were searched as DNA; leave out --dna' err || fail "proteins as DNA: $(cat err)"

# ---- being stopped ----
python3 - <<'END'
import random
random.seed(1)
letters = "ARNDCQEGHILKMFPSTWYV"
with open("many.fa", "w") as out:
    for i in range(3000):
        out.write(f">s{i}\n{''.join(random.choices(letters, k=400))}\n")
END
# Files of their own: `out` is full of what was printed before until the shell in the background has emptied it.
env --default-signal=INT "$swsearch" --top 3 -t 1 many.fa many.fa >stopped_out 2>stopped_err &
search=$!
for _ in $(seq 6000); do [ ! -s stopped_out ] || break; sleep 0.05; done
[ -s stopped_out ] || fail 'no query is complete after minutes'
kill -INT $search
wait $search
[ $? = 130 ] || fail "SIGINT: ended with $?"
grep -qE '^swsearch: stopped: [0-9]+ (query|queries) of ' stopped_err || fail "SIGINT: says $(cat stopped_err)"
[ "$(tail -c 1 stopped_out | od -An -c | tr -d ' ')" = '\n' ] && awk -F'\t' 'NF != 12 { exit 1 }' stopped_out || fail 'SIGINT: what is printed is not whole'
awk -F'\t' '{ n[$1]++ } END { for (q in n) if (n[q] != 3) exit 1 }' stopped_out || fail 'SIGINT: a query is printed in part'

# ---- a terminal ----
python3 - "$swsearch" <<'END' || fail 'the line of progress'
import os, pty, re, select, signal, subprocess, sys, time

master, slave = pty.openpty()
with open("terminal_out", "wb") as out:
    # In the background of a script SIGINT is ignored.
    search = subprocess.Popen([sys.argv[1], "--top", "1", "many.fa", "many.fa"], stdout=out, stderr=slave,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
os.close(slave)
seen = b""
stopped = False
until = time.monotonic() + 600
while time.monotonic() < until:
    if select.select([master], [], [], 1)[0]:
        try:
            part = os.read(master, 4096)
        except OSError:  # it has ended
            break
        seen += part
    if not stopped and re.search(rb"\r\d+ %, \d+\.\d GCUPS, \d+ s left\x1b\[K", seen):
        search.send_signal(signal.SIGINT)
        stopped = True
assert stopped, seen
assert search.wait() == 130, search.returncode
# The progress line is removed before the summary is printed.
assert re.search(rb"\r\x1b\[Kswsearch: stopped: \d+ quer", seen), seen[-300:]
END

# ---- a cluster ----
weir=$(dirname "$swsearch")/weir
if [ -x "$weir" ]; then
  head -n 40 many.fa >some.fa
  "$swsearch" -q --top 5 some.fa many.fa >expected
  "$swsearch" index -q many.fa
  for database in many.fa many.fa.swdb; do
    for groups in 2 3; do
      "$weir" run --on $groups -- "$swsearch" -q --top 5 some.fa $database >out 2>err || fail "$groups groups: ended with $?: $(cat err)"
      cmp -s out expected || fail "$groups groups print other hits of $database"
    done
  done
  "$weir" run --on 3 -- "$swsearch" -q some.fa missing.fa >out 2>err
  [ $? = 1 ] || fail "three groups without a database: ended with $?"
  grep -qF 'missing.fa' err && ! grep -qF terminate err || fail "three groups without a database: $(cat err)"
fi

# ---- errors ----
expect 1 "can't" "$swsearch" queries.fa missing.fa
grep -qF missing.fa err || fail "missing.fa is not named: $(cat err)"
printf 'WWWW\n' >bad.fa
expect 1 "bad.fa:1: a sequence begins with a line '>name', which is missing" "$swsearch" queries.fa bad.fa
printf '>a x\rMKV\r>b\rMKV\r' >cr.fa
expect 1 'cr.fa:1: a CR within the name of a sequence' "$swsearch" cr.fa database.fa
printf '>a\nWW\nW\0W\n' >zero.fa
expect 1 'zero.fa:3: a byte of value 0 is no residue' "$swsearch" queries.fa zero.fa
: >empty.fa
expect 1 'empty.fa: there is no sequence in it' "$swsearch" empty.fa database.fa
for i in $(seq 2000); do echo ">s$i"; echo "WACDEFGHIKLMNPQRSTVWY$i" | tr 0-9 ARNDCQEGHI; done | gzip >whole.gz
head -c 3000 whole.gz >truncated.gz
expect 1 'truncated.gz' "$swsearch" queries.fa truncated.gz
expect 1 "there is no matrix 'BLOSUM63', and no file of that name; there are BLOSUM45" "$swsearch" -m BLOSUM63 queries.fa database.fa
printf '  W X\nW 2 -1\n' >short
expect 1 'short:3: the row for X is missing' "$swsearch" -m short queries.fa database.fa
printf '   A\033[31mX\n' >coloured
expect 1 "coloured:1: 'A\033[31mX' is not one of the letters" "$swsearch" -m coloured queries.fa database.fa
printf '  A X A\nA 2 -1 2\nX -1 -1 -1\n' >twice
expect 1 'twice:1: a second column for A' "$swsearch" -m twice queries.fa database.fa
expect 1 "can't read the matrix '.': it is no regular file" "$swsearch" -m . queries.fa database.fa
expect 2 '--gap-open' "$swsearch" --gap-open -1 queries.fa database.fa
expect 2 'only one of QUERY and DATABASE can be standard input' "$swsearch" - -
expect 2 'DATABASE' "$swsearch" queries.fa
expect 1 "can't write standard output" bash -c '"$0" -q "$@" >/dev/full' "$swsearch" queries.fa database.fa

[ $failures = 0 ] || { echo "$failures checks failed"; exit 1; }
