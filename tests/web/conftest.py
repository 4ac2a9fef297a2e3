"""Fixtures of the tests of the page: a workspace with something of each kind, and one
browser for all tests of a process.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from page_server import CHROMEDRIVER, CHROMIUM, PageServer, open_browser, serving
from sandbox import Sandbox, child_environ, sandbox, session_folder
from selenium import webdriver

__all__ = ["sandbox"]


@pytest.fixture(scope="session")
def chromium() -> Iterator[webdriver.Chrome]:
    if not (CHROMIUM and CHROMEDRIVER):
        reason = "no Chromium: install Debian's chromium and chromium-driver"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    browser = open_browser()
    yield browser
    browser.quit()


def fill(sandbox: Sandbox) -> None:
    """Write cards, docs, code, a decision, records and statements."""
    sandbox.write(
        "docs/auth.md", "# Auth\n\n## Login\n\nSee [code](../src/auth.py#Login).\n"
    )
    sandbox.write(
        "src/auth.py",
        "class Login:\n    def verify(self) -> bool:\n        return True\n",
    )
    sandbox.card(
        "one",
        "title: Fix login",
        "status: active",
        "refs: [docs/auth.md]",
        body="- [ ] verify tokens\n",
    )
    sandbox.card("two", "title: Rate limit", "status: todo", "depends_on: [one]")
    for command in (
        "session start work",
        'decide "Tokens expire" --because "stolen tokens" --affects src/auth.py',
        'attempt add --on src/auth.py --tried "catch all" --failed "hid errors"',
        'memory add "Reviews happen on Friday"',
        'experience add "Expired tokens need an answer"',
    ):
        sandbox.run(command)
    row = {"id": "d4c031fed851", "timestamp": "2026-11-01T10:00:00.000Z", "turn": 1}
    rule = {**row, "kind": "rule", "speaker": "user", "text": "Always use pnpm."}
    sandbox.write(".cuedeck/sessions/s1.statements.jsonl", json.dumps(rule) + "\n")


@pytest.fixture
def filled(sandbox: Sandbox) -> Sandbox:
    """A workspace with something of each kind."""
    fill(sandbox)
    return sandbox


@pytest.fixture(scope="session")
def unchanged_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    """The page of a filled workspace, entered, for tests that change nothing."""
    root = Path(os.path.realpath(tmp_path_factory.mktemp("page"))) / "work"
    for folder in ("cards", "docs"):
        (root / ".cuedeck" / folder).mkdir(parents=True)
    sandbox = Sandbox(root, child_environ(session_folder(tmp_path_factory)))
    fill(sandbox)
    with serving(root, sandbox.environ) as server:
        server.enter()
        yield server
    sandbox.close()


@pytest.fixture
def page(filled: Sandbox) -> Iterator[PageServer]:
    with serving(filled.root, filled.environ) as server:
        yield server


@pytest.fixture
def browse(chromium: webdriver.Chrome) -> Callable[[PageServer], webdriver.Chrome]:
    """Return a function that opens a page in the browser, past its one-time address."""
    chromium.get_log("browser")  # messages of earlier tests

    def enter(server: PageServer) -> webdriver.Chrome:
        if not server.cookie:
            chromium.get(server.address)
            return chromium
        name, _, value = server.cookie.partition("=")
        cookie = {"name": name, "value": value, "url": server.base}
        chromium.execute_cdp_cmd("Network.setCookie", cookie)
        return chromium

    return enter
