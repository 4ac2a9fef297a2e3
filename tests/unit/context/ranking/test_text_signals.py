"""Signals from the words of the card and of its sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memory import CARD, card, ranking_context

from cuedeck.context.ranking.signal_scores import RankingContext, SignalScores
from cuedeck.context.ranking.text_signals import (
    by_chunk,
    by_definition,
    by_focus,
    by_name,
    by_path,
    by_sources,
    by_text,
)

FILLER = {
    f"src/{name}.py": f"def {name}(box):\n    return open_{name}(box)\n"
    for name in (
        "billing",
        "parcel",
        "garden",
        "kitchen",
        "weather",
        "harbour",
        "museum",
    )
}


def signal_scores(
    signal: Callable[[RankingContext], SignalScores],
    root: str,
    files: Mapping[str, str],
) -> SignalScores:
    return signal(ranking_context({CARD: root, **FILLER, **files}))


def ranked_paths(found: SignalScores) -> list[str]:
    """Return the files with a positive score, best first."""
    return sorted(
        (path for path, value in found.scores.items() if value > 0),
        key=lambda path: -found.scores[path],
    )


TOKEN = card(title="Expired token", body="The form must ask again.\n")


def test_path_with_a_word_of_the_card_is_ranked() -> None:
    files = {
        "src/token.py": "x = 1\n",
        "src/a/b/token_form.py": "x = 1\n",
        "src/other.py": "token\n",
    }
    found = signal_scores(by_path, TOKEN, files)
    assert set(ranked_paths(found)) == {"src/token.py", "src/a/b/token_form.py"}
    assert found.why("src/token.py") == "path contains `token`"
    assert found.why("src/a/b/token_form.py") == "path contains `token`, `form`"


def test_file_name_outweighs_folder_and_short_path_outweighs_deep_path() -> None:
    scores = signal_scores(
        by_path,
        TOKEN,
        {"src/token.py": "", "src/token/x.py": "", "src/a/b/c/token.py": ""},
    ).scores
    assert scores["src/token.py"] > scores["src/token/x.py"]
    assert scores["src/token.py"] > scores["src/a/b/c/token.py"]


def test_file_with_a_definition_named_in_the_card_is_ranked() -> None:
    root = card(title="A slow start", body="`Store.verify_token` is slow.\n")
    files = {
        "src/a.py": "class A:\n    def verify_token(self):\n        pass\n",
        "src/b.py": "verify_token()\n",
        "src/c.py": "class Store:\n    pass\n",
    }
    found = signal_scores(by_definition, root, files)
    assert set(ranked_paths(found)) == {"src/a.py", "src/c.py"}
    assert found.why("src/a.py") == "defines `verify_token` named in the task"


def test_definition_in_many_files_scores_lower_in_each() -> None:
    root = card(title="A slow start", body="`verify` and `walk`\n")
    files = {f"src/m{at}.py": "def walk():\n    pass\n" for at in range(4)}
    found = signal_scores(
        by_definition, root, {"src/a.py": "def verify():\n    pass\n", **files}
    )
    assert ranked_paths(found)[0] == "src/a.py"
    assert 0 < found.scores["src/m0.py"] < found.scores["src/a.py"]


def test_definition_and_section_names_with_words_of_the_card_are_ranked() -> None:
    files = {
        "src/a.py": "def ask_token():\n    pass\n",
        "docs/b.md": "# The token\n\nText.\n",
        "src/c.py": "def go():\n    return token\n",
    }
    found = signal_scores(by_name, TOKEN, files)
    assert set(ranked_paths(found)) == {"src/a.py", "docs/b.md"}
    assert found.why("docs/b.md") == "definitions contain `token`"


def test_text_with_words_of_the_card_is_ranked() -> None:
    files = {
        "src/a.py": "# the expired token\n",
        "src/b.py": "# a token\n",
        "src/c.py": "# nothing\n",
    }
    found = signal_scores(by_text, TOKEN, files)
    assert ranked_paths(found) == ["src/a.py", "src/b.py"]
    assert found.why("src/a.py") == "contains `Expired`, `token`"
    assert found.why("src/b.py") == "contains `token`"


def test_words_of_the_card_close_together_are_ranked() -> None:
    lines = "filler = 1\n" * 120
    files = {
        "src/apart.py": f"# expired\n{lines}# token\n",
        "src/near.py": f"{lines}# expired token\n",
    }
    found = signal_scores(by_chunk, TOKEN, files)
    assert ranked_paths(found) == ["src/near.py", "src/apart.py"]
    assert found.why("src/near.py") == "contains close together: `Expired`, `token`"


def test_words_far_from_one_another_are_not_reported_as_close_together() -> None:
    lines = "filler = 1\n" * 120
    found = signal_scores(
        by_chunk, TOKEN, {"src/apart.py": f"# expired\n{lines}# token form\n"}
    )
    assert found.why("src/apart.py") == "contains close together: `form`, `token`"


SOURCE = "def enter(person):\n    return cookie_jar(person)\n\n\ndef paint(lantern):\n    return lantern\n"


def test_text_with_words_of_the_sources_is_ranked() -> None:
    root = card("src/login.py", title="A slow start")
    files = {
        "src/login.py": SOURCE,
        "src/a.py": "person = cookie_jar\n",
        "src/b.py": "lantern = 2\n",
    }
    found = signal_scores(by_sources, root, files)
    assert found.scores["src/a.py"] > found.scores["src/b.py"] > 0
    assert found.why("src/b.py") == "shares with linked files: `lantern`"
    assert "src/garden.py" not in ranked_paths(found)


def test_text_with_words_of_the_matching_part_of_a_source_is_ranked() -> None:
    root = card("src/login.py", title="Enter")
    files = {
        "src/login.py": SOURCE,
        "src/a.py": "person = 1\n",
        "src/b.py": "lantern = paint\n",
    }
    found = signal_scores(by_focus, root, files)
    assert "src/a.py" in ranked_paths(found) and "src/b.py" not in ranked_paths(found)
    assert found.why("src/a.py") == "shares with linked passages: `person`"


def test_reason_names_the_rarest_words_as_the_card_spells_them() -> None:
    root = card(title="Token of the LanternStore in the form")
    files = {"src/a.py": "token = LanternStore(form)\n", "src/b.py": "form\n"}
    found = signal_scores(
        by_text, root, files | {f"src/m{at}.py": "token = 1\n" for at in range(5)}
    )
    assert found.why("src/a.py").startswith("contains `LanternStore`, ")


def test_reason_names_an_identifier_only_if_all_of_it_occurs() -> None:
    """A file that contains a part of an identifier used to be reported with the whole
    identifier.
    """
    root = card(title="Slow LanternStore and keep_harbours")
    files = {
        "src/whole.py": "def open(LanternStore):\n    pass\n",
        "src/part.py": "def open_lantern(harbours):\n    pass\n",
        "src/lantern.py": "x = 1\n",
        "src/lantern_store.py": "x = 1\n",
        "src/LanternStore.py": "x = 1\n",
    }
    ground = ranking_context({CARD: root, **FILLER, **files})
    assert by_text(ground).why("src/whole.py") == "contains `LanternStore`"
    assert by_text(ground).why("src/part.py") == "contains `Lantern`, `harbours`"
    assert by_name(ground).why("src/part.py") == "definitions contain `Lantern`"
    assert by_path(ground).why("src/lantern.py") == "path contains `Lantern`"
    assert (
        by_path(ground).why("src/lantern_store.py")
        == "path contains `Lantern`, `Store`"
    )
    assert by_path(ground).why("src/LanternStore.py") == "path contains `LanternStore`"
