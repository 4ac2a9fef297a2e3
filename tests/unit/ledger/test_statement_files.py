"""Files of statements: appended once, bounded, and forgotten for good."""

from __future__ import annotations

import resource
import stat

import pytest
from sandbox import Sandbox

from cuedeck.ledger.statement_files import MOST, StatementFiles
from cuedeck.model.errors import StorageError
from cuedeck.model.statement import Statement


@pytest.fixture
def files(sandbox: Sandbox) -> StatementFiles:
    return StatementFiles(sandbox.workspace().paths)


def said(text: str, kind: str = "message", turn: int = 1) -> Statement:
    return Statement(kind, "user", text, turn)


def texts(files: StatementFiles) -> list[str]:
    rows = files.rows(files.path("s"))
    return [str(row.value["text"]) for row in rows if "text" in row.value]


def test_a_statement_is_added_once(files: StatementFiles, sandbox: Sandbox) -> None:
    assert len(files.add("s", [said("Use pnpm."), said("Use pnpm.")], ended=1)) == 1
    assert files.add("s", [said("Use pnpm.")], ended=1) == []
    assert texts(files) == ["Use pnpm."]
    mode = sandbox.place(files.path("s")).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_a_message_gets_the_kind_that_the_whole_turn_shows(
    files: StatementFiles,
) -> None:
    files.add("s", [said("2. yes"), said("3. no")])
    files.add("s", [said("2. yes", "choice"), said("Done")], ended=1)
    files.add("s", [said("3. no", "choice", turn=2), said("2. yes", "rule")])
    rows = [row.value for row in files.rows(files.path("s")) if "text" in row.value]
    assert [(row["text"], row["kind"]) for row in rows] == [
        ("2. yes", "choice"),
        ("3. no", "message"),
        ("Done", "message"),
    ]


def test_a_forgotten_statement_does_not_return(files: StatementFiles) -> None:
    (identity,) = files.add("s", [said("The token is in the vault.")])
    files.add("s", [said("Add a test.")])
    assert files.forget([identity]) == 1
    assert files.add("s", [said("The token is in the vault.")]) == []
    assert texts(files) == ["Add a test."] and files.ids() != [identity]


@pytest.mark.parametrize("before", [[], [said("Use pnpm.")]])
def test_a_transcript_does_not_count_as_read_after_a_full_disk(
    files: StatementFiles, sandbox: Sandbox, before: list[Statement]
) -> None:
    files.add("s", before)
    files.note_reading("s", 5.0)
    place = sandbox.place(files.path("s"))
    size = place.stat().st_size if before else 0
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, most))
    try:
        with pytest.raises(StorageError):
            files.add("s", [said("The token is in the vault.")], ended=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    assert texts(files) == [each.text for each in before]
    assert files.changed_at("s") == (5.0 if before else 0)


def test_the_oldest_plain_messages_of_a_long_session_are_dropped(
    files: StatementFiles,
) -> None:
    files.add("s", [said("Never push to main.", "rule")])
    for number in range(MOST + MOST // 5):
        files.add("s", [said(f"Message {number}")])
    kept = texts(files)
    assert "Never push to main." in kept and "Message 0" not in kept
    assert MOST <= len(kept) < MOST + MOST // 10
    assert kept[-1] == f"Message {MOST + MOST // 5 - 1}"


def test_rules_of_the_user_stay_longest(files: StatementFiles) -> None:
    done = [Statement("done", "agent", f"Done {n}", n) for n in range(2, 2 * MOST)]
    whole = [said("Never push.", "rule", turn=1), *done]
    files.add("s", whole)
    assert texts(files)[:2] == ["Never push.", f"Done {MOST + 1}"]
    assert files.add("s", whole) == []
