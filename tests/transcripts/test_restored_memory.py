"""Old copies of memory files that a person restores: forgotten text stays hidden."""

from __future__ import annotations

import json

import pytest
from sandbox import Sandbox

CONFIG = """
[compaction]
enabled = true
threshold_records = 5
target_chars = 500
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
    for animal in ANIMALS:
        sandbox.ok("memory", "add", f"The {animal} lives in a cage of its own")
    sandbox.ok("memory", "compact", "--force")
    for name in FILES:
        assert any(animal in _text(sandbox, name) for animal in ANIMALS)
    return sandbox


def _text(sandbox: Sandbox, name: str) -> str:
    return (sandbox.root / ".cuedeck" / name).read_text()


def _animal_in(sandbox: Sandbox, name: str) -> str:
    return next(animal for animal in ANIMALS if animal in _text(sandbox, name))


def _id_of(sandbox: Sandbox, animal: str) -> str:
    """Return the id of the record in the daily log."""
    (log,) = (sandbox.root / ".cuedeck/memory").glob("20*.md")
    (line,) = [each for each in log.read_text().split("\n") if animal in each]
    identity: str = json.loads(line.removeprefix("- "))["id"]
    return identity


@pytest.mark.parametrize("name", FILES)
def test_facts_of_a_forgotten_record_stay_hidden(merged: Sandbox, name: str) -> None:
    old = {each: _text(merged, each) for each in FILES}
    animal = _animal_in(merged, name)
    merged.ok("memory", "forget", _id_of(merged, animal))
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
    if name == "LONGMEMORY.md":
        lines = merged.ok("memory", "read", name).out.split("\n")
        assert animal not in "".join(lines)
        assert len(lines) == len(old[name].split("\n"))


def test_facts_of_a_record_made_secret_by_hand_are_hidden(merged: Sandbox) -> None:
    animal = _animal_in(merged, "LONGMEMORY.md")
    identity = _id_of(merged, animal)
    for place in (merged.root / ".cuedeck/memory").glob("*.md"):
        lines = place.read_text().split("\n")
        for at, line in enumerate(lines):
            if identity in line:
                lines[at] = line.replace("private-user", "secret")
        place.write_text("\n".join(lines))
    assert animal in _text(merged, "LONGMEMORY.md")
    assert animal not in merged.ok("memory", "context").out
    assert merged.run("recall", animal).code == 1
    assert animal in merged.ok("memory", "context", "--allow-secret").out
