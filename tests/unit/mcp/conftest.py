"""A small workspace, and a client that talks to a server in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desk import Desk, desk
from mcp_client import McpClient, connect_in_process

__all__ = ["desk"]


@pytest.fixture
def shop(desk: Desk) -> Desk:
    """A workspace with a card, docs and a source file."""
    desk.card("2a9f1x", "title: Fix login", "status: active", "refs: [docs/auth.md#LoginFlow]")
    desk.write("docs/auth.md", "# Auth\n\n## LoginFlow\n\nSee [[security]] and `Login`.\n\n## Logout\n\nNothing.\n")
    desk.write("docs/security.md", "# Security\n\n## TokenValidation\n\nA token expires after an hour.\n")
    desk.write(
        "src/auth.py", 'class Login:\n    """Let people in."""\n\n    def verify(self, token):\n        return token\n'
    )
    return desk


@pytest.fixture
def client(shop: Desk) -> Iterator[McpClient]:
    """A client of a server on that workspace."""
    with connect_in_process(shop.root) as made:
        yield made
