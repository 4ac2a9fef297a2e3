"""Memory cards of another CueDeck tree are copied as they are or merged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from foreign_memory import SECRET, import_twice, put, rows_of

from cuedeck.knowledge.cortex.memory_card import format_card, parse_card
from cuedeck.knowledge.importers.import_foreign import import_foreign

if TYPE_CHECKING:
    from conftest import Timeline
    from sandbox import Sandbox

ROOT = ".cuedeck/cortex/"
PREFERENCES = "user/default/preferences"


def text_of(text: str, *, key: str = "tea", day: int = 1, more: str = "") -> str:
    source = f'["cortex://session/s{day}/timeline"]'
    header = f"type: preference\nkey: {key}\ntime: 2026-01-0{day}T00:00:00Z"
    return f"---\n{header}\nsources: {source}\n{more}---\n\n{text}\n"


@pytest.fixture
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("other")


def test_a_new_card_has_the_text_of_its_source(
    timeline: Timeline, source: Path
) -> None:
    timeline.say("I prefer large commits over small ones.")
    timeline.say("I prefer tea.")
    timeline.say("Ben is our designer.")
    timeline.say("Ben is our manager.")
    timeline.commit()
    files = {
        name: data
        for name, data in timeline.files().items()
        if name.startswith(("user/", "agent/")) and "/." not in name
    }
    for name, data in files.items():
        put(source, name, data)
    hand_written = text_of("I like\r\ntea.", key="tea leaf", more="pinned: true\n")
    name = f"{PREFERENCES}/my own name.md"
    files[name] = put(source, name, hand_written).read_bytes()
    for address in ("cortex://user", "cortex://agent"):
        place = timeline.sandbox.place(address.replace("cortex://", ROOT))
        for file in place.rglob("*.md"):
            file.unlink()
    done = import_twice(timeline.sandbox, source)
    assert set(rows_of(done, "new")) == set(files)
    copied = timeline.files()
    assert {name: copied[name] for name in files} == files


def test_a_card_is_merged_into_that_of_its_key(sandbox: Sandbox, source: Path) -> None:
    own = f"{ROOT}{PREFERENCES}/my-drink.md"
    sandbox.write(own, text_of("I prefer green tea.", day=2))
    put(source, f"{PREFERENCES}/tea.md", text_of("I prefer black tea.", day=3))
    done = import_twice(sandbox, source)
    assert rows_of(done, "merged") == {
        f"{PREFERENCES}/tea.md": (
            f"cortex://{PREFERENCES}/my-drink.md",
            "added to the memory `tea`",
        )
    }
    card = parse_card(sandbox.place(own).read_text())
    assert card.current.text == "I prefer black tea."
    assert [each.text for each in card.superseded] == ["I prefer green tea."]
    assert card.rest == ()


def test_a_card_whose_name_is_taken_gets_another(
    sandbox: Sandbox, source: Path
) -> None:
    own = f"{ROOT}{PREFERENCES}/tea.md"
    sandbox.write(own, text_of("I prefer coffee.", key="coffee"))
    put(source, f"{PREFERENCES}/tea.md", text_of("I prefer tea."))
    done = import_twice(sandbox, source)
    ((target, _),) = rows_of(done, "new").values()
    assert target.startswith(f"cortex://{PREFERENCES}/tea-")
    assert "coffee" in sandbox.place(own).read_text()


def test_two_cards_of_one_key_keep_their_addresses(
    sandbox: Sandbox, source: Path
) -> None:
    put(source, f"{PREFERENCES}/a.md", text_of("I prefer tea."))
    put(source, f"{PREFERENCES}/b.md", text_of("I prefer green tea."))
    done = import_twice(sandbox, source)
    assert len(rows_of(done, "new")) == 2


def test_a_memory_of_cortex_mem_is_added_to_a_copied_card(
    sandbox: Sandbox, source: Path
) -> None:
    put(source, f"{PREFERENCES}/drink.md", text_of("I prefer tea."))
    put(source, f"{PREFERENCES}/pref_1.md", "# tea\n\nI drink tea.\n")
    import_twice(sandbox, source)
    card = parse_card(sandbox.place(f"{ROOT}{PREFERENCES}/drink.md").read_text())
    assert [each.text for each in card.superseded] == ["I drink tea."]


def test_files_that_are_not_cards_are_refused(sandbox: Sandbox, source: Path) -> None:
    put(source, f"{PREFERENCES}/kind.md", "---\ntype: wish\n---\n\nTea.\n")
    put(source, f"{PREFERENCES}/line.md", "---\ntype preference\n---\n\nTea.\n")
    put(source, f"{PREFERENCES}/tea.md", text_of("I prefer tea."))
    sandbox.write(f"{ROOT}{PREFERENCES}/tea.md", "a note\n")
    before = sandbox.bytes()
    done = import_twice(sandbox, source)
    reasons = {name: row[1] for name, row in rows_of(done, "refused").items()}
    assert reasons == {
        f"{PREFERENCES}/kind.md": "`wish` is not a kind of memory",
        f"{PREFERENCES}/line.md": "line 2: expected `key: value`",
        f"{PREFERENCES}/tea.md": "a file without a memory is there",
    }
    assert sandbox.bytes() == before


def test_secrets_in_a_card_are_masked(sandbox: Sandbox, source: Path) -> None:
    put(source, f"{PREFERENCES}/tea.md", text_of(f"The key is {SECRET}."))
    import_twice(sandbox, source)
    copied = sandbox.place(f"{ROOT}{PREFERENCES}/tea.md").read_text()
    assert SECRET not in copied
    assert format_card(parse_card(copied)) == copied


def test_a_repeated_import_of_an_older_copy_changes_nothing(
    sandbox: Sandbox, source: Path
) -> None:
    put(source, f"{PREFERENCES}/tea.md", text_of("I prefer tea."))
    import_foreign(sandbox.workspace(), str(source))
    place = sandbox.place(f"{ROOT}{PREFERENCES}/tea.md")
    card = parse_card(place.read_text())
    repeated = card.current._replace(time="2026-05-01T00:00:00Z")
    sandbox.write(
        f"{ROOT}{PREFERENCES}/tea.md",
        text_of("I prefer coffee.", day=5)
        + f"\n## Superseded\n\n- {repeated.time}: {repeated.text}\n"
        + f"  {repeated.sources[0]}\n",
    )
    before = place.read_bytes()
    done = import_foreign(sandbox.workspace(), str(source))
    assert done["counts"]["same"] == 1
    assert place.read_bytes() == before
