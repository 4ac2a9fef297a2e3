"""A repository of three commits and a case about the fourth, for the benchmarks of
scenes.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from plain_git import git

from benchmarks.scenes.cases import Case, Definition
from benchmarks.scenes.snapshot import Snapshot

MAIN = """from shop.price import price_of_basket


def checkout(basket):
    return price_of_basket(basket)
"""
PRICE = """def price_of_basket(basket):
    total_of_all_rows = sum(basket)
    return total_of_all_rows


def unrelated_discount(basket):
    return 0
"""
TEST = """from shop.main import checkout


def test_checkout_of_nothing():
    assert checkout([]) == 0
"""
GUIDE = "# Guide\n\nHow to pay.\n\n## Refunds\n\nWrite a letter.\n"
FILES = {
    "docs/guide.md": GUIDE,
    "shop/__init__.py": "",
    "shop/main.py": MAIN,
    "shop/price.py": PRICE,
    "tests/test_main.py": TEST,
}


class History(NamedTuple):
    """A clone and a case in it."""

    root: Path
    before: str
    """The commit before the one the case begins at."""
    case: Case
    snapshot: Snapshot


def make(root: Path) -> tuple[str, str]:
    """Make the repository; return its newest commit and the one before."""
    root.mkdir()
    git(root, "init", "-q", "-b", "main", "--template=")
    for path, text in FILES.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    (root / "logo.bin").write_bytes(b"\0\1")
    _commit(root, "Begin")
    _append(root, "shop/main.py", "# one\n")
    _append(root, "shop/price.py", "# one\n")
    before = _commit(root, "Round prices")
    _append(root, "shop/main.py", "# two\n")
    _append(root, "docs/guide.md", "\nTwo.\n")
    return _commit(root, "Tell of it"), before


def case(parent: str) -> Case:
    """Return a case: a commit of `shop/main.py` that also changed the price and the
    test.
    """
    return Case(
        id="shop-1",
        repo="some+shop",
        parent=parent,
        title="Sum rows of a basket",
        body="",
        entry="shop/main.py",
        targets=("shop/price.py", "tests/test_main.py"),
        hunks={
            "shop/main.py": [(4, 5)],
            "shop/price.py": [(2, 3)],
            "tests/test_main.py": [(5, 5)],
        },
        definitions={
            "shop/main.py": (Definition("def checkout(basket):", "checkout"),),
            "shop/price.py": (
                Definition("def price_of_basket(basket):", "price_of_basket"),
            ),
            "tests/test_main.py": (
                Definition(
                    "def test_checkout_of_nothing():", "test_checkout_of_nothing"
                ),
            ),
        },
    )


def _append(root: Path, path: str, text: str) -> None:
    with (root / path).open("a", encoding="utf-8") as file:
        file.write(text)


def _commit(root: Path, message: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")
