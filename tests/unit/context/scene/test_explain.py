from __future__ import annotations

import pytest
from sandbox import Sandbox
from seed_workspace import write_token_shop

from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.explain import why
from cuedeck.knowledge.experiences.add_experience import add_experience
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.work.decisions.create_decision import NewDecision, decide
from cuedeck.work.decisions.failed_attempts import NewAttempt, add_attempt

FIELDS = [
    "address",
    "card",
    "in_scene",
    "tier",
    "view",
    "tokens",
    "reason",
    "ranks",
    "chain",
    "referred_by",
]
FIELDS += ["rank", "of", "lost_to"]


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A card, a doc it links, and files without a link, some about the same subject."""
    rest = "".join(
        f"\n\ndef helper_{number}(value):\n    return value + {number}\n"
        for number in range(80)
    )
    head = (
        'def verify_token(token):\n    """Tell an expired token."""\n    return token\n'
    )
    return write_token_shop(sandbox, head + rest)


def set_budget(sandbox: Sandbox, tokens: int, more: str = "") -> None:
    sandbox.write(".cuedeck/config.toml", f"[scene]\nbudget = {tokens}\n{more}")


def test_related_file_has_its_reason_and_all_its_ranks(shop: Sandbox) -> None:
    answer = why(shop.workspace(), "src/login.py")
    assert list(answer) == FIELDS
    assert (answer["in_scene"], answer["tier"], answer["chain"]) == (
        True,
        "related",
        [],
    )
    assert answer["ranks"]["defines"] == 1
    assert list(answer["ranks"]) == sorted(answer["ranks"])
    assert answer["tokens"] > 0
    assert "verify_token" in answer["reason"]


def test_part_of_a_related_file_is_shown_if_its_lines_are(shop: Sandbox) -> None:
    set_budget(shop, 500)
    assert why(shop.workspace(), "src/login.py")["view"] == "section"
    there = why(shop.workspace(), "src/login.py#verify_token")
    assert there["in_scene"]
    assert there["reason"].startswith("it is part of src/login.py; ")
    some = why(shop.workspace(), "src/login.py#L1-L300")
    assert some["in_scene"]
    assert "of its 300 lines are shown; " in some["reason"]
    gone = why(shop.workspace(), "src/login.py#helper_79")
    assert (gone["in_scene"], gone["tier"], gone["reason"]) == (
        False,
        "related",
        "only other lines of src/login.py are shown",
    )
    assert gone["ranks"] == there["ranks"]


def test_ranked_file_without_room_is_reported_as_such(shop: Sandbox) -> None:
    set_budget(shop, 200)
    answer = why(shop.workspace(), "src/login.py")
    assert (answer["in_scene"], answer["tier"], answer["view"], answer["tokens"]) == (
        False,
        "related",
        None,
        None,
    )
    assert (answer["rank"], answer["lost_to"]) == (1, None)
    assert answer["reason"].startswith(f"ranked 1st of {answer['of']} related file")
    assert answer["reason"].endswith("; the budget has no room for related files")
    assert answer["ranks"]["defines"] == 1


def test_file_that_was_not_shown_names_the_last_one_shown(shop: Sandbox) -> None:
    for number in range(40):
        shop.write(
            f"src/part{number:02}.py",
            f"def part{number}():\n    return 'token {number}'\n",
        )
        for other in range(3):
            shop.write(
                f"src/other{number:02}{other}.py",
                f"def other{number}():\n    return {other}\n",
            )
    answer = [why(shop.workspace(), f"src/part{number:02}.py") for number in range(40)]
    lost = [each for each in answer if not each["in_scene"]]
    assert lost
    for each in lost:
        last = each["lost_to"]
        assert each["rank"] > last["rank"] or "no part of it fitted" in each["reason"]
        assert each["reason"].endswith(
            f"the last file shown is {last['address']} (rank {last['rank']})"
        )
        assert f"of {each['of']:,} related files (" in each["reason"]
    ranks = [each["rank"] for each in lost]
    assert len(set(ranks)) == len(ranks)
    assert max(ranks) <= lost[0]["of"]


def test_copy_of_a_related_file_names_the_original(shop: Sandbox) -> None:
    shop.write("src/login_again.py", (shop.root / "src/login.py").read_text())
    answer = {
        name: why(shop.workspace(), f"src/{name}.py")
        for name in ("login", "login_again")
    }
    first, copy = sorted(answer, key=lambda name: not answer[name]["in_scene"])
    assert answer[first]["in_scene"] and not answer[copy]["in_scene"]
    assert answer[copy]["reason"].endswith(f"; it is a copy of src/{first}.py")


def test_only_links_count_when_the_related_tier_is_off(shop: Sandbox) -> None:
    for setting in ("related = false", "related_share = 0"):
        set_budget(shop, 16_000, f"{setting}\n")
        answer = why(shop.workspace(), "src/login.py")
        assert (answer["in_scene"], answer["tier"], answer["ranks"]) == (
            False,
            None,
            {},
        )
        assert (
            answer["reason"]
            == "no link leads to it from the card, and the related tier is off"
        )


def test_linked_file_is_explained_by_its_links(shop: Sandbox) -> None:
    answer = why(shop.workspace(), "docs/auth.md")
    assert list(answer) == FIELDS
    assert (answer["tier"], answer["ranks"], answer["in_scene"]) == (
        "explicit",
        {},
        True,
    )
    assert [step["depth"] for step in answer["chain"]] == [0, 1]


def test_file_without_links_and_matches_has_no_tier(shop: Sandbox) -> None:
    answer = why(shop.workspace(), "src/garden.py")
    assert (answer["in_scene"], answer["tier"], answer["ranks"]) == (False, None, {})
    assert (answer["rank"], answer["of"]) == (None, 1)
    assert answer["lost_to"] == {"address": "src/login.py", "rank": 1}
    unlinked = "no link leads to it from the card, and no word, name, import or commit connects it with the task"
    assert answer["reason"] == f"{unlinked}; 1 other file is ranked"


@pytest.mark.parametrize("path", ["CHANGES.rst", "uv.lock", "CHANGELOG.md"])
def test_file_that_is_never_ranked_is_reported_as_such(
    shop: Sandbox, path: str
) -> None:
    shop.write(path, "login\n=====\n\nThe login form.\n")
    reason = why(shop.workspace(), path)["reason"]
    assert (
        reason.startswith("no link leads to it from the card, and ")
        and "never ranked" in reason
    )
    assert "no word, name, import or commit" not in reason


def test_distant_links_and_ranks_are_both_reported(shop: Sandbox) -> None:
    shop.write("docs/auth.md", "# Auth\n\n[on](next.md)\n")
    shop.write("docs/next.md", "# Next\n\n[on](../src/login.py)\n")
    set_budget(shop, 200, "depth = 1\n")
    answer = why(shop.workspace(), "src/login.py")
    assert answer["reason"].startswith("3 links away, and scene.depth is 1; ranked ")
    assert [each["path"] for each in answer["referred_by"]] == ["docs/next.md"]


def test_entry_is_in_the_scene_only_by_its_own_row(shop: Sandbox) -> None:
    """The address of a superseded entry used to be found in the text of a file and in
    the text of another entry.
    """
    old = decide(shop.workspace(), NewDecision("Take JWT", affects=("docs/auth.md",)))[
        "id"
    ]
    new = decide(
        shop.workspace(),
        NewDecision(
            f"Not `decision:{old}`", because=f"of (`decision:{old}`)", supersedes=old
        ),
    )
    shop.write(
        "docs/auth.md",
        f"# Auth\n\n## Memory\n\n- `decision:{old}` was it.\n- Take JWT (`decision:{old}`)\n",
    )
    failed = add_attempt(
        shop.workspace(), NewAttempt(("src/garden.py",), "a", f"b (`decision:{old}`)")
    )["id"]
    shop.write(".cuedeck/cards/aaaaaa.md", "---\nrefs: [docs/auth.md]\n---\nText.\n")
    for size in (900, 16_000):
        set_budget(shop, size)
        answer = {
            each: why(shop.workspace(), each)
            for each in (f"decision:{old}", f"decision:{new['id']}")
        }
        assert [each["in_scene"] for each in answer.values()] == [False, True]
        assert not why(shop.workspace(), f"attempt:{failed}")["in_scene"]
    shop.write(".cuedeck/cards/aaaaaa.md", "---\nrefs: [src/garden.py]\n---\n")
    assert why(shop.workspace(), f"attempt:{failed}")["in_scene"]
    assert not why(shop.workspace(), f"decision:{old}")["in_scene"]


def test_experience_that_names_a_shown_file_is_in_the_scene(shop: Sandbox) -> None:
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    texts = {
        "linked": "The gates in docs/auth.md open at nine",
        "code": "Our `docs/auth.md#Auth` was wrong twice",
        "other": "Pizza in src/pizza.py is late",
    }
    workspace = shop.workspace()
    ids = {}
    for name, text in texts.items():
        added = add_experience(workspace, memory_of(workspace), text)
        ids[name] = f"experience:{added['id']}"
    scene = make_scene(shop.workspace(), Request()).text
    assert [text in scene for text in texts.values()] == [True, False, False]
    assert "was wrong twice" in scene
    answer = why(shop.workspace(), ids["linked"])
    assert (answer["in_scene"], answer["reason"]) == (True, "it mentions docs/auth.md")
    assert why(shop.workspace(), ids["code"])["in_scene"]
    answer = why(shop.workspace(), ids["other"])
    assert not answer["in_scene"]
    assert answer["reason"].startswith("it names no file of the scene")
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = false\n")
    answer = why(shop.workspace(), ids["linked"])
    assert "`experiences.enabled`" in answer["reason"]
