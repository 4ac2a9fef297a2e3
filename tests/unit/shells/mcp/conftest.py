"""A small workspace, and a client that talks to a server in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mcp_client import McpClient, connect_in_process
from sandbox import Sandbox, sandbox

__all__ = ["sandbox"]


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with a card, docs and a source file."""
    sandbox.card(
        "2a9f1x", "title: Fix login", "status: active", "refs: [docs/auth.md#LoginFlow]"
    )
    sandbox.write(
        "docs/auth.md",
        "# Auth\n\n## LoginFlow\n\nSee [[security]] and `Login`.\n\n## Logout\n\nNothing.\n",
    )
    sandbox.write(
        "docs/security.md",
        "# Security\n\n## TokenValidation\n\nA token expires after an hour.\n",
    )
    sandbox.write(
        "src/auth.py",
        'class Login:\n    """Let people in."""\n\n    def verify(self, token):\n        return token\n',
    )
    return sandbox


@pytest.fixture
def client(shop: Sandbox) -> Iterator[McpClient]:
    """A client of a server on that workspace."""
    with connect_in_process(shop.root) as made:
        yield made
