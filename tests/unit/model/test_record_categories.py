"""A row of `CATEGORIES` is all that a new category of records needs."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from cuedeck.knowledge.compaction.select_records import select
from cuedeck.knowledge.experiences.distil import Candidates, distil, select_evicted
from cuedeck.knowledge.integrity.claims import read_claims
from cuedeck.knowledge.integrity.scan_records import find_findings
from cuedeck.knowledge.memory.add_record import check_category
from cuedeck.ledger.records.record_file import format_record, value_of
from cuedeck.model.errors import Invalid
from cuedeck.model.memory_record import CATEGORIES, Category, Experience, Record
from cuedeck.model.settings_schema import ExperienceSettings

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NAME = "incident"
OLD = (NOW - timedelta(days=200)).isoformat()
RECORD = Record(
    "id-1",
    "The port of the server is 8080.",
    NAME,
    timestamp=OLD,
    sensitivity="operational",
)
SOURCE = f"""
from cuedeck.model.memory_record import CATEGORIES, Category
CATEGORIES[{NAME!r}] = Category()
"""


def add_row(monkeypatch: pytest.MonkeyPatch, row: Category) -> None:
    monkeypatch.setitem(CATEGORIES, NAME, row)


def test_a_category_is_accepted_and_listed_in_errors_because_of_its_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(Invalid):
        check_category(NAME)
    add_row(monkeypatch, Category())
    check_category(NAME)
    with pytest.raises(Invalid) as error:
        check_category("incidents")
    assert NAME in error.value.candidates and NAME in (error.value.hint or "")


@pytest.mark.parametrize("is_protected", [True, False])
def test_protected_records_stay_in_a_compaction_and_are_worth_more(
    monkeypatch: pytest.MonkeyPatch, is_protected: bool
) -> None:
    add_row(monkeypatch, Category(is_protected=is_protected))
    chosen = select(format_record(value_of(RECORD)), NOW, 7)
    assert [row.id for row in (chosen.kept if is_protected else chosen.fresh)] == [
        "id-1"
    ]
    old = Experience("e", "text", NAME)
    new = Experience("f", "text", timestamp="2026-01-01T00:00:00Z")
    assert select_evicted([old, new], 1) == (["f"] if is_protected else ["e"])


@pytest.mark.parametrize("ages", [True, False])
def test_only_aging_categories_become_stale(
    monkeypatch: pytest.MonkeyPatch, ages: bool
) -> None:
    add_row(monkeypatch, Category(ages=ages))
    assert bool(find_findings([RECORD], NOW, 120)) is ages


@pytest.mark.parametrize("states_claims", [True, False])
def test_only_claims_of_categories_that_state_some_are_read(
    monkeypatch: pytest.MonkeyPatch, states_claims: bool
) -> None:
    add_row(monkeypatch, Category(states_claims=states_claims))
    assert bool(list(read_claims(RECORD))) is states_claims


@pytest.mark.parametrize("group", ["memory", "experience"])
def test_the_help_lists_every_category(group: str) -> None:
    code = (
        "import sys; from cuedeck.shells.cli.cli_main import main\n"
        f"sys.argv[1:] = [{group!r}, 'add', '--help']; main()"
    )
    listed = subprocess.run(
        [sys.executable, "-c", SOURCE + code],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert NAME in listed


@pytest.mark.parametrize("becomes_experience", [True, False])
def test_only_categories_that_become_experiences_are_extracted(
    monkeypatch: pytest.MonkeyPatch, becomes_experience: bool
) -> None:
    add_row(monkeypatch, Category("incidents", becomes_experience=becomes_experience))
    candidates = Candidates([RECORD], {RECORD.id}, (), ())
    made = distil(candidates, (), (), ExperienceSettings(), str)
    assert bool(made.added) is becomes_experience


def test_the_tool_of_an_mcp_client_lists_categories_that_are_not_events() -> None:
    code = "from cuedeck.shells.mcp.tools import REMEMBER; print(*(each.about for each in REMEMBER.fields))"
    listed = subprocess.run(
        [sys.executable, "-c", SOURCE + code],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert NAME in listed and "learned" in listed and "heartbeat" not in listed
