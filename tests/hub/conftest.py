"""One PostgreSQL server for all tests of the exchange, and a database for each."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hub_server import Database, HubServer, serving
from sandbox import sandbox

__all__ = ["sandbox"]


@pytest.fixture(scope="session")
def server() -> Iterator[HubServer]:
    yield from serving()


@pytest.fixture
def database(server: HubServer, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A hub with the members anna, ben and eve; anna and ben are in the team core."""
    name = re.sub(r"\W", "_", request.node.name)[:60]
    found = Database(server, server.hub(name, "anna", "ben", "eve"))
    admit = ("anna", "core"), ("ben", "core"), ("eve", "rivals")
    for login, team in admit:
        found.sql(f"SELECT cuedeck.admit_to_team('{login}', '{team}')")
    yield found
    found.close()
