#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""check_sam.py [--protein] SAM QUERIES DATABASE

Whether a SAM file of hits keeps the rules of the specification (SAMv1 1.2 - 1.5, SAMtags): names, the header, flags,
one primary line for each read, CIGAR, SEQ, NM, SA. The FASTA files are those that it was made from."""
import collections
import re
import sys

QUERY_NAME = re.compile(r"[!-?A-~]{1,254}")
REFERENCE_NAME = re.compile(r"[0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*")
COMPLEMENT = str.maketrans("ACGTRYKMBVDHNSW", "TGCAYRMKVBHDNSW")
SECONDARY, SUPPLEMENTARY, REVERSED = 0x100, 0x800, 0x10
problems = []


def require(condition, place, what):
    if not condition:
        problems.append(f"line {place}: {what}")


def fasta(name):
    made, present = {}, None
    for line in open(name, encoding="latin-1"):
        if line.startswith(">"):
            present = line[1:].split()[0]
            made[present] = ""
        else:
            made[present] += line.strip().upper()
    return made


def differences(query, reference, cigar, position, is_definite):
    """Expected NM: counts all columns except pairs of equal letters that stand for one residue."""
    count, q, r = 0, 0, position
    for length, kind in cigar:
        if kind == "M":
            pairs = zip(query[q : q + length], reference[r : r + length])
            count += sum(a != b or not is_definite(a) for a, b in pairs)
        elif kind in "ID":
            count += length
        q += length if kind in "MI" else 0
        r += length if kind in "MD" else 0
    return count


def main(arguments):
    is_protein = arguments[0] == "--protein"
    sam, queries, database = arguments[-3:]
    queries, database = fasta(queries), fasta(database)
    is_definite = (lambda c: c not in "BJZX*") if is_protein else (lambda c: c in "ACGT")
    lengths, primary, supplementary, with_sa = {}, collections.Counter(), set(), set()
    seen, last = set(), None
    for number, line in enumerate(open(sam, encoding="latin-1", newline="\n"), 1):
        fields = line.rstrip("\n").split("\t")
        if line.startswith("@"):
            require(not seen, number, "a header behind alignments")
            require(re.fullmatch(r"@(HD|SQ)(\t[A-Za-z][A-Za-z0-9]:[ -~]+)+", line.rstrip("\n")), number, "no header line")
            if fields[0] == "@SQ":
                tags = dict(field.split(":", 1) for field in fields[1:])
                require(REFERENCE_NAME.fullmatch(tags["SN"]), number, f"SN {tags['SN']!r}")
                require(tags["SN"] not in lengths, number, f"SN {tags['SN']!r} again")
                lengths[tags["SN"]] = int(tags["LN"])
                require(lengths[tags["SN"]] == len(database.get(tags["SN"], "")), number, "LN")
            continue
        if len(fields) < 11:
            require(False, number, "fewer than 11 fields")
            continue
        name, flag, subject, position, quality, cigar, mate, mate_position, size, letters, qualities = fields[:11]
        require(QUERY_NAME.fullmatch(name) and name != "*", number, f"QNAME {name!r}")
        require(name == last or name not in seen, number, "GO:query, and its lines are apart")
        seen.add(name)
        last = name
        flag = int(flag)
        require(flag & ~(SECONDARY | SUPPLEMENTARY | REVERSED) == 0, number, f"FLAG {flag}")
        if flag & (SECONDARY | SUPPLEMENTARY) == 0:
            primary[name] += 1
        if flag & SUPPLEMENTARY:
            supplementary.add(name)
        require(quality == "255", number, f"MAPQ {quality}")
        require((mate, mate_position, size, qualities) == ("*", "0", "0", "*"), number, "mate or QUAL")
        require(re.fullmatch(r"[A-Za-z=.]+", letters), number, f"SEQ {letters!r}")
        require(subject in lengths, number, f"RNAME {subject!r} is not in the header")
        require(re.fullmatch(r"(\d+H)?\d+M(\d+[MID])*(\d+H)?", cigar), number, f"CIGAR {cigar}")
        runs = [(int(length), kind) for length, kind in re.findall(r"(\d+)([MIDH])", cigar)]
        begin = int(position) - 1
        span = sum(length for length, kind in runs if kind in "MD")
        require(0 <= begin and begin + span <= lengths.get(subject, 0), number, "POS")
        strand = queries.get(name, "").replace("U", "T") if not is_protein else queries.get(name, "")
        if flag & REVERSED:
            strand = strand.translate(COMPLEMENT)[::-1]
        clipped = runs[0][0] if runs and runs[0][1] == "H" else 0
        taken = sum(length for length, kind in runs if kind in "MI")
        require(sum(length for length, kind in runs if kind in "MIH") == len(strand), number, "CIGAR and the query")
        aligned = strand[clipped : clipped + taken]
        require(letters == aligned.replace("*", "X"), number, "SEQ")
        for tag in fields[11:]:
            require(re.fullmatch(r"[A-Za-z][A-Za-z0-9]:([if]:[-+0-9.e]+|Z:[ -~]*)", tag), number, f"tag {tag!r}")
        tags = {tag[:2]: tag[5:] for tag in fields[11:]}
        require(len(tags) == len(fields) - 11, number, "a tag twice")
        expected = differences(aligned, database.get(subject, ""), runs, begin, is_definite)
        require(int(tags["NM"]) == expected, number, f"NM {tags['NM']} instead of {expected}")
        if "SA" in tags:
            with_sa.add(name)
    for name in seen:
        require(primary[name] == 1, name, f"{primary[name]} primary lines")
    require(with_sa == supplementary, "all", "SA goes with supplementary lines, and these with SA")
    for problem in problems[:10]:
        print(problem, file=sys.stderr)
    return 1 if problems or not seen else 0


sys.exit(main(sys.argv[1:]))
