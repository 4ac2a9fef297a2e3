"""Baseline systems of the scene benchmark."""

from __future__ import annotations

import re

import pytest
from small_history import History

from benchmarks.process import Launch
from benchmarks.scenes.baselines import BASELINES
from benchmarks.scenes.baselines.bm25 import rank, words
from benchmarks.scenes.fill import fill
from benchmarks.scenes.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    folder = str(tmp_path_factory.mktemp("launch"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", "")
        return Vocabulary(Launch(folder).vocabulary)


def headings_of(history: History, system: str) -> list[str]:
    pieces = BASELINES[system](history.case, history.snapshot)
    return [found[1] for piece in pieces if (found := re.match(r"## (\S+)\n\n", piece))]


def test_pack_begins_with_the_entry_and_continues_by_path(history: History) -> None:
    rest = ["docs/guide.md", "shop/__init__.py", "shop/price.py", "tests/test_main.py"]
    assert headings_of(history, "repomix") == ["shop/main.py", *rest]


def test_files_are_ranked_by_words_of_the_card(history: History) -> None:
    assert headings_of(history, "bm25-files")[0] == "shop/price.py"
    assert "shop/main.py" not in headings_of(history, "bm25-files")


def test_functions_are_separate_pieces(history: History) -> None:
    first = next(BASELINES["bm25-functions"](history.case, history.snapshot))
    assert first.startswith("## shop/price.py\n\ndef price_of_basket(basket):\n")
    assert "unrelated_discount" not in first


def test_imports_count_in_both_directions_with_imported_files_first(
    history: History,
) -> None:
    assert headings_of(history, "imports") == ["shop/price.py", "tests/test_main.py"]
    first = next(BASELINES["imports"](history.case, history.snapshot))
    assert (
        first
        == "## shop/price.py\n\ndef price_of_basket(basket):\ndef unrelated_discount(basket):\n\n"
    )


def test_commits_of_few_files_have_a_higher_weight(history: History) -> None:
    assert headings_of(history, "cochange")[:2] == ["docs/guide.md", "shop/price.py"]
    first = next(BASELINES["cochange"](history.case, history.snapshot))
    assert first == "## docs/guide.md\n\n# Guide\n## Refunds\n\n"


def test_identifiers_are_split_into_words() -> None:
    assert words("loadFile x load") == {"load": 2, "file": 1, "loadfile": 1, "x": 1}


def test_rare_words_and_short_documents_rank_higher() -> None:
    documents = {
        "long": words("rare " + "common " * 50),
        "short": words("rare common"),
        "none": words("common"),
    }
    assert rank(["rare"], documents) == ["short", "long"]
    assert rank(["rare", "common"], documents)[0] == "short"
    assert rank(["absent"], documents) == []


def test_pieces_that_do_not_fit_are_skipped(vocabulary: Vocabulary) -> None:
    assert fill(["a b c ", "d " * 20, "e "], 8, vocabulary) == "a b c e "
    assert vocabulary.count(vocabulary.cut("word " * 50, 8)) == 8


def test_first_piece_is_included_even_if_it_does_not_fit(
    vocabulary: Vocabulary,
) -> None:
    assert fill(["a " * 20, "b"], 8, vocabulary) == "a " * 20
    assert fill([], 8, vocabulary) == ""
