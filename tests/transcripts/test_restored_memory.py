"""Old copies of memory files that a person restores: forgotten text stays hidden."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from sandbox import Sandbox

CONFIG = """
[compaction]
target_chars = 900
min_age_days = 0
"""
ANIMALS = (
    *("walrus", "heron", "otter", "badger", "lynx", "weasel"),
    *("falcon", "beaver", "salmon", "turtle", "marten", "spider"),
)
FILES = ("LONGMEMORY.md", "MEMORY.md")


@pytest.fixture
def merged(sandbox: Sandbox) -> Sandbox:
    """Return a workspace whose records were merged into both files."""
    sandbox.write(".cuedeck/config.toml", CONFIG)
    lines = []
    for day, animal in enumerate(ANIMALS, 1):
        record = {
            "id": _id_of(animal),
            "text": f"The {animal} lives in a large cage of its own in the zoo",
            "provenance": {
                "timestamp": f"2026-11-{day:02}T10:00:00.000Z",
                "sensitivity": "private-user",
            },
        }
        lines.append(f"- {json.dumps(record)}\n")
    sandbox.write(".cuedeck/MEMORY.md", "".join(lines))
    sandbox.ok("memory", "compact", "--force")
    for name in FILES:
        assert any(animal in _text(sandbox, name) for animal in ANIMALS)
    return sandbox


def _text(sandbox: Sandbox, name: str) -> str:
    return (sandbox.root / ".cuedeck" / name).read_text()


def _animal_in(sandbox: Sandbox, name: str) -> str:
    return next(animal for animal in ANIMALS if animal in _text(sandbox, name))


def _id_of(animal: str) -> str:
    return f"{ANIMALS.index(animal) + 1:08x}-3b7a-4a44-8c1d-2f9f0e5a7b33"


@pytest.mark.parametrize("name", FILES)
def test_facts_of_a_forgotten_record_stay_hidden(merged: Sandbox, name: str) -> None:
    old = {each: _text(merged, each) for each in FILES}
    animal = _animal_in(merged, name)
    merged.ok("memory", "forget", _id_of(animal))
    for each, text in old.items():
        merged.write(f".cuedeck/{each}", text)
    assert animal not in merged.ok("memory", "context").out
    assert animal not in merged.run("recall", animal, "--json").out.replace(
        f'"query": "{animal}"', ""
    )
    assert (
        merged.ok("recall", "--digest", f"{animal} lives in a cage").out.find(animal)
        < 0
    )
    for other in ANIMALS:
        if other != animal:
            assert merged.run("recall", other).code == 0
    listed = merged.answer("memory", "list", "--in", "all")["records"]
    assert animal not in json.dumps(listed)
    for record in listed:
        assert animal not in merged.ok("read", f"record:{record['id']}").out
    lines = merged.ok("memory", "read", name).out.split("\n")
    assert animal not in "".join(lines)
    assert len(lines) == len(old[name].split("\n"))


def test_facts_of_a_record_made_secret_by_hand_are_hidden(merged: Sandbox) -> None:
    animal = _animal_in(merged, "LONGMEMORY.md")
    archive = _text(merged, "memory/MEMORY-archive.md")
    (line,) = [each for each in archive.split("\n") if animal in each]
    today = datetime.now(UTC).date()
    log = f"{line.replace('private-user', 'secret')}\n"
    merged.write(f".cuedeck/memory/{today}.md", log)
    assert animal not in merged.ok("memory", "context").out
    assert merged.run("recall", animal).code == 1
    assert animal in merged.ok("memory", "context", "--allow-secret").out


WORDS = ("zebrafinch", "kingfisher", "nuthatch", "goldcrest")
OPEN = (".cuedeck/MEMORY.md", ".cuedeck/memory/")
"""Files that contain such records, and the copies of MEMORY.md for an undo."""


def leaks(sandbox: Sandbox, *commands: tuple[str, ...]) -> list[str]:
    """Return the commands that print one of the words, and the files that have one."""
    found = []
    for command in commands:
        ran = sandbox.run(*command)
        found += [each for each in WORDS if each in (ran.out + ran.err).lower()]
    for path in sandbox.root.rglob("*"):
        name = path.relative_to(sandbox.root).as_posix()
        if path.is_file() and not name.startswith(OPEN):
            data = path.read_bytes().lower()
            found += [f"{name}: {each}" for each in WORDS if each.encode() in data]
    return found


def test_such_a_merged_record_is_printed_no_more(sandbox: Sandbox) -> None:
    config = "[compaction]\ntarget_records = 3\nmin_age_days = 0\n"
    sandbox.write(".cuedeck/config.toml", config)
    texts = "\n".join(f"the vault phrase is {word}" for word in WORDS)
    added = sandbox.ok("memory", "add", "-", text=texts).out
    sandbox.ok("memory", "compact", "--force")
    for identity in added.split():
        sandbox.ok("memory", "edit", identity, "--sensitivity", "secret")
    shown = ("memory", "context"), ("memory", "list")
    assert not leaks(sandbox, *shown)
    assert not leaks(sandbox, ("memory", "compact", "--undo"), *shown)
