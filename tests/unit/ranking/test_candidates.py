"""What may be shown of candidates, and the line that tells a file from the others."""

from __future__ import annotations

from memory import CARD, Memory, card, ranked

from cuedeck.ranking.candidates import CandidatePool, build_candidates, copies

SAME = "def check_token(value):\n    return value.token_of_the_shop\n"
FILES = {
    CARD: card("src/login.py", title="Expired token of the shop"),
    "src/login.py": "def login():\n    pass\n",
    "shop/token_one.py": SAME + "    # only the first file says so\n",
    "shop/token_two.py": SAME + "    # only the second file says so\n",
    "shop/far.py": "pebble = 1\n",
    "shop/further.py": "pebble = 2\n",
}


def stock(**files: str) -> CandidatePool:
    ground, ranking = ranked(FILES | files)
    return build_candidates(ground, ranking, Memory(FILES | files), None)


def test_the_telling_line_of_a_file_stands_in_no_other() -> None:
    told = {
        path: each.sized.lines[each.sized.telling - 1].strip()
        for path, each in stock().items.items()
        if each.sized.telling
    }
    assert told["shop/token_one.py"] == "# only the first file says so"
    assert told["shop/token_two.py"] == "# only the second file says so"


def test_every_candidate_with_text_is_in_stock_in_the_order_of_the_ranking() -> None:
    here = stock()
    order = [each.path for each in here.ranking.candidates]
    assert list(here.items) == [path for path in order if path in here.items] and len(here.items) == 4


def test_a_copy_of_what_is_shown_or_stands_before_it_is_not_shown() -> None:
    # A file and a symbolic link to it stood in one scene with the same lines.
    same = "def login():\n    return expired_token\n"
    files = {"src/login.py": same, "shop/login.py": same, "shop/copied.py": FILES["shop/token_one.py"]}
    ground, ranking = ranked(FILES | files)
    items = build_candidates(ground, ranking, Memory(FILES | files), None).items
    better, worse = [each.path for each in ranking.candidates if each.path in ("shop/copied.py", "shop/token_one.py")]
    assert better in items and worse not in items
    assert copies(ground, ranking) == {"shop/login.py": "src/login.py", worse: better}


def test_what_did_not_change_is_kept() -> None:
    ground, ranking = ranked(FILES)
    first = build_candidates(ground, ranking, Memory(FILES), None)
    assert build_candidates(ground, ranking, Memory(FILES), first) is first
    second = build_candidates(ground, ranking, Memory(FILES | {"shop/far.py": "pebble = 3\n"}), first)
    changed = [path for path, item in second.items.items() if item is not first.items[path]]
    assert changed == ["shop/far.py"]


def test_a_small_room_makes_sure_of_fewer_files() -> None:
    here = stock()
    small, large = here.ladder(100), here.ladder(8_000)
    assert small is not large and large is here.ladder(7_999)
    assert len(small.pieces) < len(large.pieces)
