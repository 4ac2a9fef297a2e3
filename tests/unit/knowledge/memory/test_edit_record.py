"""Corrections in place, and supersession."""

from __future__ import annotations

import json

import pytest
from sandbox import Sandbox

from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.experiences.extract_experiences import extract
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.memory.edit_record import Correction, edit_record, supersede
from cuedeck.knowledge.memory.list_records import Wanted, list_records, show_record
from cuedeck.knowledge.memory.memory_stats import check_integrity
from cuedeck.knowledge.memory.session_context import memory_context
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE
from cuedeck.ledger.records.memory_files import MemoryFiles, memory_of
from cuedeck.model.errors import Invalid, NotFound


@pytest.fixture
def opened(sandbox: Sandbox) -> tuple[Workspace, MemoryFiles]:
    workspace = sandbox.workspace()
    return workspace, memory_of(workspace)


def add(opened: tuple[Workspace, MemoryFiles], *texts: str) -> list[str]:
    return add_records(*opened, [NewRecord(text, "learned") for text in texts])


def test_record_is_corrected_in_every_file_without_other_changes(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    one, _ = add(opened, "Deploys on Tuesdays", "other")
    place = sandbox.place(".cuedeck/MEMORY.md")
    place.write_bytes(
        place.read_bytes().replace(
            b'"learned","text":"Dep', b'"learned","mood":1,"text":"Dep'
        )
        + b"prose \xff\r\n"
    )
    before = place.read_bytes().split(b"\n")
    answer = edit_record(
        *opened, one[:8], Correction("Deploys on Wednesdays, key AKIAIOSFODNN7EXAMPLE")
    )
    assert len(answer["files"]) == 2
    after = place.read_bytes().split(b"\n")
    assert [here == there for here, there in zip(before, after, strict=True)].count(
        False
    ) == 1
    shown = show_record(opened[1], one)
    assert shown["text"] == "Deploys on Wednesdays, key <secret:aws-key:1>"
    assert shown["more"] == {"mood": 1}
    with pytest.raises(Invalid, match="in place of a secret"):
        edit_record(*opened, one[:8], Correction("Its key is <secret:jwt:1>"))
    (log,) = sandbox.place(".cuedeck/memory").glob("20*.md")
    assert json.loads(log.read_text().splitlines()[0][2:])["text"].startswith(
        "Deploys on Wednesdays"
    )


def test_record_without_an_id_keeps_its_derived_id(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    sandbox.write(".cuedeck/MEMORY.md", '  - {"text":"by hand"}\r\n')
    (record,) = opened[1].primary.records
    edit_record(*opened, record.id, Correction(category="learned"))
    (again,) = opened[1].primary.records
    assert (again.id, again.category, again.text) == (record.id, "learned", "by hand")
    assert sandbox.place(".cuedeck/MEMORY.md").read_bytes().endswith(b"}\r\n")


def test_superseded_records_are_hidden_and_contradict_nothing(
    opened: tuple[Workspace, MemoryFiles],
) -> None:
    old, new = add(opened, "Deploys go out on Tuesdays", "Deploys go out on Wednesdays")
    (finding,) = check_integrity(*opened)["findings"]
    assert finding["command"] == f"cuedeck memory supersede {old} --by {new}"
    assert supersede(*opened, old, by=new) == {"id": new, "superseded": old}
    assert check_integrity(*opened)["findings"] == []
    assert "Tuesdays" not in memory_context(*opened).text
    assert show_record(opened[1], old)["superseded_by"] == new
    edit_record(*opened, new, Correction(supersedes=()))
    assert "Tuesdays" in memory_context(*opened).text


def test_cycle_of_records_hides_none_and_cannot_grow(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    """After a manual edit or a merge of two branches, a session received neither of the
    two records.
    """
    one, two, other = add(
        opened, "Deploys go out on Tuesdays", "Deploys are slow", "Nobody deploys"
    )
    place = sandbox.place(".cuedeck/MEMORY.md")
    rows = [
        json.loads(line[2:])
        for line in place.read_text().splitlines()
        if line.startswith("- ")
    ]
    links = {one: two, two: [one], other: None}
    place.write_text(
        "".join(
            f"- {json.dumps({**row, 'supersedes': links[row['id']]})}\n" for row in rows
        )
    )
    answer = memory_context(*opened).text
    assert "Tuesdays" in answer and "slow" in answer
    assert show_record(opened[1], one)["superseded_by"] is None
    with pytest.raises(Invalid):
        supersede(*opened, one, by=two)
    edit_record(*opened, one, Correction(supersedes=(other,)))
    with pytest.raises(Invalid):
        edit_record(*opened, other, Correction(supersedes=(two,)))
    assert show_record(opened[1], one)["superseded_by"] == two


def test_new_text_supersedes_an_old_record(
    opened: tuple[Workspace, MemoryFiles],
) -> None:
    (old,) = add(opened, "Deploys go out on Tuesdays")
    new = supersede(*opened, old, new_text="Deploys go out on Fridays")["id"]
    record = opened[1].primary.records[-1]
    assert (record.id, record.category, record.value["supersedes"]) == (
        new,
        "learned",
        [old],
    )


def test_refused_supersede_has_a_reason_and_changes_nothing(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    old, new, third = add(opened, "one", "two", "three")
    supersede(*opened, old, by=new)
    before = sandbox.bytes()
    for wanted in (
        {"old": old, "by": third},
        {"old": new, "by": old},
        {"old": new, "by": new},
        {"old": new},
    ):
        with pytest.raises(Invalid):
            supersede(*opened, **wanted)
    with pytest.raises(NotFound):
        supersede(*opened, "nothing", by=new)
    with pytest.raises(Invalid):
        edit_record(*opened, new, Correction("  "))
    assert sandbox.bytes() == before


def test_data_derived_from_a_record_follows_it(
    opened: tuple[Workspace, MemoryFiles],
) -> None:
    one, two = add(
        opened,
        "The login service listens on port 8080",
        "The parser reads tables from the left",
    )
    extract(*opened)
    edit_record(*opened, one, Correction("The login service listens on port 9090"))
    assert [each.record for each in opened[1].entries(EXPERIENCE)] == [two]
    edit_record(*opened, two, Correction(sensitivity="secret"))
    assert opened[1].entries(EXPERIENCE) == ()


def test_corrected_fact_of_a_merged_record_becomes_a_record_again(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    facts = "2026-11-01 to 2026-11-02, main: ports\n- The port is 8080 [f1df838f]\n- Tables are read [0aab9c1d]"
    line = {
        "id": "f1df838f-fcfe-480d-b07c-1331ba8e2f3c",
        "category": "note",
        "text": "The port is 8080",
    }
    sandbox.write(
        ".cuedeck/MEMORY.md",
        f"- {json.dumps({'id': 'm', 'category': 'compaction', 'text': facts})}\n",
    )
    sandbox.write(".cuedeck/memory/MEMORY-archive.md", f"- {json.dumps(line)}\n")
    edit_record(*opened, "f1df838f", Correction("The port is 9090"))
    merged, again = opened[1].primary.records
    assert "8080" not in merged.text and "Tables are read" in merged.text
    assert (again.id, again.text) == (line["id"], "The port is 9090")
    edit_record(*opened, "f1df838f", Correction(sensitivity="secret"))
    assert "9090" not in memory_context(*opened).text


def test_record_cannot_supersede_itself_or_its_replacement(
    opened: tuple[Workspace, MemoryFiles],
) -> None:
    old, new = add(opened, "one", "two")
    supersede(*opened, old, by=new)
    for identity, others in ((old, (new,)), (old, (old,))):
        with pytest.raises(Invalid):
            edit_record(*opened, identity, Correction(supersedes=others))
    with pytest.raises(NotFound):
        edit_record(*opened, old, Correction(supersedes=("nobody",)))


def test_the_newest_records_are_those_of_the_whole_list(
    opened: tuple[Workspace, MemoryFiles],
) -> None:
    first = add(opened, "a fact")[0]
    add_records(*opened, [NewRecord("hidden", "learned", sensitivity="secret")])
    supersede(*opened, first, new_text="another fact")
    add(opened, *(f"fact {number}" for number in range(1_100)))
    newest = list_records(opened[1], Wanted(limit=50))
    every = list_records(opened[1], Wanted())
    assert newest == {**every, "records": every["records"][-50:], "earlier": 1_052}
