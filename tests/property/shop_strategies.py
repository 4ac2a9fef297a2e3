"""Hypothesis strategies for small workspaces: modules that import each other, their
tests, docs and a card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hypothesis import strategies as st
from memory import CARD, card

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
PASSWORD = "s3cr3tPa55word"
SECRETS = (AWS, PASSWORD)
NAMES = ("token", "login", "parcel", "garden", "harbour", "lantern", "museum")
WORDS = st.sampled_from(
    [*NAMES, "expired", "visitor", "cookie_jar", "verify_token", "größe", "設計文書"]
)
TITLES = st.sampled_from(
    [
        "Expired token",
        "The login form",
        "Parcel and harbour",
        "`verify_token` is slow",
        "Rotate " + AWS,
    ]
)


class Language(NamedTuple):
    """Paths of a module and its test, and templates of a definition, an import and a
    comment.
    """

    path: str
    test: str
    definition: Callable[[str, str], str]
    take: Callable[[str], str]
    remark: str
    workspace: dict[str, str]


LANGUAGES = {
    "python": Language(
        "shop/{}.py",
        "tests/test_{}.py",
        lambda name, body: f"def {name}_step(value):\n{body}    return value\n\n\n",
        lambda other: f"from shop.{other} import {other}_step\n",
        "#",
        {"shop/__init__.py": ""},
    ),
    "typescript": Language(
        "web/{}.ts",
        "web/{}.test.ts",
        lambda name, body: (
            f"export function {name}Step(value: string) {{\n{body}    return value;\n}}\n\n"
        ),
        lambda other: f'import {{ {other}Step }} from "./{other}";\n',
        "//",
        {},
    ),
    "go": Language(
        "{0}/{0}.go",
        "{0}/{0}_test.go",
        lambda name, body: (
            f"func {name.title()}Step(value string) string {{\n{body}\treturn value\n}}\n\n"
        ),
        lambda other: f'import "example.org/shop/{other}"\n',
        "//",
        {"go.mod": "module example.org/shop\n"},
    ),
    "rust": Language(
        "src/{}.rs",
        "tests/{}.rs",
        lambda name, body: (
            f"pub fn {name}_step(value: &str) -> &str {{\n{body}    value\n}}\n\n"
        ),
        lambda other: f"use crate::{other}::{other}_step;\n",
        "//",
        {"Cargo.toml": '[package]\nname = "shop"\n'},
    ),
}
EXTRAS = st.sampled_from(
    [
        "",
        "",
        "    {} = {}(value)\n",
        "    {} = {}\n" * 12,
        "{r} {} and {}\n",
        "{r} ````\n{r} 9…\n",
        "{r} " + "word " * 120 + "\n",
        f'    key = "{AWS}"\n',
        f"{{r}} postgres://me:{PASSWORD}@host/db\n",
        "\n",
    ]
)
NOISE = {
    "go.sum": "expired token\n",
    "dist/token.js": "token = 1\n",
    "logo.png": "\0token",
}


@st.composite
def modules(
    draw: st.DrawFn, language: Language, names: Sequence[str]
) -> dict[str, str]:
    """Draw a module for each name, some with tests and docs."""
    files = dict(language.workspace)
    for name in names:
        others = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
        head = "".join(language.take(other) for other in others if other != name)
        steps = draw(
            st.lists(st.sampled_from([name, *NAMES[:3]]), min_size=1, max_size=3)
        )
        text = (
            head
            + "\n"
            + "".join(language.definition(step, draw(body(language))) for step in steps)
        )
        package = f"package {name}\n\n" if language is LANGUAGES["go"] else ""
        files[language.path.format(name)] = package + text
        if draw(st.booleans()):
            files[language.test.format(name)] = (
                package + language.take(name) + draw(body(language))
            )
        if draw(st.booleans()):
            files[f"docs/{name}.md"] = (
                f"# The {name}\n\n{draw(page())}\n## More\n\n{draw(page())}"
            )
    return files


@st.composite
def body(draw: st.DrawFn, language: Language) -> str:
    """Draw lines of a definition."""
    rows = draw(st.lists(EXTRAS, max_size=4))
    return "".join(
        _fill_row(row, draw(WORDS), draw(WORDS), language.remark) for row in rows
    )


def _fill_row(row: str, one: str, other: str, remark: str) -> str:
    return row.replace("{r}", remark).replace("{}", one, 1).replace("{}", other)


@st.composite
def page(draw: st.DrawFn) -> str:
    """Draw a paragraph."""
    words = draw(st.lists(WORDS, min_size=1, max_size=12))
    return " ".join(words) + draw(
        st.sampled_from([".\n", "\n\n```\nfenced\n```\n", f" {AWS}\n", "\n" * 3])
    )


@st.composite
def shops(draw: st.DrawFn, secrets: bool = True) -> dict[str, str | bytes]:
    """Draw a workspace in one language with a card that has one ref."""
    language = LANGUAGES[draw(st.sampled_from(sorted(LANGUAGES)))]
    names = draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=7, unique=True))
    files = draw(modules(language, names))
    linked = draw(st.sampled_from([*sorted(files), "docs/"]))
    files[CARD] = card(linked, title=f'"{draw(TITLES)}"', body=draw(page()))
    return files | draw(st.sampled_from([{}, NOISE]))
