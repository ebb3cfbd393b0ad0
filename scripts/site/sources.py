# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Pages that show sources and folders of the repository. They are not searched, and made without Markdown, which takes a third of the time."""

import functools
import html
import pathlib
import posixpath

import pygments
import pygments.formatters
import pygments.lexers
from mkdocs.commands.build import get_context
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

import repository

FORMATTER = pygments.formatters.HtmlFormatter(linenos="table", wrapcode=True, cssclass="highlight", lineanchors="L", anchorlinenos=True)
UNLISTED = {"build", "__pycache__"}


class SourcePage(File):
    """mkdocs treats it as a file to be copied. It writes the page instead."""

    def __init__(self, target, path, build):
        super().__init__(target, str(repository.ROOT), build.config["site_dir"], False)
        self.abs_src_path = str(repository.ROOT / path)
        self.path, self.build = path, build

    def copy_file(self, dirty=False):
        config = self.build.config
        context = get_context(self.build.nav, self.build.files, config, base_url=get_relative_url(".", self.url))
        shown = folder(self.path, self.build.headers) if (repository.ROOT / self.path).is_dir() else source(self.path)
        text = self.build.environment.get_template("source.html").render(context, source_path=self.path, source=shown)
        target = pathlib.Path(self.abs_dest_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def listed(path):
    """@return the names in a folder that its page lists, folders first"""
    names = [each for each in (repository.ROOT / path).iterdir() if each.name not in UNLISTED and not each.name.startswith(".")]
    return [each.name for each in sorted(names, key=lambda each: (each.is_file(), each.name))]


def folder(path, headers):
    """@return HTML that lists a folder"""
    here = posixpath.dirname(repository.page_of(path, headers))
    lines = []
    for name in listed(path):
        target = posixpath.join(path, name)
        page = repository.page_of(target, headers)
        page = page[:-3] + ".html" if page.endswith(".md") else page
        slash = "/" if (repository.ROOT / target).is_dir() else ""
        lines.append(f'<li><a href="{html.escape(posixpath.relpath(page, here))}"><code>{html.escape(name)}{slash}</code></a></li>')
    return f"<ul>{''.join(lines)}</ul>"


def source(path):
    """@return HTML that shows a file"""
    with open(repository.ROOT / path, "rb") as file:
        if b"\0" in file.read(4096):
            return "<p>This file is not text.</p>"
    text = (repository.ROOT / path).read_text(encoding="utf-8")
    return pygments.highlight(text, lexer_for("CMakeLists.txt" if path.endswith("CMakeLists.txt") else posixpath.splitext(path)[1]), FORMATTER)


@functools.cache
def lexer_for(suffix):
    try:
        return pygments.lexers.get_lexer_for_filename(f"x{suffix}" if suffix.startswith(".") else suffix, stripnl=False)
    except pygments.util.ClassNotFound:
        return pygments.lexers.TextLexer(stripnl=False)
