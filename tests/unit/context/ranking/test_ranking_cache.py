"""A cached ranking is valid as long as the workspace would give an equal one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from memory import CARD, card, commit, ranking_context, touched

from cuedeck.context.ranking.rank_files import rank
from cuedeck.context.ranking.ranking_cache import (
    CachedRanking,
    RankingCache,
    is_valid,
    snapshot_inputs,
)
from cuedeck.context.ranking.signal_scores import RankingContext

Files = dict[str, str]

FILES: Files = {
    CARD: card("src/login.py", title="Expired token", body="It must ask again.\n"),
    "src/login.py": "import kept\n\n\ndef login(person):\n    return person, 'calm'\n",
    "src/token.py": "x = 'the expired token'\n",
    "src/far.py": "pebble = 'calm'\n",
    "src/further.py": "pebble = 1\n",
}
HISTORY = [commit("Anything", touched("src/login.py"), touched("src/far.py"))]


def rank_and_snapshot(files: Files) -> tuple[CachedRanking, RankingContext]:
    ground = ranking_context(files, HISTORY)
    return snapshot_inputs(ground, rank(ground)), ground


def changed_context(before: RankingContext, changes: Files) -> RankingContext:
    """Return the ranking context after some files have changed."""
    after = ranking_context(FILES | changes, HISTORY)
    return replace(after, resolver=before.resolver, pairs=before.pairs)


def is_valid_after(changes: Files) -> bool:
    cached, before = rank_and_snapshot(FILES)
    return is_valid(cached, changed_context(before, changes), changes)


def test_cached_ranking_is_valid_without_changes() -> None:
    assert is_valid_after({})


def test_changed_numbers_in_a_linked_file_keep_the_ranking_valid() -> None:
    changed = FILES["src/login.py"].replace("'calm'", "'calm', 17")
    assert is_valid_after({"src/login.py": changed})


@pytest.mark.parametrize(
    "changes",
    [
        {"src/token.py": FILES["src/token.py"] + "# and 17\n"},
        {"src/far.py": "pebble = 'calm'\n\n\n\n"},
        {"src/further.py": "pebble = 1  # longer, marble\n"},
    ],
)
def test_change_without_effect_on_scores_keeps_the_ranking_valid(
    changes: Files,
) -> None:
    cached, before = rank_and_snapshot(FILES)
    after = changed_context(before, changes)
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
def test_change_with_effect_on_the_ranking_invalidates_it(changes: Files) -> None:
    assert not is_valid_after(changes)


def test_ranking_is_computed_again_if_any_file_may_have_changed() -> None:
    cache, context = RankingCache(), ranking_context(FILES, HISTORY)
    first = cache.rank(context)
    cache.note_changes([])
    assert cache.rank(context) is first
    cache.note_changes(None)
    assert cache.rank(context) is not first


def test_new_commit_invalidates_the_ranking() -> None:
    cached, before = rank_and_snapshot(FILES)
    again = changed_context(before, {})
    assert not is_valid(
        cached,
        replace(again, commits=[*HISTORY, commit("More", touched("src/far.py"))]),
        (),
    )
