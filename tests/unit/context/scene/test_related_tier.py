"""The related tier: selection, passages, listed lines and masking."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from memory import (
    CARD,
    WalkedWorkspace,
    card,
    commit,
    ranking_inputs,
    related_tier,
    tokens,
    touched,
    walk_files,
)

from cuedeck.context.ranking.line_pieces import STOP, CandidatePool, Piece, PricedFile
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.rank_files import Candidate
from cuedeck.context.scene.related_files import rank_related
from cuedeck.context.scene.related_tier import (
    LISTED_OPENING,
    OPENING,
    RelatedPart,
    RelatedTier,
)
from cuedeck.context.scene.visit_heading import VisitRenderer, entry_tokens
from cuedeck.model.commit import Commit
from cuedeck.model.scene_values import Shown
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
FILES: dict[str, str | bytes] = {
    CARD: card(
        "src/login.py", title="Expired token", body="`verify_token` must tell it.\n"
    ),
    "src/login.py": "from store import verify_token\n\n\ndef enter(visitor):\n    return verify_token(visitor)\n",
    "src/store.py": "def verify_token(token):\n    return token.expired\n\n\ndef keep(token):\n    return token\n",
    "tests/test_login.py": "from login import enter\n\n\ndef test_enter():\n    assert enter('x')\n",
    "docs/tokens.md": "# Tokens\n\nA token expires after a day.\n",
    "go.sum": "expired token\n",
    "logo.png": b"\0expired token",
    **{
        f"src/{name}.py": f"def {name}(box):\n    return box\n"
        for name in ("garden", "kitchen", "weather", "harbour")
    },
}


def related_files(
    here: WalkedWorkspace, room: int = 10_000, commits: Sequence[Commit] = ()
) -> dict[str, Shown]:
    """Return the files with passages and the listed ones."""
    part = related_tier(here, commits).show(room)
    return {each.visit.path: each for each in (*part.nodes, *part.listed)}


def cost_of(part: RelatedPart) -> int:
    """Return the tokens of a related part with its map lines, each counted from its
    text.
    """
    count = tokens().count
    pieces = [
        OPENING,
        *(text for each in part.nodes for text in (each.head, each.body)),
    ]
    pieces += [LISTED_OPENING, listing(part)] if part.listed else []
    assert list(part.pieces) == (pieces if part.shown else [])
    rows = [entry_tokens(each.entry, tokens()) for each in part.nodes]
    return sum(map(count, part.pieces)) + sum(rows)


def listing(part: RelatedPart) -> str:
    return part.pieces[-1] if part.listed else ""


def test_only_files_that_the_task_needs_are_found() -> None:
    shown = related_files(walk_files(FILES))
    assert set(shown) == {"src/store.py", "tests/test_login.py", "docs/tokens.md"}
    assert next(iter(shown)) == "src/store.py"


def test_every_file_has_a_reason() -> None:
    for each in related_tier(walk_files(FILES)).show(10_000).nodes:
        reason = each.head.split("\n")[1]
        assert reason.removeprefix("in full: ").startswith(
            each.visit.why[:5].replace("`", "'")
        )
        assert each.visit.why and each.visit.edge in dict(each.visit.ranks)
        assert list(each.visit.ranks) == sorted(each.visit.ranks)


def test_commit_history_finds_files_that_words_do_not() -> None:
    kept = commit(
        "Keep people in",
        touched("src/login.py"),
        touched("src/weather.py", "def weather(box):"),
    )
    assert "src/weather.py" in related_files(walk_files(FILES), commits=[kept])


def test_passages_leave_room_for_lines_of_further_files() -> None:
    long = {
        f"src/token_{at}.py": "".join(
            f"def expired_{at}_{n}(token):\n    return verify_token(token, {n})\n\n\n"
            for n in range(40)
        )
        for at in range(12)
    }
    part = related_tier(walk_files(FILES | long)).show(900)
    assert part.nodes
    assert len(part.listed) >= 2
    assert cost_of(part) <= 900


@pytest.mark.parametrize("room", [-5, 0, 1, 20])
def test_no_room_shows_nothing(room: int) -> None:
    assert related_tier(walk_files(FILES)).show(room) == RelatedPart()


def test_card_without_refs_has_no_related_files() -> None:
    assert related_tier(walk_files({CARD: card()})).show(10_000) == RelatedPart()
    assert (
        related_tier(walk_files({CARD: b"\xff\xfe", "a.py": "x = 1\n"})).show(10_000)
        == RelatedPart()
    )


def test_files_that_cannot_be_shown_take_no_room() -> None:
    files = FILES | {
        "src/token.txt": "token expired verify_token\n" * 15_000,
        "src/token/__init__.py": "",
    }
    assert set(related_files(walk_files(files))) == set(
        related_files(walk_files(FILES))
    )


@pytest.mark.parametrize(
    "text",
    [
        "x = 'expired token'",
        "x = 'expired token'\n\n\n",
        "\n\n# expired token\n",
        "\r\n# token\r\n",
    ],
)
def test_last_line_of_any_file_is_shown(text: str) -> None:
    part = related_tier(walk_files(FILES | {"src/odd.py": text})).show(10_000)
    node = "".join(each.body for each in part.nodes if each.visit.path == "src/odd.py")
    row = "".join(
        row for row in listing(part).split("\n") if row.startswith("src/odd.py:")
    )
    assert text.rsplit(maxsplit=1)[-1] in node + row


MANY: dict[str, str] = {
    CARD: card(title="Expired token", body="`verify_token` must tell it.\n"),
    **{
        f"src/filler{at:02}.py": f"def filler_{at}(box):\n    return box\n"
        for at in range(300)
    },
    **{
        f"src/store{at:02}.py": f"# the expired token{' of a very long line' * (at > 9) * 200}\nimport os\n\n\n"
        f"def keep_{at}():\n"
        + "".join(f"    step_{at}_{n} = something_long({n})\n" for n in range(30))
        for at in range(40)
    },
}


def test_best_files_without_a_passage_are_listed_as_path_line_and_text() -> None:
    here = walk_files(MANY)
    ranked = [
        each.path
        for each in rank_related(
            ranking_inputs(here), here.visits, {}
        ).ranking.candidates
    ]
    listed = 0
    for room in range(200, 3_000, 200):
        part = related_tier(here).show(room)
        assert cost_of(part) <= room
        nodes = {each.visit.path for each in part.nodes}
        paths = [each.visit.path for each in part.listed]
        rest = [path for path in ranked if path not in nodes]
        assert len(paths) <= 10 and not nodes & set(paths)
        assert paths == [path for path in rest if path in paths]
        rows = listing(part).split("\n")[1:-3]
        assert len(rows) == len(paths)
        for row, each in zip(rows, part.listed, strict=True):
            path, line, text = row.split(":", 2)
            assert (path, (int(line), int(line))) == (each.visit.path, each.lines)
            whole = here.memory.text(path).split("\n")[int(line) - 1].strip()
            assert whole.startswith(text.strip().removesuffix("…"))
            assert (each.view, each.entry, each.head, each.body) == ("line", "", "", "")
        listed = max(listed, len(paths))
    assert listed


def test_listed_line_is_short_on_one_line_and_masked() -> None:
    rows = f"# the expired token {AWS} " + "long row " * 500
    files = MANY | {f"src/store{at:02}.py": f"{rows} {at}\n" for at in range(40)}
    part = related_tier(walk_files(files)).show(1_600)
    assert part.listed and AWS not in "".join(part.pieces)
    for row in listing(part).split("\n")[1:-3]:
        assert len(row) <= 200 and "<secret:aws-key:1>" in row


def test_second_scene_numbers_secrets_of_listed_lines_as_the_first() -> None:
    """A rejected passage took the first number, but only while it was not cached."""
    other = "AKIA" + "Z5MPQ3WXYT7RNKD4"
    rows = ["# a row", *(f"long_row_{at} = '{AWS}'" for at in range(60))]
    here = walk_files(
        {
            CARD: card(),
            "src/a.py": "\n".join(rows) + "\n",
            "src/b.py": f"KEY = '{other}'\n",
        }
    )
    files = [
        PricedFile(
            Candidate(path, 2.0, {"text": 1}, "text", "why"),
            "source",
            path,
            lines,
            [9.0] * len(lines),
        )
        for path, lines in (("src/a.py", rows), ("src/b.py", [f"KEY = '{other}'"]))
    ]
    room = 300
    pieces = [
        Piece("src/a.py", (1,), STOP + 9),
        Piece("src/a.py", tuple(range(2, 62)), STOP + 8),
    ]
    pool = CandidatePool(files, pieces)
    memo = Memo()
    texts = []
    for _ in range(2):
        mask = Mask(here.memory, find_secrets)
        renderer = VisitRenderer(here.memory, mask, tokens(), 8_000)
        tier = RelatedTier(pool, here.visits[0], renderer, memo)
        texts.append("".join(tier.show(room).pieces))
    assert texts[0] == texts[1]
    assert "src/b.py:1: KEY = '<secret:aws-key:" in texts[0]
