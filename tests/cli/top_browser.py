#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""top_browser.py BIN_DIR [PICTURES]: the page of `weir top --web` in Chromium; run by top_browser.sh in a folder of its own."""

import contextlib
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

BIN = sys.argv[1]
PICTURES = sys.argv[2] if len(sys.argv) > 2 else None
WEIR = BIN + "/weir"
PATIENCE = 120  # seconds until something that must come counts as missing
DESKTOP, PHONE = (1440, 900), (390, 844)


class Fed:
    """A pipe into which a thread writes lines as long as it is told to."""

    def __init__(self, name):
        os.mkfifo(name)
        self.path = name
        self.flows = threading.Event()
        self.flows.set()
        self.ended = False

    def begin(self):
        self.thread = threading.Thread(target=self.feed, daemon=True)
        self.thread.start()

    def feed(self):
        lines = "".join(f"{number} of many words in a line\n" for number in range(2000)).encode()
        with open(self.path, "wb", buffering=0) as to, contextlib.suppress(BrokenPipeError):
            while not self.ended:
                to.write(lines)
                self.flows.wait()

    def end(self):
        self.ended = True
        self.flows.set()
        self.thread.join()


class Top:
    """weir top with its page."""

    started = []  # all of them

    def __init__(self, *arguments, stdin=None):
        # Nobody reads what it prints later.
        self.log = open("top_err", "w+b")
        self.process = subprocess.Popen([WEIR, "top", "--interval", "0.3", "--web", *arguments], stdin=stdin,
                                        stdout=subprocess.DEVNULL, stderr=self.log)  # fmt: skip
        self.started.append(self.process)
        until = time.monotonic() + PATIENCE
        while not (found := re.search(r"the page is (http://\S+)", self.said())):
            assert self.process.poll() is None and time.monotonic() < until, self.said()
            time.sleep(0.02)
        self.url = found[1]

    def said(self):
        with open("top_err", encoding="utf-8") as file:
            return file.read()


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--hide-scrollbars"):  # fmt: skip
            options.add_argument(each)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.size, self.scheme = DESKTOP, "light"
        self.look_as(DESKTOP, "light")

    def look_as(self, size, scheme):
        self.size, self.scheme = size, scheme
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})  # fmt: skip
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})  # fmt: skip

    def visit(self, url):
        self.driver.get("about:blank")
        self.complaints()  # of the page before, which may have lost its connection
        self.driver.get(url)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def await_that(self, script, *arguments):
        """Waits until the script returns something that counts as true, and returns it."""
        until = time.monotonic() + PATIENCE
        while not (got := self.run(script, *arguments)):
            assert time.monotonic() < until, (script, self.run("return document.body.innerText"))
            time.sleep(0.05)
        return got

    def complaints(self):
        """Returns what the browser complains of since the last call: scripts that fail, what the policy forbids."""
        return [each["message"] for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]

    def picture(self, name):
        if PICTURES:
            self.driver.save_screenshot(f"{PICTURES}/{name}_{self.size[0]}_{self.scheme}.png")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)", selector)

    def rectangles(self, selector):
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((each) => { const r = each.getBoundingClientRect();"
            "return [r.left, r.top, r.right, r.bottom]; })", selector)  # fmt: skip


def is_inside(inner, outer):
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def is_apart(a, b):
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def looks_right(browser, name, across=True):
    """On a desktop and on a phone, light and dark: nothing is cut off, no box covers another."""
    backgrounds = set()
    for size, scheme in itertools.product((DESKTOP, PHONE), ("light", "dark")):
        browser.look_as(size, scheme)
        layout = "across" if size == DESKTOP and across else "down"
        browser.await_that("return document.querySelector('section').dataset.layout === arguments[0]", layout)
        assert browser.run("return document.documentElement.scrollWidth") <= size[0], (name, size)
        boxes = browser.rectangles(".box")
        for a, b in itertools.combinations(boxes, 2):
            assert is_apart(a, b), (name, size, a, b)
        cut = browser.run(
            "return [...document.querySelectorAll('.box table, .box .value, .bottleneck, .meter')]"
            ".filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).map((each) => each.textContent)")  # fmt: skip
        assert not cut, (name, size, cut)
        backgrounds.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
        browser.picture(name)
    assert len(backgrounds) == 2, backgrounds
    browser.look_as(DESKTOP, "light")
    browser.await_that("return document.querySelector('section').dataset.layout === arguments[0]", "across" if across else "down")


# Returns the rate that a box shows, as a number.
RATE = """
const box = [...document.querySelectorAll('.box')].find((each) => each.querySelector('.path').textContent === arguments[0]);
const [number, unit] = box.querySelector('.rate b').textContent.split(' ');
const rate = Number(number) * ({ k: 1e3, M: 1e6 }[unit] ?? 1);
"""


def one_process(browser):
    fed = Fed("one")
    program = subprocess.Popen([BIN + "/wordcount", "-q", "-j", "2", "-k", "1", "one"], stdout=subprocess.PIPE,
                               env={**os.environ, "WEIR_TOP": "1"})  # fmt: skip
    fed.begin()
    until = time.monotonic() + PATIENCE
    while not os.path.exists(f"weir/{program.pid}.sock"):
        assert program.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    top = Top(str(program.pid))
    slow = SlowClient(top.url)

    browser.driver.get(top.url.split("?")[0])
    assert "the token is missing or wrong" in browser.text("body")
    browser.visit(top.url)
    browser.await_that("return document.querySelectorAll('.box').length > 0")
    assert browser.texts(".box .path") == ["/read", "/split[0-1]", "/count[0-1]", "/rank"], browser.texts(".box .path")
    assert len(browser.rectangles("path.edge")) == 3
    assert browser.text("#status") == "running" and f"process {program.pid}" in browser.text("#facts")
    assert browser.run("return document.title") == "wordcount: weir top"
    looks_right(browser, "wordcount")

    # The rate follows the input.
    browser.await_that(RATE + "return rate > 0;", "/split[0-1]")
    fed.flows.clear()
    browser.await_that(RATE + "return rate === 0;", "/split[0-1]")
    fed.flows.set()
    browser.await_that(RATE + "return rate > 0;", "/split[0-1]")

    # A program that does not answer is named, and its figures stay.
    program.send_signal(signal.SIGSTOP)
    browser.await_that("return document.getElementById('alert').textContent.includes('the program has not answered for')")
    assert len(browser.texts(".box")) == 4
    program.send_signal(signal.SIGCONT)
    browser.await_that("return document.getElementById('alert').hidden")

    # The page got nothing from elsewhere, and nothing of it was refused.
    origin = top.url.split("/?")[0]
    assert all(each.startswith(origin + "/") for each in browser.run("return performance.getEntries().filter((each) => "
               "each.entryType === 'resource').map((each) => each.name)"))  # fmt: skip
    assert not browser.complaints()

    slow.must_be_gone()
    fed.end()
    assert program.wait(PATIENCE) == 0 and program.stdout.read()
    browser.await_that("return document.getElementById('status').textContent === 'ended'")
    assert top.process.wait(PATIENCE) == 0, top.said()
    assert len(browser.texts(".box")) == 4 and "ended, figures of the whole run" in browser.text(".run-facts")
    looks_right(browser, "ended")


def bottleneck(browser):
    """A node that waits for a line holds up all others. It is told in words, and not by a colour alone."""
    lines = subprocess.Popen(["sleep", "infinity"], stdout=subprocess.PIPE)
    top = Top("--", BIN + "/waits_for_lines", stdin=lines.stdout)
    browser.visit(top.url)
    browser.await_that("return document.querySelector('.bottleneck-box .path')?.textContent === '/tee2/slow'")
    assert browser.run("return document.querySelector('.bottleneck-box .tag').checkVisibility()")
    assert len(browser.run("return [...document.querySelectorAll('.tag')].filter((each) => each.checkVisibility())")) == 1
    # The page and the terminal view say the same; only the time that it has taken so far is another one.
    reason = "/tee2/slow has waited inside its own code"
    browser.await_that("return document.querySelector('.bottleneck').textContent.startsWith(arguments[0])", "▶ Bottleneck: " + reason)
    program = re.search(r"process (\d+)", browser.text("#facts"))[1]
    once = subprocess.run([WEIR, "top", "--once", "--json", "--interval", "0.3", program], check=True, stdout=subprocess.PIPE)
    assert json.loads(once.stdout)["runs"][0]["bottleneck"].startswith(reason), once.stdout
    looks_right(browser, "zip")
    # By the keyboard: the button leads to the bottleneck, and each box has a title.
    browser.run("document.querySelector('.bottleneck button').focus(); document.activeElement.click()")
    assert browser.run("return document.activeElement.querySelector('.path').textContent") == "/tee2/slow"
    assert all(browser.run("return [...document.querySelectorAll('.box')].map((each) => each.tabIndex === 0 && each.title)"))
    assert not browser.complaints()
    # The program ends when its input does.
    lines.kill()
    lines.wait()
    browser.await_that("return document.getElementById('status').textContent === 'ended'")
    assert top.process.wait(PATIENCE) == 0, top.said()


class SlowClient:
    """Sends a request byte by byte, as a client that wants to occupy the server does."""

    def __init__(self, url):
        self.connection = socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(url).port), timeout=PATIENCE)
        self.thread = threading.Thread(target=self.drip, daemon=True)
        self.thread.start()

    def drip(self):
        with contextlib.suppress(OSError):
            for byte in itertools.chain(b"GET / HTTP/1.1\r\nX: ", itertools.repeat(ord("y"))):
                self.connection.send(bytes([byte]))
                time.sleep(0.2)

    def must_be_gone(self):
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), "a client that takes for ever over a request is not dropped"


def wide_farm(browser):
    """Farms of 64 workers stay one box each, which shows every worker."""
    fed = Fed("wide")
    fed.begin()
    with open("wide", "rb") as words:
        top = Top("--", BIN + "/wordcount", "-q", "-j", "64", "-", stdin=words)
    browser.visit(top.url)
    browser.await_that("return document.querySelectorAll('.box').length === 4")
    assert browser.texts(".box .path")[1] == "/split[0-63]"
    assert len(browser.rectangles(".box .strip > span")) == 128
    looks_right(browser, "wide")
    assert not browser.rectangles("details[open]")
    browser.run("document.querySelectorAll('.box summary')[0].click()")
    browser.await_that("return document.querySelector('details[open]')?.querySelectorAll('tr').length === 65")
    browser.await_that("return document.querySelectorAll('details[open] tr')[64].textContent.includes('split[63]')")
    looks_right(browser, "workers")
    assert not browser.complaints()
    fed.end()
    browser.await_that("return document.getElementById('status').textContent === 'ended'")
    assert top.process.wait(PATIENCE) == 0, top.said()


class Pipeline:
    """Stands for a program of weir with a pipeline of many nodes, of which number `busiest` is the bottleneck."""

    def __init__(self, count, busiest):
        self.paths = [f"/stage_{number}" for number in range(count)]
        self.busiest = busiest
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind("pipeline.sock")
        self.listening.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        caller, _ = self.listening.accept()
        with caller, caller.makefile("rb") as requests, contextlib.suppress(ConnectionError):
            for number, _ in enumerate(requests):
                caller.sendall(json.dumps(self.document(number + 1)).encode() + b"\n")

    def document(self, seconds):
        past = seconds * 10**9
        nodes = [{"path": path, "kind": "node", "items": 1000 * seconds, "sent": 1000 * seconds, "steps": 1,
                  "busy_ns": past if number == self.busiest else past // 10, "ready_ns": 0, "waiting_room_ns": 0,
                  "waiting_input_ns": 0 if number == self.busiest else past * 9 // 10}
                 for number, path in enumerate(self.paths)]  # fmt: skip
        channels = [{"from": a, "to": b, "items": 1, "capacity": 16, "waiting": 4, "room": 16, "fill": 0.25}
                    for a, b in zip(self.paths, self.paths[1:])]  # fmt: skip
        report = {"wall_ns": past, "cpu_ns": past, "workers": 0, "ended": False, "bottleneck": "", "nodes": nodes, "channels": channels}
        return {"live_view": 1, "pid": 77, "program": "pipeline", "cores": 4, "at_ns": past, "cpu_ns": past,
                "runs": [{"run": 1, "report": report}]}  # fmt: skip


def many_nodes(browser):
    """500 different nodes: one line each, and a way to the bottleneck."""
    Pipeline(500, 321)
    top = Top("./pipeline.sock")
    browser.visit(top.url)
    browser.await_that("return document.querySelectorAll('.box').length === 500")
    browser.await_that("return document.querySelector('.bottleneck-box .path')?.textContent === '/stage_321'")
    assert len(browser.rectangles("path.edge")) == 499
    for size in PHONE, DESKTOP:
        browser.look_as(size, "light")
        browser.await_that("return document.querySelector('.box').getBoundingClientRect().right <= innerWidth")
        assert browser.run("return document.documentElement.scrollWidth") <= size[0]
        boxes = browser.rectangles(".box")
        assert all(is_apart(a, b) for a, b in zip(boxes, boxes[1:]))
        browser.run("document.querySelector('.bottleneck button').click()")
        browser.await_that("const r = document.querySelector('.bottleneck-box').getBoundingClientRect();"
                           "return r.top > 0 && r.bottom < innerHeight")  # fmt: skip
        browser.picture("many")
    assert not browser.complaints()
    top.process.send_signal(signal.SIGTERM)
    assert top.process.wait(PATIENCE) == -signal.SIGTERM
    browser.await_that("return document.getElementById('status').textContent === 'connection lost'")


def cluster(browser):
    """The groups are frames around their boxes. What is left when weir top has gone says so."""
    with open("three.json", "w", encoding="utf-8") as file:
        json.dump({"groups": [{"name": "G1", "nodes": ["read", "split[0]"]},
                              {"name": "G2", "nodes": ["split[1]", "count[0]"]},
                              {"name": "G3", "nodes": ["count[1]", "rank"]}]}, file)  # fmt: skip
    fed = Fed("many")
    fed.begin()
    with open("many", "rb") as words:
        top = Top("--", WEIR, "run", "three.json", "--", BIN + "/wordcount", "-j2", "-q", "-", stdin=words)
    browser.visit(top.url)
    browser.await_that("return document.querySelectorAll('.box').length === 6")
    assert browser.texts(".lane > span") == ["group G1", "group G2", "group G3"]
    where = {"/read": 0, "/split[0]": 0, "/split[1]": 1, "/count[0]": 1, "/count[1]": 2, "/rank": 2}
    for size in DESKTOP, PHONE:
        browser.look_as(size, "light")
        browser.await_that("return document.querySelector('section').dataset.layout === arguments[0]",
                           "across" if size == DESKTOP else "down")  # fmt: skip
        rectangles = browser.rectangles(".lane, .box")  # at one time: a box may grow
        lanes, boxes = rectangles[:3], rectangles[3:]
        for path, box in zip(browser.texts(".box .path"), boxes):
            assert [is_inside(box, lane) for lane in lanes] == [lane == where[path] for lane in range(3)], (size, path)
    browser.await_that(RATE + "return rate > 0;", "/split[1]")
    looks_right(browser, "cluster")
    assert not browser.complaints()

    # The program and its page end.
    top.process.send_signal(signal.SIGKILL)
    browser.await_that("return document.getElementById('status').textContent === 'connection lost'")
    assert "These are the last figures" in browser.text("#alert") and len(browser.texts(".box")) == 6
    looks_right(browser, "lost")
    fed.end()


def main():
    browser = Browser()
    try:
        for each in one_process, bottleneck, wide_farm, many_nodes, cluster:
            each(browser)
    except BaseException:
        browser.picture("failed")
        raise
    finally:
        browser.driver.quit()
        for each in Top.started:
            each.terminate()  # and, with it, the program that it has started


main()
