"""What the words of the card and of its sources say of other files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memory import CARD, card, grounded

from cuedeck.ranking.signal_scores import RankingContext, SignalScores
from cuedeck.ranking.text_signals import (
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


def evidence(
    signal: Callable[[RankingContext], SignalScores],
    root: str,
    files: Mapping[str, str],
) -> SignalScores:
    return signal(grounded({CARD: root, **FILLER, **files}))


def best(found: SignalScores) -> list[str]:
    """Return the files that a signal knows, best first."""
    return sorted(
        (path for path, value in found.scores.items() if value > 0),
        key=lambda path: -found.scores[path],
    )


TOKEN = card(title="Expired token", body="The form must ask again.\n")


def test_a_path_that_says_a_word_of_the_card() -> None:
    files = {
        "src/token.py": "x = 1\n",
        "src/a/b/token_form.py": "x = 1\n",
        "src/other.py": "token\n",
    }
    found = evidence(by_path, TOKEN, files)
    assert set(best(found)) == {"src/token.py", "src/a/b/token_form.py"}
    assert found.why("src/token.py") == "its path says `token`"
    assert found.why("src/a/b/token_form.py") == "its path says `token`, `form`"


def test_the_name_of_a_file_says_more_than_its_folder_and_near_the_top_more_than_deep() -> (
    None
):
    scores = evidence(
        by_path,
        TOKEN,
        {"src/token.py": "", "src/token/x.py": "", "src/a/b/c/token.py": ""},
    ).scores
    assert scores["src/token.py"] > scores["src/token/x.py"]
    assert scores["src/token.py"] > scores["src/a/b/c/token.py"]


def test_a_definition_that_the_card_names() -> None:
    root = card(title="A slow start", body="`Store.verify_token` is slow.\n")
    files = {
        "src/a.py": "class A:\n    def verify_token(self):\n        pass\n",
        "src/b.py": "verify_token()\n",
        "src/c.py": "class Store:\n    pass\n",
    }
    found = evidence(by_definition, root, files)
    assert set(best(found)) == {"src/a.py", "src/c.py"}
    assert found.why("src/a.py") == "defines `verify_token` named in the card"


def test_a_name_that_many_files_define_says_less_of_each() -> None:
    root = card(title="A slow start", body="`verify` and `walk`\n")
    files = {f"src/m{at}.py": "def walk():\n    pass\n" for at in range(4)}
    found = evidence(
        by_definition, root, {"src/a.py": "def verify():\n    pass\n", **files}
    )
    assert best(found)[0] == "src/a.py"
    assert 0 < found.scores["src/m0.py"] < found.scores["src/a.py"]


def test_words_of_the_card_in_the_names_of_definitions_and_sections() -> None:
    files = {
        "src/a.py": "def ask_token():\n    pass\n",
        "docs/b.md": "# The token\n\nText.\n",
        "src/c.py": "def go():\n    return token\n",
    }
    found = evidence(by_name, TOKEN, files)
    assert set(best(found)) == {"src/a.py", "docs/b.md"}
    assert found.why("docs/b.md") == "names `token`"


def test_words_of_the_card_in_the_text() -> None:
    files = {
        "src/a.py": "# the expired token\n",
        "src/b.py": "# a token\n",
        "src/c.py": "# nothing\n",
    }
    found = evidence(by_text, TOKEN, files)
    assert best(found) == ["src/a.py", "src/b.py"]
    assert found.why("src/a.py") == "has `Expired`, `token`"
    assert found.why("src/b.py") == "has `token`"


def test_words_of_the_card_close_together() -> None:
    lines = "filler = 1\n" * 120
    files = {
        "src/apart.py": f"# expired\n{lines}# token\n",
        "src/near.py": f"{lines}# expired token\n",
    }
    found = evidence(by_chunk, TOKEN, files)
    assert best(found) == ["src/near.py", "src/apart.py"]
    assert found.why("src/near.py") == "has together `Expired`, `token`"


SOURCE = "def enter(person):\n    return cookie_jar(person)\n\n\ndef paint(lantern):\n    return lantern\n"


def test_words_that_the_sources_use() -> None:
    root = card("src/login.py", title="A slow start")
    files = {
        "src/login.py": SOURCE,
        "src/a.py": "person = cookie_jar\n",
        "src/b.py": "lantern = 2\n",
    }
    found = evidence(by_sources, root, files)
    assert found.scores["src/a.py"] > found.scores["src/b.py"] > 0
    assert found.why("src/b.py") == "shares `lantern`"
    assert "src/garden.py" not in best(found)


def test_words_of_the_part_of_a_source_that_the_card_is_about() -> None:
    root = card("src/login.py", title="Enter")
    files = {
        "src/login.py": SOURCE,
        "src/a.py": "person = 1\n",
        "src/b.py": "lantern = paint\n",
    }
    found = evidence(by_focus, root, files)
    assert "src/a.py" in best(found) and "src/b.py" not in best(found)
    assert found.why("src/a.py") == "shares `person`"


def test_a_reason_names_the_rarest_words_as_the_card_spells_them() -> None:
    root = card(title="Token of the LanternStore in the form")
    files = {"src/a.py": "token = LanternStore(form)\n", "src/b.py": "form\n"}
    found = evidence(
        by_text, root, files | {f"src/m{at}.py": "token = 1\n" for at in range(5)}
    )
    assert found.why("src/a.py").startswith("has `LanternStore`, ")


def test_a_reason_names_an_identifier_only_where_the_whole_of_it_stands() -> None:
    """Once a file that has a part of an identifier was said to have the identifier."""
    root = card(title="Slow LanternStore and keep_harbours")
    files = {
        "src/whole.py": "def open(LanternStore):\n    pass\n",
        "src/part.py": "def open_lantern(harbours):\n    pass\n",
        "src/lantern.py": "x = 1\n",
        "src/lantern_store.py": "x = 1\n",
        "src/LanternStore.py": "x = 1\n",
    }
    ground = grounded({CARD: root, **FILLER, **files})
    assert by_text(ground).why("src/whole.py") == "has `LanternStore`"
    assert by_text(ground).why("src/part.py") == "has `Lantern`, `harbours`"
    assert by_name(ground).why("src/part.py") == "names `Lantern`"
    assert by_path(ground).why("src/lantern.py") == "its path says `Lantern`"
    assert (
        by_path(ground).why("src/lantern_store.py")
        == "its path says `Lantern`, `Store`"
    )
    assert by_path(ground).why("src/LanternStore.py") == "its path says `LanternStore`"


def test_a_card_without_words_leads_nowhere() -> None:
    root = card(title="1", body="")
    for signal in (
        by_path,
        by_definition,
        by_name,
        by_text,
        by_chunk,
        by_sources,
        by_focus,
    ):
        assert not best(evidence(signal, root, {"src/a.py": "token = 1\n"}))
