"""A PostgreSQL server of the tests: own cluster, loopback only, not run by root."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path

import psycopg
import pytest
from sandbox import until

from cuedeck.store.entries.postgres import Hub

ADMIN = "postgres"


def _program(name: str) -> str:
    """Return the path of a program of PostgreSQL; empty if it is not installed."""
    found = sorted(glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else shutil.which(name) or ""


class HubServer:
    """A cluster in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._user = ADMIN if os.geteuid() == 0 else None
        folder.mkdir()
        if self._user:
            shutil.chown(folder, self._user)
            folder.parent.chmod(0o711)
        data = str(folder / "data")
        self._run(_program("initdb"), "-A", "trust", "-U", ADMIN, "-N", "-D", data)

    def _run(self, *command: str) -> None:
        subprocess.run(
            command, check=True, capture_output=True, user=self._user, cwd="/"
        )

    def start(self, *, synced: bool = False) -> None:
        """Start the server and wait until it answers."""
        options = f"-p {self.port} -h 127.0.0.1 -k '' -c max_connections=200"
        if not synced:
            options += " -F"
        place = str(self.folder)
        command = [
            *(_program("pg_ctl"), "-w", "-t", "120", "-s", "-D", f"{place}/data"),
            *("-l", f"{place}/log", "-o", options, "start"),
        ]

        def is_started() -> bool:
            # The children of a killed server end a little later than the server.
            try:
                self._run(*command)
            except subprocess.CalledProcessError:
                return False
            return True

        until(is_started, "the server starts", 120)

    def kill(self) -> None:
        """End the server as a loss of power does."""
        pid = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """End the server."""
        with contextlib.suppress(subprocess.CalledProcessError):
            data = str(self.folder / "data")
            self._run(_program("pg_ctl"), "-s", "-m", "immediate", "-D", data, "stop")

    def url(self, database: str, login: str = ADMIN) -> str:
        return f"postgresql://{login}@127.0.0.1:{self.port}/{database}"

    def sql(self, database: str, *statements: str) -> Sequence[tuple[object, ...]]:
        """Run statements as administrator; return the rows of the last one."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for each in statements:
                cursor = connection.execute(each.encode())
            return cursor.fetchall() if cursor.description else []

    def hub(self, database: str, *members: str) -> str:
        """Create a hub with logins; return the name of its database."""
        self.sql("template1", f'CREATE DATABASE "{database}"')
        hub = Hub(self.url(database))
        hub.migrate()
        hub.close()
        for each in members:
            self.sql(
                database,
                f"DO $$ BEGIN CREATE ROLE {each} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
                f"GRANT cuedeck_member TO {each}",
            )
        return database


class Database:
    """A database of the server, and the connections of a test."""

    def __init__(self, server: HubServer, name: str) -> None:
        self.server = server
        self.name = name
        self._hubs: list[Hub] = []

    def url(self, login: str = ADMIN) -> str:
        return self.server.url(self.name, login)

    def hub(self, login: str = ADMIN) -> Hub:
        return self.at(self.url(login))

    def at(self, url: str) -> Hub:
        self._hubs.append(Hub(url))
        return self._hubs[-1]

    def joined(self, login: str = "anna", team: str = "core") -> Hub:
        """A hub with the workspace `shop`."""
        hub = self.hub(login)
        hub.register("shop", team)
        return hub

    def sql(self, *statements: str) -> Sequence[tuple[object, ...]]:
        return self.server.sql(self.name, *statements)

    def close(self) -> None:
        for each in self._hubs:
            each.close()


def serving(*, synced: bool = False) -> Iterator[HubServer]:
    """Yield a running server; skip the test without PostgreSQL, and fail in CI."""
    if not _program("initdb"):
        reason = "PostgreSQL is not installed: the tests of the hub did not run"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    # Another run of the tests closes the folders of pytest to other users.
    with tempfile.TemporaryDirectory(prefix="cuedeck-hub-") as place:
        server = HubServer(Path(place) / "hub")
        server.start(synced=synced)
        try:
            yield server
        finally:
            server.stop()
