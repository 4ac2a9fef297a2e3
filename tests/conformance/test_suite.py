"""The programs of `make conformance` can be imported and work; the suite itself needs
Node.js and a package.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from typing import Any

import conformance.scenarios as scenarios
from conformance.renamed import RenamingApp


def test_every_module_can_be_imported() -> None:
    for name in ("__main__", "renamed", "scenarios"):
        importlib.import_module(f"conformance.{name}")


def test_scenarios_run_once_in_each_revision() -> None:
    assert scenarios.AS_IT_IS.keys() == scenarios.RENAMED.keys()
    for revision, requested in scenarios.AS_IT_IS.items():
        both = [*requested, *scenarios.RENAMED[revision]]
        assert len(both) == len(set(both))


def test_names_are_replaced_in_body_and_header() -> None:
    received: list[tuple[Any, bytes]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        received.append((scope["headers"], (await receive())["body"]))

    async def receive() -> Any:
        return {
            "type": "http.request",
            "body": json.dumps({"params": {"name": "test_simple_text"}}).encode(),
        }

    async def send(message: Any) -> None:
        raise AssertionError(message)

    headers = [
        (b"mcp-name", b"test_simple_text"),
        (b"content-length", b"10"),
        (b"accept", b"*/*"),
    ]
    asyncio.run(RenamingApp(app)({"type": "http", "headers": headers}, receive, send))
    assert received == [
        (
            [(b"mcp-name", b"scene"), (b"accept", b"*/*")],
            b'{"params": {"name": "scene"}}',
        )
    ]
