# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Files of the repository and the pages of the site that stand for them."""

import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The public headers, by the folder that a program's include path has.
HEADERS = {"include": ("weir/**/*.hpp",), "mpistream/include": ("*.h", "weir/mpi/*.hpp")}
# Headers that only include others.
COLLECTIONS = {"weir/weir.hpp", "weir/all.hpp"}
PICTURES = (".svg", ".png")
# Files that stand for a folder of the reference in pages of the repository.
REFERENCE_FOLDERS = {"include": "index.md", "include/weir": "index.md", "mpistream/include": "mpistream/index.md"}


def public_headers():
    """@return by path in the repository: the path that programs include, and the layer"""
    found = {}
    for folder, patterns in HEADERS.items():
        for pattern in patterns:
            for path in sorted((ROOT / folder).glob(pattern)):
                included = path.relative_to(ROOT / folder).as_posix()
                if "/detail/" not in included:
                    parts = included.split("/")
                    layer = "mpistream" if folder != "include" else parts[1] if len(parts) > 2 else ""
                    found[f"{folder}/{included}"] = (included, layer)
    return found


def page_of_header(path, headers):
    """@return the page in the reference of a public header"""
    included, layer = headers[path]
    if included in COLLECTIONS:
        return "reference/index.md"
    return f"reference/{layer}/{included.split('/')[-1]}.md" if layer else f"reference/{included.split('/')[-1]}.md"


def page_of(path, headers):
    """@return the file of the site that stands for this file or folder of the repository"""
    if path == "README.md":
        return "index.md"
    if path == "docs/README.md":
        return "contents.md"
    if path in headers:
        return page_of_header(path, headers)
    if path in REFERENCE_FOLDERS:
        return "reference/" + REFERENCE_FOLDERS[path]
    if re.fullmatch(r"include/weir/[a-z]+", path) and path != "include/weir/detail":
        return f"reference/{path.split('/')[-1]}/index.md"
    if (ROOT / path).is_dir():
        return f"source/{path}/index.html" if path != "." else "source/index.html"
    if path.endswith((".md",) + PICTURES):
        return path.removeprefix("docs/")
    return source_of(path)


def source_of(path):
    """@return the file of the site that shows this file of the repository"""
    return f"source/{path}.html"


def exists(path):
    return not path.startswith("..") and os.path.exists(ROOT / path)
