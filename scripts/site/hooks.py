# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""mkdocs calls these functions while it builds the site (see mkdocs.yml)."""

import json
import logging
import pathlib
import posixpath
import re
import sys

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import markdown_links  # noqa: E402
import reference  # noqa: E402
import repository  # noqa: E402
import sources  # noqa: E402

log = logging.getLogger("mkdocs.weir")
ROOT = repository.ROOT
# Pages outside docs/.
OUTSIDE = ("*.md", "apps/**/README.md", "mpistream/**/README.md")


class Site:
    """One build."""

    def __init__(self, config):
        self.config = config
        self.headers = repository.public_headers()  # by path: see there
        self.written = sorted(path.relative_to(ROOT).as_posix() for pattern in ("docs/**/*.md",) + OUTSIDE for path in ROOT.glob(pattern))
        self.reference = reference.Reference(self.headers)
        wrong = self.reference.wrong()
        if wrong:
            raise PluginError("\n".join(wrong))
        self.generated = self.reference.pages()  # by file of the site: the Markdown
        self.sources = {}  # by file of the site: the path in the repository

    def add_sources(self):
        """Pages for the files that pages link to, and for what the folders among them list."""
        self.sources = {repository.source_of(path): path for path in self.headers}
        wanted = []
        for page in self.written:  # it grows
            text = (ROOT / page).read_text(encoding="utf-8")
            linked = [markdown_links.target_in_repository(page, target)[0] for _, target in markdown_links.links(text)]
            wanted += linked
            self.written += sorted({path for path in linked if path.endswith(".md") and repository.exists(path)} - set(self.written))
        while wanted:
            path = wanted.pop()
            target = repository.page_of(path, self.headers)
            if not repository.exists(path) or not target.startswith("source/") or target in self.sources:
                continue
            self.sources[target] = path
            if (ROOT / path).is_dir():
                wanted += [posixpath.join(path, name) for name in sources.listed(path)]


site = None


def on_config(config):
    global site
    site = Site(config)
    site.add_sources()
    header = (ROOT / "include/weir/version.hpp").read_text(encoding="utf-8")
    version = ".".join(re.findall(r"^#define WEIR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))
    config["site_name"] = f"weir {version}"
    named = set(strings(config["nav"]))
    config["nav"] = [entry for each in config["nav"] for entry in expanded(each, named)]
    return config


def strings(entries):
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            for value in entry.values():
                yield from [value] if isinstance(value, str) else strings(value)


def expanded(entry, named):
    """@return the entries of the navigation that an entry of mkdocs.yml stands for; none if it is an empty section"""
    if isinstance(entry, dict):
        (title, value), = entry.items()
        if value == "reference":
            return [{title: site.reference.navigation()}]
        if isinstance(value, str):
            return [{title: repository.page_of(value, site.headers)}]
        inside = [each for one in value for each in expanded(one, named)]
        return [{title: inside}] if inside else []
    if "*" not in entry:
        return [repository.page_of(entry, site.headers)]
    found = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(entry))
    found.sort(key=lambda path: posixpath.basename(path) != "README.md")
    return [repository.page_of(path, site.headers) for path in found if path not in named]


def on_files(files, config):
    def made(path, real=None):
        file = File(path, str(ROOT), config["site_dir"], config["use_directory_urls"])
        file.abs_src_path = str(real or ROOT / path)
        return file

    kept = [file for file in files if file.src_path.endswith(repository.PICTURES) or not pathlib.Path(file.abs_src_path).is_relative_to(ROOT / "docs")]
    pages = [made(repository.page_of(path, site.headers), ROOT / path) for path in site.written]
    pages += [made(path) for path in site.generated]
    shown = [sources.SourcePage(target, path, site) for target, path in sorted(site.sources.items())]
    site.files = Files(kept + pages + shown)
    return site.files


def on_nav(nav, config, files):
    there = {page.file.src_path for page in nav.pages}
    lost = [file for file in files.documentation_pages() if file.src_path not in there]
    if lost:
        names = ", ".join(pathlib.Path(file.abs_src_path).relative_to(ROOT).as_posix() for file in lost)
        raise PluginError(f"mkdocs.yml: nav does not lead to {names}")
    site.nav = nav
    return nav


def on_env(environment, config, files):
    site.environment = environment
    return environment


def on_page_read_source(page, config):
    if page.file.src_path in site.generated:
        return site.generated[page.file.src_path]
    path = pathlib.Path(page.file.abs_src_path).relative_to(ROOT).as_posix()
    text = (ROOT / path).read_text(encoding="utf-8")
    for line in markdown_links.lost(text, path):
        log.warning(line)  # fails the build in the end
    return markdown_links.for_pythons_markdown(markdown_links.rewritten(text, path, site.headers))


def on_page_content(html, page, config, files):
    """A picture leads to its file, where a phone can enlarge it."""
    return re.sub(r'<p>(<img [^>]*?\bsrc="([^"]+)"[^>]*>)</p>', r'<p><a href="\2">\1</a></p>', html)


def on_post_build(config):
    """Puts the names of the reference first in the search."""
    path = pathlib.Path(config["site_dir"]) / "search" / "search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    for entry in index["docs"]:
        if "#" not in entry["location"]:
            entry["text"] = entry["text"].partition(" # ")[2] or entry["text"]  # without the heading
        described = site.reference.names.described_at(entry["location"])
        if described:
            entry["title"], about = described
            entry["tags"] = [entry["title"].split("::")[-1]]
            # The excerpt of a result begins with the first sentence, not with the declaration.
            entry["text"] = f"{about} {entry['text']}"
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
