# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""The rows that bench/results keeps. Where several files have a variant, the newest that has the contenders in question counts."""

import csv
import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent / "results"


def age(path):
    """Orders files: <date>-<suite>[-<number>].csv."""
    date, name, number = re.fullmatch(r"(\d{4}-\d\d-\d\d)-(.+?)(?:-(\d+))?", path.stem).groups()
    return date, int(number or 1), name


def read(path):
    """@return by problem and variant, then by contender, what its program printed, by round"""
    variants = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            printed = {"items": int(row["items"]), "wall_ns": int(row["wall_ns"]), "cpu_ns": int(row["cpu_ns"]), "extra": json.loads(row["extra"])}
            variants.setdefault((row["problem"], row["variant"]), {}).setdefault(row["contender"], []).append(printed)
    return variants


class Kept:
    def __init__(self, folder=FOLDER):
        self.files = [(path.stem, read(path)) for path in sorted(folder.glob("*.csv"), key=age, reverse=True)]

    def newest(self, problem, variant, *contenders):
        """@return the file, and its rows of the variant by contender, of the newest that has all of these contenders; None, {}: there is none"""
        return next(((name, variants[problem, variant]) for name, variants in self.files
                     if (problem, variant) in variants and all(each in variants[problem, variant] for each in contenders)), (None, {}))
