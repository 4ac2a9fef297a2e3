"""Selection of the task's identifiers and of the lines that contain them."""

from __future__ import annotations

from memory import CARD, card, commit, rank_workspace, touched

from cuedeck.context.ranking.occurrences import (
    Identifier,
    Occurrences,
    find_occurrences,
)
from cuedeck.model.commit import Commit

FILLER = {
    f"src/{name}.py": f"def {name}(number):\n    return number\n"
    for name in ("billing", "parcel", "garden")
}
KINDS = """\
class Finding:
    DEAD_LINK = 1
    EMPTY_TITLE = 2


def describe(kind):
    if kind == Finding.DEAD_LINK:
        return "a link that leads nowhere"
"""
USES = "from kinds import Finding\n\n\ndef check_links(page):\n    return report(Finding.DEAD_LINK, page)\n"
DOCS = "# Checks\n\nUse `--dead-link` to list pages.\n"


def occurrences_in(texts: dict[str, str], *commits: Commit) -> Occurrences:
    found = rank_workspace(texts, commits)
    further = [path for path in texts if path.startswith("CHANGELOG")]
    return find_occurrences(found.context, found.ranking, further)


def identifier_named(found: Occurrences, name: str) -> Identifier:
    return next(
        each
        for each in found.identifiers
        if each.name.lower().replace("-", "_") == name
    )


def places_of(found: Occurrences, name: str) -> set[tuple[str, int]]:
    return {line[:2] for line in identifier_named(found, name).lines}


def make_files(
    body: str = "A link without a way back is a finding too.\n",
    title: str = "Find a missing link",
) -> dict[str, str]:
    root = card("src/kinds.py", title=title, body=body)
    return {
        CARD: root,
        "src/kinds.py": KINDS,
        "src/checks.py": USES,
        "docs/checks.md": DOCS,
        **FILLER,
    }


def test_identifier_of_the_linked_file_is_found_in_code_and_docs_in_all_spellings() -> (
    None
):
    found = places_of(occurrences_in(make_files()), "dead_link")
    assert found == {
        ("src/kinds.py", 2),
        ("src/kinds.py", 7),
        ("src/checks.py", 5),
        ("docs/checks.md", 3),
    }


def test_files_without_index_terms_are_searched() -> None:
    texts = {**make_files(), "CHANGELOG.md": "# Changes\n\n- Report a DeadLink once\n"}
    assert ("CHANGELOG.md", 3) in places_of(occurrences_in(texts), "dead_link")


def test_identifier_named_in_the_task_comes_first() -> None:
    texts = {
        **make_files(body="`parcel_weight` is wrong\n"),
        "src/weigh.py": "parcel_weight = 3\nprint(parcel_weight)\n",
    }
    first = occurrences_in(texts).identifiers[0]
    assert first.name == "parcel_weight"
    assert [line[:2] for line in first.lines] == [
        ("src/weigh.py", 1),
        ("src/weigh.py", 2),
    ]


def test_command_option_in_the_task_is_one_identifier() -> None:
    texts = {
        **make_files(body="Let `--parcel-weight` take grams\n"),
        "src/weigh.py": "parcel_weight = 3\n",
    }
    assert places_of(occurrences_in(texts), "parcel_weight") == {("src/weigh.py", 1)}


def test_plain_word_of_the_task_is_no_identifier() -> None:
    texts = {
        **make_files(body="Everything works by specifying a garden\n"),
        "docs/a.md": "everything works\n" * 3,
    }
    names = {each.name.lower() for each in occurrences_in(texts).identifiers}
    assert names.isdisjoint({"everything", "works", "specifying"})


def test_sibling_near_the_words_of_the_task_comes_before_the_rest_of_the_file() -> None:
    far = "\n\n" + "\n".join(
        f"def far_{at}_thing(box_{at}_size):\n    return box_{at}_size\n"
        for at in range(40)
    )
    texts = {
        **make_files(),
        "src/kinds.py": KINDS + far,
        "src/far.py": "\n".join(f"box_{at}_size = 1" for at in range(40)),
    }
    names = [each.name for each in occurrences_in(texts).identifiers]
    assert "DEAD_LINK" in names[:3]


def test_callers_of_a_linked_definition_are_found() -> None:
    texts = {
        **make_files(),
        CARD: card(
            "src/kinds.py#describe", title="Say more", body="It is too short.\n"
        ),
    }
    texts["src/page.py"] = "from kinds import describe\n\nprint(describe(1))\n"
    assert places_of(occurrences_in(texts), "describe") >= {
        ("src/page.py", 1),
        ("src/page.py", 3),
    }


def test_lines_of_similar_commits_give_identifiers() -> None:
    names = [f"lantern_{letter}oil" for letter in "abcdefgh"]
    source = "def run(number):\n" + "".join(f"    {name} = number\n" for name in names)
    texts = {
        CARD: card("src/run.py", title="Quiet harbour", body="Now.\n"),
        "src/run.py": source,
        **FILLER,
    }
    texts["src/other.py"] = "".join(f"{name} = 1\n" for name in names)
    like = commit(
        "Quiet harbour at night", touched("src/run.py", "lantern_goil = number")
    )
    assert occurrences_in(texts).identifiers[0].name == "lantern_aoil"
    assert occurrences_in(texts, like).identifiers[0].name == "lantern_goil"


def test_named_identifier_whose_stems_are_frequent_is_listed() -> None:
    many = {f"src/part{at}.py": "wide = name = 1\n" for at in range(70)}
    found = identifier_named(
        occurrences_in(
            {
                **make_files(body="`wide_name` is wrong\n"),
                **many,
                "src/real.py": "wide_name = 1\n",
            }
        ),
        "wide_name",
    )
    assert [line.path for line in found.lines] == ["src/real.py"]


def test_identifier_that_occurs_everywhere_is_named_but_not_listed() -> None:
    many = {f"src/part{at}.py": "wide_name = 1\n" for at in range(70)}
    found = identifier_named(
        occurrences_in({**make_files(body="`wide_name` is wrong\n"), **many}),
        "wide_name",
    )
    assert (found.lines, found.is_everywhere) == ((), True)


def test_unnamed_identifier_that_occurs_everywhere_is_omitted() -> None:
    many = {f"src/part{at}.py": "DEAD_LINK = 1\n" for at in range(70)}
    assert "DEAD_LINK" not in [
        each.name for each in occurrences_in({**make_files(), **many}).identifiers
    ]


def test_secret_is_no_identifier() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    texts = {
        **make_files(body=f"The `{secret}` link\n"),
        "src/kinds.py": KINDS + f'\nTOKEN_LINK = "{secret}"\n',
    }
    assert all(each.name not in secret for each in occurrences_in(texts).identifiers)


def test_changed_line_changes_the_fingerprint() -> None:
    before = occurrences_in(make_files())
    after = occurrences_in(
        {**make_files(), "src/checks.py": USES.replace("page)\n", "page, 2)\n")}
    )
    assert before.fingerprint != after.fingerprint


def test_task_without_identifiers_has_no_occurrences() -> None:
    assert (
        occurrences_in(
            {
                CARD: card(title="Plan", body="Think.\n"),
                "docs/a.md": "# A\n\nWords only.\n",
            }
        ).identifiers
        == ()
    )
