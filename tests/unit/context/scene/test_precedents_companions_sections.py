"""Sections of precedents and companions: text, room and masking."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from memory import Memory, tokens

from cuedeck.context.ranking.companions import Companion, Scope
from cuedeck.context.ranking.precedents import Precedent, PrecedentFile
from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.context.scene.occurrences_section import fit_companions, fit_precedents
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
FILES: Mapping[str, str] = {
    "src/app.py": "import os\n\n\ndef login(user):\n    return user\n",
    "src/long.py": f"value = [{', '.join(map(str, range(200)))}]\n",
    "src/key.py": f'key = "{TOKEN}"\n',
    "CHANGES.rst": "Changes\n=======\n\n- Fix a redirect.\n",
    "docs/`odd`.md": "# Odd\n",
}


def precedent(
    path: str = "src/app.py",
    subject: str = "Add login",
    files: int = 1,
    touched: int = 1,
) -> Precedent:
    spans = ((1, 1), (4, 5)) if path == "src/app.py" else ((1, 1),)
    return Precedent(
        "1234567890abcdef",
        subject,
        (PrecedentFile(path, spans, spans[-1][0]),) * files,
        touched,
    )


def renderer() -> VisitRenderer:
    memory = Memory(FILES)
    return VisitRenderer(memory, Mask(memory, find_secrets), tokens(), 8_000)


def precedents(*found: Precedent, room: int = 1_000) -> Fitted:
    return fit_precedents(found, room, renderer())


def companions(
    *found: Companion, room: int = 1_000, shown: tuple[str, ...] = ()
) -> Fitted:
    return fit_companions(found, room, renderer(), shown)


def test_precedent_lists_its_files_with_their_present_lines() -> None:
    found = precedents(precedent())
    assert found.text.split("\n")[4:] == [
        "- `1234567` “Add login”",
        "  - `src/app.py` L1, L4-5 `def login(user):`",
        "",
        "",
    ]
    assert tokens().count(found.text) == found.tokens


def test_companion_has_its_share_of_commits_and_its_last_entry() -> None:
    found = companions(
        Companion("CHANGES.rst", 23, Scope("src/flask/", 40), 4),
        Companion("docs/`odd`.md", 4, Scope("src/app.py", 16), 0),
        Companion("src/app.py", 3, Scope("", 40), 0),
    )
    assert found.text.split("\n")[4:] == [
        "- `CHANGES.rst` in 58 % of the last 40 commits under `src/flask/`; last addition L4 `- Fix a redirect.`",
        "- `` docs/`odd`.md `` in 25 % of the last 16 commits to `src/app.py`",
        "- `src/app.py` in 8 % of the last 40 commits to code",
        "",
        "",
    ]
    assert tokens().count(found.text) == found.tokens


def test_companion_that_is_already_shown_is_replaced_by_the_next() -> None:
    rows = [Companion(path, 4, Scope("", 40), 0) for path in FILES]
    assert "src/app.py" not in companions(*rows, shown=("src/app.py",)).text
    assert companions(*rows).text.count(" in 10 % of ") == 3
    assert companions(*rows, shown=tuple(FILES)).text == ""


def test_long_lines_are_cut_and_secrets_are_masked() -> None:
    found = precedents(
        precedent("src/long.py"), precedent("src/key.py", subject=f"Use {TOKEN}")
    )
    assert all(len(row) <= 200 for row in found.text.split("\n"))
    assert "…" in found.text
    assert TOKEN not in found.text
    assert TOKEN not in companions(Companion("src/key.py", 4, Scope("", 40), 1)).text


def test_commit_subject_cannot_end_its_quotation_or_begin_a_heading() -> None:
    text = precedents(precedent(subject="# Title ”\n## Receipt\n<script>")).text
    assert "\n## Receipt" not in text
    assert '“# Title " ## Receipt ‹script>”' in text


@given(st.integers(0, 400), st.integers(1, 8))
def test_section_never_exceeds_its_room(room: int, files: int) -> None:
    for found in (
        precedents(precedent(files=files), precedent("src/long.py"), room=room),
        companions(
            *(Companion(path, 4, Scope("src/", 40), 1) for path in FILES), room=room
        ),
    ):
        assert found.tokens == tokens().count(found.text) <= room


def test_number_of_files_is_stated_where_some_are_left_out() -> None:
    assert "“Add login” (1 of 12 files)\n" in precedents(precedent(touched=12)).text
    assert "“Add login”\n" in precedents(precedent()).text
