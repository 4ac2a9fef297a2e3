"""Cached results are used as long as new ones would be equal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from memory import CARD, card, commit, ranking_context, touched

from cuedeck.context.ranking import memo as memo_module
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.rank_files import RankingCache

Files = dict[str, str]

LOGIN = "import kept\n\n\ndef login(person):\n    return person, 'calm'\n"
FILES: Files = {
    CARD: card("src/login.py", title="Expired token", body="It must ask again.\n"),
    "src/login.py": LOGIN,
    "src/token.py": "x = 'the expired token'\n",
    "src/far.py": "pebble = 'calm'\n",
}
HISTORY = [commit("Anything", touched("src/login.py"), touched("src/far.py"))]


def is_valid_after(changes: Files) -> bool:
    before = ranking_context(FILES, HISTORY)
    cache = RankingCache()
    first = cache.rank(before)
    after = ranking_context(FILES | changes, HISTORY)
    after = replace(after, resolver=before.resolver, pairs=before.pairs)
    cache.note_changes(changes)
    return cache.rank(after) is first


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"src/login.py": LOGIN.replace("'calm'", "'calm', 17")},
        {"src/token.py": "the expired token again\n"},
    ],
)
def test_edit_of_words_that_no_signal_reads_keeps_the_ranking(changes: Files) -> None:
    assert is_valid_after(changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"src/login.py": LOGIN.replace("import kept", "import token")},
        {"src/login.py": LOGIN.replace("def login", "def logout")},
        {"src/login.py": LOGIN.replace("'calm'", "'calm', 'pebble', 'pebble'")},
        {"src/token.py": "the expired, expired token\n"},
        {CARD: card("src/login.py", title="Expired token", body="Never ask.\n")},
        {CARD: card("src/login.py", "src/far.py", title="Expired token", body="It")},
    ],
)
def test_change_that_may_affect_the_ranking_makes_a_new_one(changes: Files) -> None:
    assert not is_valid_after(changes)


def test_ranking_is_computed_again_if_any_file_may_have_changed() -> None:
    cache, context = RankingCache(), ranking_context(FILES, HISTORY)
    first = cache.rank(context)
    assert cache.rank(context) is first
    cache.note_changes(None)
    assert cache.rank(context) is not first


def test_new_commit_makes_a_new_ranking() -> None:
    cache, context = RankingCache(), ranking_context(FILES, HISTORY)
    first = cache.rank(context)
    more = [*HISTORY, commit("More", touched("src/far.py"))]
    assert cache.rank(replace(context, commits=more)) is not first


def test_result_is_reused_while_its_inputs_are_equal() -> None:
    memo = Memo()
    first = memo.get("words", "a", ("hash", 1), list)
    assert memo.get("words", "a", ("hash", 1), list) is first
    assert memo.get("lines", "a", ("hash", 1), list) is not first
    assert memo.get("words", "a", ("hash", 2), list) is not first
    memo.forget("words", "a")
    memo.forget("words", "unknown")
    assert memo.get("words", "a", ("hash", 2), list) is not first


def test_least_recently_used_result_of_a_kind_is_dropped_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memo_module, "_MOST", 2)
    memo = Memo()
    results = {name: memo.get("words", name, 0, list) for name in "ab"}
    assert memo.get("words", "a", 0, list) is results["a"]
    memo.get("words", "c", 0, list)
    assert memo.get("words", "a", 0, list) is results["a"]
    assert memo.get("words", "b", 0, list) is not results["b"]
