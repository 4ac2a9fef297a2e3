from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.diagnostic import Level
from cuedeck.parse.frontmatter import FrontMatter, split_front_matter


def split(text: str) -> FrontMatter:
    return split_front_matter("x.md", text)


def test_scalars_stay_text_as_written() -> None:
    """Ids such as `123456` were read as numbers and dropped."""
    text = "---\na: 123456\nb: no\nc: 2026-01-01\nd: 12:30:45\ne: null\nf: 0x1F\ng: ~\nh:\ni: [1, on]\n---\n"
    values = split(text).values
    assert values == {
        "a": "123456",
        "b": "no",
        "c": "2026-01-01",
        "d": "12:30:45",
        "e": "null",
        "f": "0x1F",
        "g": "~",
        "h": "",
        "i": ["1", "on"],
    }


def test_it_is_cut_off_with_true_line_numbers() -> None:
    text = "---\ntitle: T\n# note\nrefs:\n  - a\n\n  - b\n...\nbody\n"
    found = split(text)
    assert (found.body, text[found.offset :]) == (9, "body\n")
    assert found.lines == {"title": 2, "refs": 4}
    assert found.ref_lines == (5, 7)


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\n---\ntitle: no\n---\n", "\n---\ntitle: no\n---\n", " ---\ntitle: no\n---\n", "----\ntitle: no\n---\n",
    ],
)  # fmt: skip
def test_a_pair_of_rules_further_down_is_no_front_matter(text: str) -> None:
    """The pattern of the first version was not anchored: an update deleted the text
    before such a pair.
    """
    assert split(text) == split("")


def test_a_value_may_hold_dashes() -> None:
    text = "---\na: x --- y\nb: |\n  ---\n  more\n---\nbody"
    found = split(text)
    assert found.values == {"a": "x --- y", "b": "---\nmore\n"}
    assert found.body == 7


def test_a_document_that_begins_with_a_rule_has_no_front_matter() -> None:
    assert split("---\n\nfirst slide\n\n---\n\nsecond\n") == split("")
    assert split("---\nplain text, never closed\n") == split("")


@pytest.mark.parametrize(
    ("yaml", "line", "hint"),
    [
        ("title: x\nassignee: @me\n", 3, "cannot begin with @"),
        ("id: a\ntitle: Fix: the login\nx: 1\n", 3, "contains `: `"),
        ("x: 1\ntags: [a, b\ny: 2\n", 3, "close the bracket"), ('x: 1\ntitle: "open\ny: 2\n', 3, "close the quote"),
        ("x: 1\n\ty: 2\n", 3, "no tabs"), ("title:x\nstatus: todo\n", 2, "blank after the colon"),
        ("a: 1\nloose words\nb: 2\n", 3, "key: value"), ("a: *b\n", 2, "cannot begin with *"),
        ("a: \x07\n", 2, "remove the character"), ("a: 'x\u2028 y'\nb: @c\n", 3, "cannot begin with @"),
    ],
)  # fmt: skip
def test_broken_yaml_names_its_line_and_the_way_out(
    yaml: str, line: int, hint: str
) -> None:
    """A card with `@assignee` or `: ` in a title was dropped; a diagnostic must name
    the line to correct.
    """
    found = split_front_matter("x.md", f"---\n{yaml}---\nbody\n", "error")
    (diagnostic,) = found.diagnostics
    assert (diagnostic.code, diagnostic.line, diagnostic.level) == (
        "bad-yaml",
        line,
        "error",
    )
    assert hint in diagnostic.hint
    assert found.broken
    assert found.body == yaml.count("\n") + 3


def test_an_unclosed_front_matter_loses_no_text() -> None:
    found = split("---\ntitle: x\n\n# Head\n")
    assert [(each.code, each.line) for each in found.diagnostics] == [
        ("unclosed-front-matter", 1)
    ]
    assert (found.broken, found.body, found.offset) == (True, 1, 0)


def test_yaml_that_is_no_mapping_counts_as_text() -> None:
    found = split("---\n- a\n- b\n---\n")
    assert [(each.code, each.line) for each in found.diagnostics] == [
        ("not-a-mapping", 2)
    ]
    assert (found.broken, found.body) == (True, 1)


def test_of_equal_keys_the_last_counts_and_is_reported() -> None:
    found = split("---\na: 1\nb: 2\na: 3\n---\n")
    assert found.values["a"] == "3"
    assert [(each.code, each.line) for each in found.diagnostics] == [
        ("duplicate-key", 4)
    ]
    assert not found.broken


@pytest.mark.parametrize(
    "yaml",
    [
        "a: " + "[" * 40_000 + "]" * 40_000, "- " * 40_000 + "x", "a: " + "{b: " * 9_000, "x: 1\n" * 30_000,
    ],
)  # fmt: skip
def test_yaml_made_to_exhaust_the_reader_is_only_broken(yaml: str) -> None:
    found = split(f"---\n{yaml}\n---\n")
    assert found.diagnostics[0].code == "bad-yaml"


def test_nested_aliases_stay_small() -> None:
    rows = ["a0: &a0 [x, x]"] + [
        f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)
    ]
    assert len(split("---\n" + "\n".join(rows) + "\n---\n").values) == 60
    assert split("---\na: &a [*a]\n---\n").values.keys() == {"a"}


def test_rows_are_those_of_the_file_not_of_yaml() -> None:
    found = split("---\na: 'x\u2028y\x85z'\nrefs: [b]\n---\n")
    assert (found.lines["refs"], found.ref_lines) == (3, (3,))


def test_values_of_another_shape_are_reported() -> None:
    found = split("---\ntitle: [x]\ntags: {a: b}\naliases: [x, [y]]\nother: {}\n---\n")
    bad = found.misfits("x.md", ("title",), ("tags", "aliases"))
    assert [(each.code, each.line) for each in bad] == [
        ("bad-value", 2),
        ("bad-value", 3),
        ("bad-value", 4),
    ]


def test_lists_may_be_written_as_one_text() -> None:
    found = split("---\ntags: a, b ,\naliases: A, B\nkeys: [x, ' ', y]\n---\n")
    assert found.texts("tags", commas=True) == ("a", "b")
    assert found.texts("aliases") == ("A, B",)
    assert found.texts("keys") == ("x", "y")


@given(st.text("-.\n :[]{}'\"#&*ab|>\t@,?"))
def test_no_text_between_the_rules_raises(text: str) -> None:
    found = split(f"---\n{text}\n---\nbody")
    assert 1 <= found.body <= text.count("\n") + 4
    assert all(1 <= line for line in found.lines.values())


_SECOND = "---\ntitle: A\n---\n\n---\nstatus: done\nrefs:\n  - a.md\n---\ntext\n"
_CONFLICT = "---\ntitle: A\n<<<<<<< HEAD\nstatus: todo\n=======\nstatus: done\n>>>>>>> theirs\n---\n"


@pytest.mark.parametrize(
    ("text", "level", "expected"),
    [
        (_SECOND, "error", [(5, "second-front-matter")]), (_SECOND, "warning", [(5, "second-front-matter")]),
        ("\n# A\n---\nstatus: done\n---\n", "error", [(3, "second-front-matter")]),
        ("---\nid: a\n---\n```\n---\nstatus: done\n---\n```\n", "error", []),
        ("---\ntitle: A\n---\ntext\n\n---\ntitle: B\n---\n", "warning", []),
        ("---\ntitle: A\n---\n---\nlayout: cover\n---\n", "warning", []), (_CONFLICT, "error", [(3, "conflict")]),
        ("---\ntitle: A\n---\n\n" + _CONFLICT[13:-4], "error", [(5, "conflict")]),
        ("```\n" + _CONFLICT[13:-4] + "```\n", "warning", []),
    ],
)  # fmt: skip
def test_lost_blocks_and_conflicts_are_named(
    text: str, level: Level, expected: list[tuple[int, str]]
) -> None:
    found = split_front_matter("a.md", text, level).diagnostics
    assert [(each.line, each.code) for each in found] == expected
    assert {each.level for each in found} <= {level}
