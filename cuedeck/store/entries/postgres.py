"""The hub: a PostgreSQL database through which copies exchange entries. The functions
of its schema are the only way in; they check the login.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.errors import (
    ConfigurationError,
    CueDeckError,
    Invalid,
    MissingPackage,
    NetworkError,
    StorageError,
)
from cuedeck.model.exchange_row import Row

if TYPE_CHECKING:
    import psycopg

VERSION = 2
"""Newest version of the schema that this program knows."""
NEEDED = 1
"""Oldest version that it can use. A newer one keeps the functions of this one."""
_LOCK = 0x63756564
"""Key of the advisory lock of a migration."""
_SECONDS = 15
"""Time limit of a connection."""
_OPTIONS = (
    "-c statement_timeout=60s -c lock_timeout=20s"
    " -c idle_in_transaction_session_timeout=60s"
)
_MIGRATE = "an administrator of the database runs `cuedeck exchange --migrate`"


class Heads(NamedTuple):
    """State of a hub."""

    hub: str
    """Id, which differs for another hub in its place."""
    version: int
    clock: int
    """Time of the hub in microseconds."""
    last: Mapping[str, int]
    """Last number of the workspace, and of the others of its team, by id."""


class NotAMember(Invalid):
    """The login is not a member of the workspace or of the team."""


_GOES_ON = "local work goes on; entries stay here until a later exchange"
_AWAY = "the hub cannot be reached"
_FAILURES: Mapping[tuple[str, ...], tuple[type[CueDeckError], str, str]] = {
    ("CD001",): (
        NotAMember,
        "the hub refused",
        "an administrator of the hub admits the login: see docs/fleet.md",
    ),
    ("3F000", "42P01", "42703", "42883"): (
        StorageError,
        "the database is not a hub",
        _MIGRATE,
    ),
    ("25006",): (
        StorageError,
        "the hub is read-only",
        _GOES_ON,
    ),
    ("53100", "53200", "54"): (
        StorageError,
        "the hub is full",
        _GOES_ON,
    ),
    ("42501",): (
        StorageError,
        "the hub refused",
        "check the roles of the login: see docs/fleet.md",
    ),
    ("08", "28", "3D", "57P"): (
        NetworkError,
        _AWAY,
        f"check CUEDECK_EXCHANGE__HUB; {_GOES_ON}",
    ),
}
"""Failures by the beginnings of their SQL states."""


class Hub:
    """A connection to a hub, which is opened on first use and again after a failure."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._open: psycopg.Connection[Any] | None = None

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def heads(self, workspace_id: str) -> Heads:
        """Return the state of the hub. Raises: NotAMember, NetworkError, StorageError,
        ConfigurationError for a database without a usable schema.
        """
        with self._connection() as connection:
            found = connection.execute(
                "SELECT hub::text, version, now_us, workspace, last FROM cuedeck.heads(%s)",
                (workspace_id,),
            ).fetchall()
        if not found:
            raise ConfigurationError("the database is not a hub", hint=_MIGRATE)
        hub, version, clock, *_ = found[0]
        heads = Heads(hub, version, clock, {row[3]: row[4] for row in found})
        if heads.version < NEEDED:
            message = f"the schema of the hub has version {heads.version}"
            raise ConfigurationError(message, hint=_MIGRATE)
        return heads

    def register(self, workspace_id: str, team: str) -> None:
        """Create a workspace of a team, unless it exists. Raises: as `heads`."""
        with self._connection() as connection:
            connection.execute("SELECT cuedeck.register(%s, %s)", (workspace_id, team))

    def pull(
        self, workspace_id: str, after: int, most: int, origin: str = ""
    ) -> tuple[Sequence[Row], int]:
        """Return the next entries of a workspace, and the number of the last one.
        Raises: as `heads`.
        """
        with self._connection() as connection:
            cursor = connection.cursor(binary=True)
            found = cursor.execute(
                "SELECT id, encode(hash, 'hex'), body, clock, author, seq"
                " FROM cuedeck.pull(%s, %s, %s)",
                (workspace_id, after, most),
            ).fetchall()
        rows = [Row._make((*each[:5], origin)) for each in found]
        return rows, found[-1][5] if found else after

    def append(self, workspace_id: str, machine: str, rows: Sequence[Row]) -> int:
        """Append entries; return the number of new ones. Raises: as `heads`."""
        ids = [row.id for row in rows]
        clocks = [row.clock for row in rows]
        lines = [row.line for row in rows]
        with self._connection() as connection:
            found = connection.execute(
                "SELECT cuedeck.append(%s, %s, %s::text[], %s::bigint[], %s::text[])",
                (workspace_id, machine, ids, clocks, lines),
            ).fetchone()
        return int(found[0]) if found else 0

    def erase(self, workspace_id: str, row: Row) -> bool:
        """Remove the text of an entry; return False if it has none, or another author.
        Raises: as `heads`.
        """
        with self._connection() as connection:
            found = connection.execute(
                "SELECT cuedeck.erase(%s, %s, %s)",
                (workspace_id, row.id, bytes.fromhex(row.digest)),
            ).fetchone()
        return bool(found and found[0])

    def search(self, workspace_id: str, words: str, most: int) -> Sequence[Row]:
        """Return the newest entries that contain all words. Raises: as `heads`."""
        with self._connection() as connection:
            found = connection.execute(
                "SELECT id, body, author FROM cuedeck.search(%s, %s, %s)",
                (workspace_id, words, most),
            ).fetchall()
        return [Row(each[0], "", each[1], 0, each[2]) for each in found]

    def migrate(self) -> tuple[int, int]:
        """Bring the schema to the newest version, each step in one transaction; return
        the versions before and after. Raises: as `heads`.
        """
        with self._connection() as connection:
            connection.execute("SET statement_timeout = 0")  # it may rewrite all
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            before = _version(connection)
            for version in range(before + 1, VERSION + 1):
                with connection.transaction():
                    step = files(__package__).joinpath(f"schema_{version}.sql")
                    connection.execute(step.read_text("utf-8").encode())
                    connection.execute(
                        "UPDATE cuedeck.hub SET version = %s", (version,)
                    )
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
        return before, max(before, VERSION)

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Any]]:
        try:
            import psycopg
        except ImportError as error:
            raise MissingPackage("psycopg") from error
        try:
            if self._open is None or self._open.closed:
                self._open = psycopg.connect(
                    self._address,
                    autocommit=True,
                    connect_timeout=_SECONDS,
                    options=_OPTIONS,
                    application_name="cuedeck",
                    keepalives_idle=10,
                    tcp_user_timeout=20_000,
                )
            yield self._open
        except psycopg.Error as error:
            self._discard()
            raise _failure(error) from error
        except BaseException:
            self._discard()  # an interrupted query would answer the next one
            raise

    def _discard(self) -> None:
        with suppress(Exception):
            self.close()
        self._open = None


def _version(connection: psycopg.Connection[Any]) -> int:
    """Return the version of the schema; 0 without one."""
    schema = (
        "SELECT to_regnamespace('cuedeck') IS NULL, to_regclass('cuedeck.hub') IS NULL"
    )
    found = connection.execute(schema.encode()).fetchone()
    if found is None or found[0]:
        return 0
    if found[1]:
        raise ConfigurationError(
            "the database has a schema `cuedeck` of another program",
            hint="use another database; nothing was changed",
        )
    row = connection.execute("SELECT version FROM cuedeck.hub").fetchone()
    return int(row[0]) if row else 0


def _failure(error: psycopg.Error) -> CueDeckError:
    """Return the error for a failure of the database."""
    state = error.sqlstate or ""
    problem = error.diag.message_primary or str(error).strip().split("\n")[0]
    for states, (kind, message, hint) in _FAILURES.items():
        if state.startswith(states):
            return kind(f"{message}: {problem}", hint=hint)
    if not state:
        # A wrong address is quoted, with its password.
        problem = re.sub(r"([\"']).*?\1", "…", problem)
        return NetworkError(f"{_AWAY}: {problem}", hint=_GOES_ON)
    return StorageError(f"the hub failed: {problem}", hint=_GOES_ON)
