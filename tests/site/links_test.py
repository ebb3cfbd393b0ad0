#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the parts of the site's build that read pages, and of the check of its result."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SITE = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "site"
sys.path.insert(0, str(SITE))

import markdown_links  # noqa: E402
import repository  # noqa: E402


class Links(unittest.TestCase):
    def setUp(self):
        self.headers = repository.public_headers()

    def rewritten(self, text, page="docs/how-to/it-hangs.md"):
        return markdown_links.rewritten(text, page, self.headers)

    def test_a_page_of_the_site(self):
        self.assertEqual(self.rewritten("[a](../cluster.md#links) ![b](../pictures/grain.svg)"), "[a](../cluster.md#links) ![b](../pictures/grain.svg)")

    def test_a_page_outside_docs(self):
        self.assertEqual(self.rewritten("[a](../../apps/extsort/README.md)"), "[a](../apps/extsort/README.md)")
        self.assertEqual(self.rewritten("[a](../../docs/cluster.md#x)", "apps/extsort/README.md"), "[a](../../cluster.md#x)")

    def test_a_header_is_its_page_in_the_reference(self):
        self.assertEqual(self.rewritten("[a](../../include/weir/blocks/farm.hpp)"), "[a](../reference/blocks/farm.hpp.md)")
        self.assertEqual(self.rewritten("[a](../../include/weir/blocks/)"), "[a](../reference/blocks/index.md)")

    def test_a_source_is_its_page(self):
        self.assertEqual(self.rewritten("[a](../../src/run/pool.cpp#L-3)"), "[a](../source/src/run/pool.cpp.html#L-3)")
        self.assertEqual(self.rewritten("[a](../../examples/)"), "[a](../source/examples/index.html)")

    def test_the_name_of_a_page_becomes_its_title(self):
        self.assertEqual(self.rewritten("[../glossary.md](../glossary.md)"), "[Glossary](../glossary.md)")

    def test_code_has_no_links(self):
        text = "`[a](nothing.md)`\n\n```\n[a](nothing.md)\n```\n"
        self.assertEqual(self.rewritten(text), text)

    def test_a_link_to_nothing(self):
        lost = markdown_links.lost("a\n\n[b](../nothing.md#c) [b](../cluster.md) [b](../../../outside.md)", "docs/how-to/it-hangs.md")
        self.assertEqual(lost, ["docs/how-to/it-hangs.md:3: '../nothing.md#c' does not exist; mend the link",
                                "docs/how-to/it-hangs.md:3: '../../../outside.md' does not exist; mend the link"])


class Markdown(unittest.TestCase):
    """What repository viewers show as a list or table must be one for Python's Markdown."""

    def made(self, text):
        return markdown_links.for_pythons_markdown(text)

    def test_a_list_behind_a_paragraph(self):
        self.assertEqual(self.made("a:\n- b\n- c"), "a:\n\n- b\n- c")

    def test_a_list_in_a_list(self):
        self.assertEqual(self.made("- a\n  more\n  - b\n    more\n- c"), "- a\n    more\n    - b\n        more\n- c")
        self.assertEqual(self.made("1. a\n   - b\n2. c"), "1. a\n    - b\n2. c")

    def test_code_in_a_list(self):
        self.assertEqual(self.made("- a\n\n  ```sh\n  b\n    c\n  ```\n\nd"), "- a\n\n    ```sh\n    b\n      c\n    ```\n\nd")

    def test_code_stays_as_it_is(self):
        for text in ("```\n- a\n  - b\n| c\n```", "a\n\n    code\n\nb"):
            self.assertEqual(self.made(text), text)

    def test_bars_in_the_code_of_a_table(self):
        self.assertEqual(self.made("a\n| `b \\| c` | d |"), "a\n\n| `b | c` | d |")


class Check(unittest.TestCase):
    """check.py finds what is wrong in a site."""

    def run_check(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (pathlib.Path(folder) / f"{name}.html").write_text(text, encoding="utf-8")
            (pathlib.Path(folder) / "style.css").write_text("a { background: url('data:image/png;base64,') }", encoding="utf-8")
            done = subprocess.run([SITE / "check.py", folder], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

    def test_a_right_site(self):
        self.assertEqual(self.run_check(a='<link rel="stylesheet" href="style.css"><a href="b.html#x">b</a> <a href="https://weir.example">c</a>', b='<h1 id="x">'), (0, ""))

    def test_wrong_ones(self):
        for text, words in (('<a href="b.html">', "'b.html' does not exist"), ('<a href="#x">', "no such anchor"), ('<img src="b.png">', "'b.png' does not exist"),
                            ('<script src="https://weir.example/x.js"></script>', "loads https://weir.example/x.js"), ('<img alt="->" src="//weir.example/b.png">', "from another host"),
                            ('<link rel="preconnect" href="https://weir.example">', "from another host"), ('<style>@import "https://weir.example/a.css"</style>', "from another host"),
                            ('<p style="background: url(https://weir.example/b.png)">', "from another host")):
            code, said = self.run_check(a=text)
            self.assertEqual(code, 1, text)
            self.assertIn(words, said)
            self.assertTrue(said.startswith("a.html: "), said)


if __name__ == "__main__":
    unittest.main()
