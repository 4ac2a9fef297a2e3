"""A merge with a memory file of another program adds each new line once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from foreign_memory import SECRET, import_twice, put, record, rows_of

if TYPE_CHECKING:
    from sandbox import Sandbox

TITLE = "# MEMORY.md — Long-term memory"
BLOCK = "```sh\n# install\nmake\n```\n"


def merged(sandbox: Sandbox, source: Path, known: str, text: str) -> str:
    """Return the text that an import appends to MEMORY.md."""
    sandbox.write(".cuedeck/MEMORY.md", known)
    put(source, "MEMORY.md", text)
    import_twice(sandbox, source)
    found = sandbox.place(".cuedeck/MEMORY.md").read_text()
    assert found.startswith(known)
    return found.removeprefix(known)


@pytest.mark.parametrize(
    ("known", "text", "wanted"),
    [
        ("mine\n", "mine\n\nyours\nmine\n", "yours\n"),
        ("text without an end", "one\n", "\none\n"),
        (f"{TITLE}\n\n{record('a', 'one')}\n", f"{TITLE}\nAbout.\n---\nlast\n", "last\n"),
        ("x\n", f"{record('a', 'one')}\n- {{broken\n", f"{record('a', 'one')}\n"),
        (f"{BLOCK}after\n", f"{BLOCK}```sh\nmake\n```\n", "```sh\nmake\n```\n"),
        ("make\n", "```\nnot closed\nmake\n", "```\nnot closed\n"),
        ("x\n", "~~~\n# no heading\n\n~~~\nx\n", "~~~\n# no heading\n\n~~~\n"),
    ],
)  # fmt: skip
def test_what_the_file_lacks_is_appended(
    sandbox: Sandbox, tmp_path: Path, known: str, text: str, wanted: str
) -> None:
    assert merged(sandbox, tmp_path / "foreign", known, text) == wanted


def test_a_new_file_has_the_records_and_the_lines_in_their_order(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    body = f"{record('a', 'one')}\n\nprose\n\nprose\n"
    text = f"{TITLE}\n\nAbout this file.\n\n---\n\n{body}"
    assert merged(sandbox, tmp_path / "foreign", "", text).endswith(f"---\n\n{body}")


def test_a_changed_record_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    source = tmp_path / "foreign"
    known = f"{record('a', 'one')}\n"
    assert merged(sandbox, source, known, f"{record('a', 'two')}\n") == ""
    refused = rows_of(import_twice(sandbox, source), "refused")
    assert refused["MEMORY.md#L1"][1] == "record a has other content here"


def test_a_record_without_id_gets_one_and_secrets_are_masked(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    text = f'- {{"text":"one {SECRET}","tags":["a"]}}\nthe key is {SECRET}\n'
    added = merged(sandbox, tmp_path / "foreign", "x\n", text)
    assert SECRET not in added
    assert added.count("<secret:") == 2
    assert added.startswith('- {"id":"')
    assert '"tags":["a"]' in added
