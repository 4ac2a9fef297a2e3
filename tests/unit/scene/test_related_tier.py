"""The related tier as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from memory import CARD, Walked, bench, card, commit, related, tokens, touched, walked

from cuedeck.app.scene.related_files import rank_related
from cuedeck.model.commit import Commit
from cuedeck.model.scene_values import Shown
from cuedeck.scene.related_tier import OPENING

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
FILES: dict[str, str | bytes] = {
    CARD: card("src/login.py", title="Expired token", body="`verify_token` must tell it.\n"),
    "src/login.py": "from store import verify_token\n\n\ndef enter(visitor):\n    return verify_token(visitor)\n",
    "src/store.py": "def verify_token(token):\n    return token.expired\n\n\ndef keep(token):\n    return token\n",
    "tests/test_login.py": "from login import enter\n\n\ndef test_enter():\n    assert enter('x')\n",
    "docs/tokens.md": "# Tokens\n\nA token expires after a day.\n",
    "go.sum": "expired token\n",
    "logo.png": b"\0expired token",
    **{f"src/{name}.py": f"def {name}(box):\n    return box\n" for name in ("garden", "kitchen", "weather", "harbour")},
}


def show(here: Walked, room: int = 10_000, commits: Sequence[Commit] = ()) -> dict[str, Shown]:
    return {each.visit.path: each for each in related(here, commits).show(room)}


def test_what_the_task_needs_is_found_and_the_rest_is_not() -> None:
    shown = show(walked(FILES))
    assert set(shown) == {"src/store.py", "tests/test_login.py", "docs/tokens.md"}
    assert next(iter(shown)) == "src/store.py"


def test_every_file_says_why_it_is_there() -> None:
    for each in show(walked(FILES)).values():
        reason = each.head.split("\n")[1]
        assert reason.removeprefix("in full: ").startswith(each.visit.why[:5].replace("`", "'"))
        assert each.visit.why and each.visit.edge in dict(each.visit.ranks)
        assert list(each.visit.ranks) == sorted(each.visit.ranks)


def test_history_brings_what_words_do_not() -> None:
    kept = commit("Keep people in", touched("src/login.py"), touched("src/weather.py", "def weather(box):"))
    assert "src/weather.py" in show(walked(FILES), commits=[kept])


@pytest.mark.parametrize("room", [*range(0, 200, 9), 300, 500, 10_000])
def test_the_section_never_costs_more_than_its_room(room: int) -> None:
    shown = related(walked(FILES)).show(room)
    cost = tokens().count(OPENING) + sum(each.tokens for each in shown)
    assert not shown or cost <= room
    assert all(each.tokens == tokens().count(each.head) + tokens().count(each.body) for each in shown)


@pytest.mark.parametrize("most", [0, 60, 90, 200, 400, 10_000])
def test_what_it_needs_of_a_room_is_what_it_shows_in_it_or_all_of_it(most: int) -> None:
    tier = related(walked(FILES))
    shown = tier.show(most)
    cost = tokens().count(OPENING) + sum(each.tokens for each in shown) if shown else 0
    assert tier.needs(most) in (cost, most)
    assert tier.needs(10_000) < 10_000


@pytest.mark.parametrize("room", [-5, 0, 1, 20])
def test_without_room_there_is_nothing(room: int) -> None:
    assert related(walked(FILES)).show(room) == ()


def test_what_is_shown_is_a_part_of_the_candidates() -> None:
    here = walked(FILES)
    ranked = {each.path for each in rank_related(bench(here), here.visits).ranking.candidates}
    assert {each.visit.path for each in related(here).show(10_000)} <= ranked
    assert "src/login.py" not in ranked and CARD not in ranked


def test_a_card_alone_is_an_answer_too() -> None:
    assert related(walked({CARD: card()})).show(10_000) == ()
    assert related(walked({CARD: b"\xff\xfe", "a.py": "x = 1\n"})).show(10_000) == ()


def test_asked_twice_it_says_the_same() -> None:
    tier = related(walked(FILES))
    assert tier.show(200) == tier.show(200)
    assert tier.show(400) == related(walked(FILES)).show(400)


def test_what_cannot_be_shown_takes_no_place() -> None:
    files = FILES | {"src/token.txt": "token expired verify_token\n" * 15_000, "src/token/__init__.py": ""}
    assert set(show(walked(files))) == set(show(walked(FILES)))


@pytest.mark.parametrize(
    "text", ["x = 'expired token'", "x = 'expired token'\n\n\n", "\n\n# expired token\n", "\r\n# token\r\n"]
)
def test_any_end_of_a_file_is_shown(text: str) -> None:
    assert text.rsplit(maxsplit=1)[-1] in show(walked(FILES | {"src/odd.py": text}))["src/odd.py"].body


def test_a_secret_in_a_related_file_is_masked() -> None:
    each = show(walked(FILES | {"src/keys.py": f"# the expired token\nKEY = '{AWS}'\n"}))["src/keys.py"]
    assert "<secret:aws-key:1>" in each.body and AWS not in each.head + each.body


def test_a_secret_that_files_share_is_no_reason_to_tell_it() -> None:
    files = FILES | {"src/login.py": f"KEY = '{AWS}'\n", "src/keys.py": f"KEY = '{AWS}'  # again\n"}
    each = show(walked(files))["src/keys.py"]
    assert AWS.lower() not in (each.head + each.body + each.visit.why).lower()
