"""Fixtures of the tests of the page: a workspace with something of each kind, and one
browser for all tests of a process.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator

import pytest
from page_server import CHROMEDRIVER, CHROMIUM, PageServer, open_browser, serving
from sandbox import Sandbox, sandbox
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


@pytest.fixture
def filled(sandbox: Sandbox) -> Sandbox:
    """A workspace with cards, docs, code, a decision, records and statements."""
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
    return sandbox


@pytest.fixture
def page(filled: Sandbox) -> Iterator[PageServer]:
    with serving(filled.root, filled.environ) as server:
        yield server


@pytest.fixture
def browse(chromium: webdriver.Chrome) -> Callable[[PageServer], webdriver.Chrome]:
    """Return a function that opens a page in the browser, past its one-time address."""

    def enter(server: PageServer) -> webdriver.Chrome:
        chromium.get(server.address)
        return chromium

    return enter
