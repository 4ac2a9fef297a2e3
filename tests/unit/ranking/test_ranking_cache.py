"""A ranking is kept while the workspace would say the same, and no longer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from memory import CARD, card, commit, grounded, touched

from cuedeck.ranking.rank_files import rank
from cuedeck.ranking.ranking_cache import (
    CachedRanking,
    RankingCache,
    is_valid,
    snapshot_inputs,
)
from cuedeck.ranking.signal_scores import RankingContext

Files = dict[str, str]

FILES: Files = {
    CARD: card("src/login.py", title="Expired token", body="It must ask again.\n"),
    "src/login.py": "import kept\n\n\ndef login(person):\n    return person, 'calm'\n",
    "src/token.py": "x = 'the expired token'\n",
    "src/far.py": "pebble = 'calm'\n",
    "src/further.py": "pebble = 1\n",
}
HISTORY = [commit("Anything", touched("src/login.py"), touched("src/far.py"))]


def cached_of(files: Files) -> tuple[CachedRanking, RankingContext]:
    ground = grounded(files, HISTORY)
    return snapshot_inputs(ground, rank(ground)), ground


def asked_again(before: RankingContext, changes: Files) -> RankingContext:
    """Return what would be asked after some files changed, which the workspace knows
    of.
    """
    after = grounded(FILES | changes, HISTORY)
    return replace(after, resolver=before.resolver, pairs=before.pairs)


def holds_after(changes: Files) -> bool:
    cached, before = cached_of(FILES)
    return is_valid(cached, asked_again(before, changes), changes)


def test_nothing_changed() -> None:
    assert holds_after({})


def test_other_numbers_in_a_file_that_is_shown_say_nothing_new() -> None:
    changed = FILES["src/login.py"].replace("'calm'", "'calm', 17")
    assert holds_after({"src/login.py": changed})


@pytest.mark.parametrize(
    "changes",
    [
        {"src/token.py": FILES["src/token.py"] + "# and 17\n"},
        {"src/far.py": "pebble = 'calm'\n\n\n\n"},
        {"src/further.py": "pebble = 1  # longer, marble\n"},
    ],
)
def test_a_file_that_is_not_shown_may_change_where_it_scores_the_same(
    changes: Files,
) -> None:
    cached, before = cached_of(FILES)
    after = asked_again(before, changes)
    assert is_valid(cached, after, changes)
    assert rank(after).candidates == cached.ranking.candidates


@pytest.mark.parametrize(
    "changes",
    [
        {"src/login.py": FILES["src/login.py"].replace("import kept", "import token")},
        {"src/login.py": FILES["src/login.py"].replace("def login", "def logout")},
        {
            "src/login.py": FILES["src/login.py"].replace(
                "'calm'", "'calm', 'pebble', 'pebble'"
            )
        },
        {"src/token.py": FILES["src/token.py"] + "# pebble marble\n"},
        {"src/token.py": "# the calm\n\n" + FILES["src/token.py"]},
        {"src/further.py": "import login\n" + FILES["src/further.py"]},
        {"src/far.py": "pebble = 'the expired token'\n"},
        {
            CARD: card(
                "src/login.py", title="Expired token", body="It must never ask.\n"
            )
        },
        {
            CARD: card(
                "src/login.py",
                "src/far.py",
                title="Expired token",
                body="It must ask again.\n",
            )
        },
    ],
)
def test_what_decides_about_the_ranking_changed(changes: Files) -> None:
    assert not holds_after(changes)


def test_a_ranking_is_made_again_if_any_file_may_have_changed() -> None:
    cache, context = RankingCache(), grounded(FILES, HISTORY)
    first = cache.rank(context)
    cache.note_changes([])
    assert cache.rank(context) is first
    cache.note_changes(None)
    assert cache.rank(context) is not first


def test_another_history() -> None:
    cached, before = cached_of(FILES)
    again = asked_again(before, {})
    assert not is_valid(
        cached,
        replace(again, commits=[*HISTORY, commit("More", touched("src/far.py"))]),
        (),
    )
