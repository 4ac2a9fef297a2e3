"""A running page and the browser that looks at it, for tests."""

from __future__ import annotations

import contextlib
import http.client
import re
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sandbox import command_server
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

_OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
CHROMEDRIVER = shutil.which("chromedriver") or ""


class Reply(NamedTuple):
    """An answer of the server."""

    status: int
    headers: Mapping[str, str]
    text: str


class PageServer:
    """A process of `cuedeck web`."""

    def __init__(self, root: Path, environ: Mapping[str, str], *options: str) -> None:
        command = ["web", "--no-open", *options]
        self.process = command_server("servers").start(command, str(root), environ)
        assert self.process.stderr is not None
        found = None
        while found is None:
            line = self.process.stderr.readline().decode()
            assert line, "the server ended"
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S+", line)
        self.address = found[0]
        self.port = int(found[1])
        self.base = f"http://127.0.0.1:{self.port}"
        self.cookie = ""

    def ask(
        self,
        path: str,
        headers: Mapping[str, str] = {},
        method: str = "GET",
        body: str = "",
    ) -> Reply:
        """Send one request with these headers, and the cookie if there is one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Host": f"127.0.0.1:{self.port}", **headers}
        if self.cookie and "Cookie" not in headers:
            sent["Cookie"] = self.cookie
        connection.putrequest(method, path, skip_host=True)
        data = body.encode()
        if method != "GET":
            sent["Content-Length"] = str(len(data))
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders(data or None)
        answer = connection.getresponse()
        reply = Reply(
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            answer.read().decode(errors="replace"),
        )
        connection.close()
        return reply

    def enter(self) -> Reply:
        """Use the one-time address and remember the cookie."""
        reply = self.ask(self.address.removeprefix(self.base))
        self.cookie = reply.headers["set-cookie"].partition(";")[0]
        return reply

    @property
    def key(self) -> str:
        """The value of the header that allows a write, read from a page."""
        found = re.search(r'"X-CueDeck": "([^"]+)"', self.ask("/health").text)
        assert found
        return found[1]

    def post(self, operation: str, body: str, **headers: str) -> Reply:
        sent = {"X-CueDeck": self.key, "Content-Type": "application/json"}
        path = "/do/" + operation.replace(" ", "/")
        return self.ask(path, {**sent, **headers}, "POST", body)

    def end(self) -> int:
        """Press Ctrl-C; return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


@contextlib.contextmanager
def serving(
    root: Path, environ: Mapping[str, str], *options: str
) -> Iterator[PageServer]:
    server = PageServer(root, environ, *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()
        for stream in (server.process.stdout, server.process.stderr):
            assert stream is not None
            stream.close()


class Wire:
    """A port that forwards to a server until it is cut."""

    def __init__(self, server: PageServer, port: int = 0) -> None:
        self._to = server.port
        self._ends = [socket.create_server(("127.0.0.1", port))]
        self.port: int = self._ends[0].getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near = self._ends[0].accept()[0]
                far = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._copy, args=ends, daemon=True).start()

    def _copy(self, source: socket.socket, sink: socket.socket) -> None:
        names = [b"127.0.0.1:%d" % port for port in (self.port, self._to)]
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data.replace(*names))
            sink.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def open_browser(size: tuple[int, int] = (1200, 1000)) -> webdriver.Chrome:
    """Start Debian's Chromium without a screen."""
    options = webdriver.ChromeOptions()
    profile = tempfile.mkdtemp(prefix="chromium-")
    for each in (
        *_OPTIONS.split(),
        f"--window-size={size[0]},{size[1]}",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(each)
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))


def media(browser: webdriver.Chrome, scheme: str, width: int) -> None:
    """Set the colour scheme and the width of the page."""
    features: Sequence[Any] = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
