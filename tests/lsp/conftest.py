"""Fixtures of the tests of the language server."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from editor import Editor, editing
from sandbox import Sandbox, child_environ, sandbox, session_folder

__all__ = ["sandbox"]

AUTH = """# Auth

How people get in.

## Login flow

See [code](../src/auth.py#Login) and [[limits#Rates|the limits]].

## Rates

Old.
"""
CARD = """- [ ] verify 🙂 tokens, see [[auth#Login flow]]
"""


def fill(sandbox: Sandbox) -> None:
    """Write cards, docs, code, a decision and an attempt."""
    sandbox.write("docs/auth.md", AUTH)
    sandbox.write("docs/limits.md", "# Limits\n\n## Rates\n\n@doc/auth#login-flow\n")
    sandbox.write(
        "src/auth.py",
        "class Login:\n    def verify(self) -> bool:\n        return True\n",
    )
    sandbox.write("src/tokens.py", "def verify_tokens() -> bool:\n    return True\n")
    sandbox.card(
        "one",
        "id: one",
        "title: Fix login",
        "status: active",
        "tags: [security]",
        "refs:",
        "  - docs/auth.md#Login flow",
        "  - src/auth.py",
        body=CARD,
    )
    sandbox.card("two", "title: Rate limit", "status: todo", "depends_on: [one]")
    sandbox.activate("one")
    sandbox.run(
        'decide "Tokens expire" --because "stolen tokens" --affects src/auth.py#Login'
    )
    sandbox.run(
        'attempt add --on src/auth.py#Login.verify --tried "catch" --failed "hid it"'
    )


@pytest.fixture
def filled(sandbox: Sandbox) -> Sandbox:
    """A workspace with something of each kind."""
    fill(sandbox)
    return sandbox


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """A filled workspace for tests that change no file of it."""
    root = Path(os.path.realpath(tmp_path_factory.mktemp("lsp"))) / "work space"
    for folder in ("cards", "docs"):
        (root / ".cuedeck" / folder).mkdir(parents=True)
    made = Sandbox(root, child_environ(session_folder(tmp_path_factory)))
    fill(made)
    yield made
    made.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def editor(shared: Sandbox) -> AsyncIterator[Editor]:
    """An editor with one server for all tests of a process."""
    async with editing(shared.root, shared.environ) as opened:
        yield opened
