#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""top_web.py URL [--until-the-end]: clients of `weir top --web`, good ones and bad ones; or one that looks until the end."""

import contextlib
import http.client
import json
import random
import re
import socket
import sys
import threading
import urllib.parse

URL = urllib.parse.urlsplit(sys.argv[1])
TOKEN = urllib.parse.parse_qs(URL.query)["token"][0]
HOST = f"127.0.0.1:{URL.port}"
PATIENCE = 60  # seconds until something that must come counts as missing
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def ask(target, method="GET", headers=None, connection=None):
    """Returns the response and its text."""
    to = connection or http.client.HTTPConnection("127.0.0.1", URL.port, timeout=PATIENCE)
    to.request(method, target, headers=headers or {})
    answer = to.getresponse()
    return answer, answer.read().decode()


def says(status, target, **how):
    answer, text = ask(target, **how)
    assert answer.status == status, (target, how, answer.status, text)
    assert answer.status == 200 or TOKEN not in text
    return answer, text


def raw(data, half_close=True):
    """Sends bytes, and returns what comes until the connection ends."""
    got = b""
    with socket.create_connection(("127.0.0.1", URL.port), timeout=PATIENCE) as to, contextlib.suppress(ConnectionError):
        to.sendall(data)
        if half_close:
            to.shutdown(socket.SHUT_WR)
        while some := to.recv(1 << 16):
            got += some
    return got


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else None


def the_page():
    answer, text = says(200, f"/?token={TOKEN}")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy, policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Set-Cookie"] is None and answer.headers["Access-Control-Allow-Origin"] is None
    # It has all that it needs: nothing that a browser would get from elsewhere.
    outside = [each for each in re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"')\s]+)""", text) if each != "data:,"]
    assert not outside, outside
    assert set(re.findall(r"https?://[^\"'\s]+", text)) <= {"http://www.w3.org/2000/svg"}, "an address in the page"
    assert TOKEN not in text


def the_state():
    _, text = says(200, "/sample", headers=BEARER)
    state = json.loads(text)
    assert state["program"] == "wordcount" and not state["last"] and state["state"] == "", state
    (run,) = state["runs"]
    paths = [node["path"] for node in run["nodes"]]
    assert {"/read", "/split[0]", "/count[0]", "/rank"} <= set(paths), paths
    members = [member for box in run["boxes"] for member in box["members"]]
    assert sorted(members) == list(range(len(paths))), "each node is in one box"
    for box in run["boxes"]:
        nodes = [run["nodes"][member] for member in box["members"]]
        assert abs(sum(node["items_per_second"] for node in nodes) - box["items_per_second"]) < 1, box
        assert len(nodes) == 1 or "[0-" in box["path"], box
    # The next state is another one, and comes when there is one.
    later = json.loads(says(200, f"/sample?after={state['number']}", headers=BEARER)[1])
    assert later["number"] > state["number"]
    # Two that wait get the same state.
    both = [None, None]

    def one(i):
        both[i] = says(200, f"/sample?after={later['number']}", headers=BEARER)[1]

    threads = [threading.Thread(target=one, args=(i,)) for i in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert all(both), both


def who_is_refused():
    wrong = ("0" if TOKEN[0] != "0" else "1") + TOKEN[1:]
    for target in "/", "/sample", "/nothing", f"/?token={wrong}", "/?token=", f"/?tokens={TOKEN}", f"/?token={TOKEN}0":
        answer, _ = says(401, target)
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    for value in f"Bearer {wrong}", "Bearer ", f"Basic {TOKEN}", TOKEN, f"bearer  {TOKEN}":
        says(401, "/sample", headers={"Authorization": value})
    # A wrong header is not made good by the right token elsewhere.
    says(401, f"/sample?token={TOKEN}", headers={"Authorization": f"Bearer {wrong}"})
    says(401, "/", method="OPTIONS", headers={"Origin": "https://example.org", "Access-Control-Request-Method": "GET"})
    # DNS rebinding: another name leads to this address.
    for host in "example.org", f"example.org:{URL.port}", f"127.0.0.1.example.org:{URL.port}", "127.0.0.1:x", "[::1", "[::1]x", "1.2.3", "":
        says(403, f"/?token={TOKEN}", headers={"Host": host})
    for host in "127.0.0.1", "127.0.0.1:1", "localhost", f"localhost:{URL.port}", f"LOCALHOST:{URL.port}", f"[::1]:{URL.port}", f"{socket.gethostname()}:{URL.port}":
        says(200, f"/?token={TOKEN}", headers={"Host": host})
    for method in "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH", "BREW":
        answer, _ = ask("/", method=method, headers=BEARER)
        assert answer.status == 405, (method, answer.status)
    says(404, "/nothing", headers=BEARER)
    says(404, "//", headers=BEARER)
    for after in "x", "-1", "", "1 ", "99999999999999999999999":
        says(400, f"/sample?after={urllib.parse.quote(after)}", headers=BEARER)


def what_is_no_request():
    lines = f"Host: {HOST}\r\nAuthorization: Bearer {TOKEN}\r\n".encode()
    good = b"GET / HTTP/1.1\r\n" + lines
    for text, status in [
        (b"\r\n\r\n", 400), (b"GET\r\n\r\n", 400), (b"GET / HTTP/9.9\r\n\r\n", 400), (b"\x16\x03\x01\x02\x00\x01\x00", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400), (good + lines + b"\r\n", 400), (good + b"no colon\r\n\r\n", 400),
        (good + b"Content-Length: 3\r\n\r\nabc", 400), (good + b"Content-Length: -1\r\n\r\n", 400),
        (good + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400), (good + b"Content-Length: 99999999999999999999\r\n\r\n", 400),
        (b"GET http://example.org/ HTTP/1.1\r\n" + lines + b"\r\n", 400), (b"OPTIONS * HTTP/1.1\r\n" + lines + b"\r\n", 400),
        (good + b"X: " + b"x" * 100000, 431), (b"GET /" + b"x" * 100000, 431), (good + b"X: y\r\n" * 10000, 431),
        (b"", None), (b"GET / HT", None), (good + b"Connection: close\r\n\r\n", 200),
    ]:  # fmt: skip
        answer = raw(text)
        assert status_of(answer) == status, (text[:60], answer[:200])
    # Two requests at once are answered one after the other.
    assert raw(good + b"\r\n" + good + b"Connection: close\r\n\r\n").count(b"HTTP/1.1 200 OK") == 2
    random.seed(28)
    for _ in range(200):
        text = bytearray(good + b"\r\n")
        for _ in range(random.randint(1, 8)):
            text[random.randrange(len(text))] = random.randrange(256)
        raw(bytes(text))
    says(200, f"/?token={TOKEN}")


def many_clients():
    """Those without the token can't keep out one that has it."""
    with contextlib.ExitStack() as open_ones:
        idle = [open_ones.enter_context(socket.create_connection(("127.0.0.1", URL.port), timeout=PATIENCE)) for _ in range(200)]
        for each in idle[::2]:
            with contextlib.suppress(ConnectionError):  # it has given way already
                each.sendall(b"GET / HTTP/1.1\r\nHost: ")
        says(200, f"/?token={TOKEN}")
    # 60 that have it, and wait for states without reading them
    with contextlib.ExitStack() as open_ones:
        request = f"GET /sample HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
        for _ in range(60):
            open_ones.enter_context(socket.create_connection(("127.0.0.1", URL.port), timeout=PATIENCE)).sendall(request * 20)
        number = json.loads(says(200, "/sample", headers=BEARER)[1])["number"]
        assert json.loads(says(200, f"/sample?after={number}", headers=BEARER)[1])["number"] > number


def look_until_the_end():
    connection = http.client.HTTPConnection("127.0.0.1", URL.port, timeout=PATIENCE)
    number = 0
    while True:
        answer, text = ask(f"/sample?after={number}", headers=BEARER, connection=connection)
        assert answer.status in (200, 204), answer.status
        if answer.status == 204:
            continue
        state = json.loads(text)
        if number == 0:
            print("looking", flush=True)
        number = state["number"]
        if state["last"]:
            break
    assert state["state"] == "ended" and state["runs"][0]["nodes"], state
    nodes = {node["path"]: node["items"] for node in state["runs"][0]["nodes"]}
    assert nodes["/rank"] > 0, nodes


if sys.argv[2:] == ["--until-the-end"]:
    look_until_the_end()
else:
    for each in the_page, the_state, who_is_refused, what_is_no_request, many_clients:
        each()
