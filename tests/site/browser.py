#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""Opens the built site in a browser.

Usage: browser.py [--pictures FOLDER] SITE

Each page is opened at the size of a phone, and some also at the size of a
desktop, in the light and in the dark scheme. A page must not be wider than its
window, must log no error, must show all its pictures, and must load nothing
from another host. The search must find names of the reference first.

  --pictures FOLDER  keep a picture of each page that is opened at both sizes

Needs Debian's chromium-driver and python3-selenium: setup.sh browser.

Exit codes:
  0  the site is right
  1  it is not
  2  wrong usage
"""

import contextlib
import functools
import http.server
import json
import pathlib
import sys
import threading
import urllib.parse

PHONE, DESKTOP = (390, 844), (1440, 900)
# Pages of each kind, which are opened at both sizes and in both schemes.
KINDS = ["index.html", "tutorial.html", "policies.html", "execution.html", "performance.html", "glossary.html", "how-to/it-hangs.html",
         "tools/weir-graph.html", "apps/extsort/index.html", "decisions/0007-loops-end-by-two-sweeps.html", "reference/index.html", "reference/names.html",
         "reference/blocks/index.html", "reference/blocks/farm.hpp.html", "reference/patterns/aggregate.hpp.html",
         "reference/mpistream/MPIStream.h.html", "source/include/weir/blocks/farm.hpp.html", "source/examples/index.html", "404.html"]
# What is typed into the search, and the place that must come first.
SEARCHES = {
    "by_key": "reference/blocks/farm.hpp.html#side_by_side-by_key",
    "farm": "reference/blocks/farm.hpp.html#farm",
    "from": "reference/io/from.hpp.html#from",
    "in_flight": "reference/blocks/block.hpp.html#block-in_flight",
    "weir::farm": "reference/blocks/farm.hpp.html#farm",
    "MPIStream_Send": "reference/mpistream/MPIStream.h.html#MPIStream_Send",
}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site, with its page for what is not there."""

    def log_message(self, *_):
        pass

    def send_error(self, code, message=None, explain=None):
        file = pathlib.Path(self.directory, "404.html")
        page = file.read_bytes() if file.exists() else b"404"
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


@contextlib.contextmanager
def served(folder):
    """Serves the folder at a port that the system chooses. @return the address"""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


class Browser:
    """A browser without a window. `wrong` has a line for each finding."""

    def __init__(self, root):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-background-networking",
                       "--disable-component-update", "--disable-sync", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(60)
        self.root, self.wrong, self.size = root, [], None

    def show(self, size, scheme):
        width, height = size
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.size, self.scheme = size, scheme
        self.driver.get(self.root + "404.html")

    def open(self, page):
        self.driver.get(self.root + page)
        name = f"{page} ({self.size[0]} wide, {self.scheme})"
        found = self.driver.execute_script("""
            const root = document.documentElement;
            return {
              shown: root.scrollWidth, wide: root.clientWidth, scheme: document.body.dataset.mdColorScheme,
              widest: root.scrollWidth <= root.clientWidth ? [] :
                [...document.querySelectorAll('article *')].filter(each => each.getBoundingClientRect().right > innerWidth + 1)
                  .map(each => each.tagName + ' ' + each.textContent.trim().slice(0, 40)).slice(0, 3),
              lost: [...document.images].filter(each => each.complete && each.naturalWidth === 0).map(each => each.src),
              named: Boolean(document.querySelector('article h1')) && document.title.includes('weir'),
            }""")
        if found["shown"] > found["wide"]:
            self.wrong.append(f"{name}: is {found['shown']} pixels wide: {found['widest']}")
        if found["scheme"] != {"light": "default", "dark": "slate"}[self.scheme]:
            self.wrong.append(f"{name}: has the scheme '{found['scheme']}'")
        self.wrong += [f"{name}: the picture {source} is not shown" for source in found["lost"]]
        if not found["named"]:
            self.wrong.append(f"{name}: has no heading or title")
        self.look_at_logs(name)

    def look_at_logs(self, name):
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING") and "favicon.ico" not in entry["message"]:
                self.wrong.append(f"{name}: logged {entry['message']}")
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((self.root, "data:", "blob:")):
                    self.wrong.append(f"{name}: asked for {url}")

    def search(self, words, first):
        from selenium.common.exceptions import TimeoutException
        from selenium.webdriver.common.by import By
        from selenium.webdriver.support.ui import WebDriverWait

        self.open("index.html")
        if self.size == PHONE:
            self.driver.find_element(By.CSS_SELECTOR, "label.md-header__button[for=__search]").click()
        box = self.driver.find_element(By.CSS_SELECTOR, "input.md-search__input")
        WebDriverWait(self.driver, 30).until(lambda _: box.is_displayed())
        box.click()
        box.send_keys(words)
        try:
            found = WebDriverWait(self.driver, 30).until(lambda driver: driver.execute_script(
                "const found = document.querySelector('.md-search-result__item'); return found && [...found.querySelectorAll('a')].slice(0, 2).at(-1).href"))
        except TimeoutException:
            found = ""
        place = urllib.parse.urlsplit(found)
        place = f"{place.path.lstrip('/')}#{place.fragment}"
        if place != first:
            self.wrong.append(f"the search for '{words}' finds {place} first, not {first}")
        self.look_at_logs(f"the search for '{words}'")

    def switch_scheme(self):
        """The switch changes the scheme, and other pages keep it."""
        from selenium.webdriver.common.by import By

        self.open("index.html")
        before = self.driver.execute_script("return document.body.dataset.mdColorScheme")
        next(label for label in self.driver.find_elements(By.CSS_SELECTOR, "form[data-md-component=palette] label") if label.is_displayed()).click()
        self.driver.get(self.root + "tutorial.html")
        after = self.driver.execute_script("return document.body.dataset.mdColorScheme")
        if after == before:
            self.wrong.append(f"the switch of the scheme leaves it '{after}'")
        self.driver.execute_script("localStorage.clear()")


def look(root, folder, pictures):
    """@return lines that say what is wrong"""
    browser = Browser(root)
    try:
        there = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
        kinds = [page for page in KINDS if page in there] + [page for page in there if page.startswith("cookbook/")][:2]
        browser.wrong += [f"there is no page {page}" for page in KINDS if page not in there]
        for size in (DESKTOP, PHONE):
            for scheme in ("dark", "light"):
                browser.show(size, scheme)
                for page in kinds:
                    browser.open(page)
                    if pictures:
                        browser.driver.save_screenshot(str(pictures / f"{page.replace('/', '_')}-{size[0]}-{scheme}.png"))
        for page in there:
            if not page.startswith("source/") and page not in kinds:
                browser.open(page)
        for size in (PHONE, DESKTOP):
            browser.show(size, "light")
            for words, first in SEARCHES.items():
                browser.search(words, first)
                if pictures and words == "by_key":
                    browser.driver.save_screenshot(str(pictures / f"search-{size[0]}.png"))
        browser.switch_scheme()
        return browser.wrong
    finally:
        browser.driver.quit()


def main():
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        print(__doc__, end="")
        return 0
    pictures = None
    if arguments[:1] == ["--pictures"] and len(arguments) > 1:
        pictures = pathlib.Path(arguments[1])
        arguments = arguments[2:]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("browser.py: takes the folder of a built site, and maybe --pictures FOLDER", file=sys.stderr)
        return 2
    folder = pathlib.Path(arguments[0]).resolve()
    if not (folder / "index.html").exists():
        print(f"browser.py: there is no site in {folder}; run scripts/site.sh", file=sys.stderr)
        return 1
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with served(folder) as root:
        wrong = look(root, folder, pictures)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
