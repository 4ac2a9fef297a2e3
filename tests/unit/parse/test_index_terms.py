"""Index terms of a file, and the files without any."""

from __future__ import annotations

from dataclasses import replace

import pytest
from memory import CARD, LetterCounter, Memory, build, card

from cuedeck.context.scene.idle_scene import render_idle
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.model.file import Symbol
from cuedeck.parse.index_terms import (
    DEFINED,
    IMPORTED,
    NAME,
    PATH,
    PROJECT,
    IndexTerms,
    build_index_terms,
    defined_key,
    import_keys,
    is_noise,
    path_terms,
    read_words,
)
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask
from cuedeck.parse.text_decoding import decode
from cuedeck.text.words import terms

SOURCE = """\
from shop.models import Token as T, User
import os.path


class TokenStore:
    def verify_token(self, value):
        return value
"""


def facts(path: str, text: str | bytes = "some words\n") -> IndexTerms | None:
    data = text.encode() if isinstance(text, str) else text
    return build_index_terms(parse_file(path, data), decode(data).text)


def fields(path: str, text: str) -> dict[str, int]:
    found = facts(path, text)
    assert found is not None
    return found.counts


def terms_of(path: str, text: str, field: str) -> dict[str, int]:
    return {
        term.removeprefix(field): times
        for term, times in fields(path, text).items()
        if term.startswith(field)
    }


def test_a_file_is_found_by_the_names_of_its_definitions() -> None:
    assert terms_of("src/a.py", SOURCE, NAME) == {
        "token": 2,
        "store": 1,
        "verifi": 1,
        "=tokenstore": 1,
        "=verify_token": 1,
    }
    assert terms_of("src/a.py", SOURCE, DEFINED) == {"tokenstore": 1, "verify_token": 1}


def test_a_page_is_found_by_its_headings() -> None:
    assert terms_of(
        "docs/a.md", "# Expired tokens\n\ntext\n\n## Retries: tokens\n", NAME
    ) == {"expir": 1, "token": 2, "retri": 1}


def test_a_file_is_found_by_its_path_and_more_by_its_name() -> None:
    assert path_terms("src/login_form/token-store.py") == {
        "src": 1,
        "login": 1,
        "form": 1,
        "token": 2,
        "store": 2,
        "py": 1,
        "=token_store": 1,
    }


def test_a_file_is_found_by_its_possible_imports() -> None:
    assert terms_of("src/a.py", SOURCE, IMPORTED).keys() == {
        "shop",
        "models",
        "token",
        "user",
        "os",
        "path",
    }
    assert terms_of(
        "src/a.ts", 'import { B } from "../my-lib/url";\n', IMPORTED
    ).keys() == {"my-lib", "url", "b"}
    assert terms_of("src/a.rs", "use crate::book::Page;\n", IMPORTED).keys() >= {
        "crate",
        "book",
        "page",
    }


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("src/shop/models.py", ("models", "shop")), ("src/shop/__init__.py", ("__init__", "shop")),
        ("web/url/index.ts", ("index", "url")), ("src/Book.test.ts", ("book", "src")), ("main.go", ("main",)),
        ("url/url.go", ("url",)), ("web/.eslintrc.js", ("eslintrc", "web")),
    ],
)  # fmt: skip
def test_a_file_is_imported_by_its_name_or_that_of_its_folder(
    path: str, keys: tuple[str, ...]
) -> None:
    assert import_keys(path) == keys


def test_a_definition_is_known_by_its_own_name() -> None:
    assert (
        defined_key("Login.__verify_Token")
        == defined_key("verify_token")
        == "verify_token"
    )


def test_a_file_with_import_roots_is_marked() -> None:
    assert (
        fields("tsconfig.json", '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}')[
            PROJECT
        ]
        == 1
    )
    assert PROJECT not in fields("src/a.py", SOURCE)


def test_a_file_is_found_by_every_word_of_its_text() -> None:
    found = facts("src/a.py", SOURCE)
    assert found is not None
    assert terms(SOURCE).items() <= found.counts.items()


def test_the_figures_of_a_file() -> None:
    found = facts("src/a.py", SOURCE)
    assert found is not None
    words = read_words(parse_file("src/a.py", SOURCE.encode()), SOURCE)
    assert found.length == sum(chunk.words for chunk in words.chunks)
    assert found.names == 6


@pytest.mark.parametrize("path", [CARD, "go.sum", "LICENSE", ".github/a.md"])
def test_cards_and_noise_are_never_looked_for(path: str) -> None:
    assert facts(path) is None


def test_a_binary_file_has_no_terms() -> None:
    assert facts("logo.png", b"\0") is None


def test_a_copied_scene_is_not_a_document() -> None:
    scene = build({CARD: card("src/a.py"), "src/a.py": SOURCE})
    assert facts("docs/scene.md", scene.text) is None
    assert facts("scene.txt", scene.text.replace("\n", "\r\n")) is None
    memory = Memory({})
    renderer = VisitRenderer(memory, Mask(memory, find_secrets), LetterCounter(), 2_000)
    idle = render_idle([("a.md", "todo", "A")], renderer, "0")
    assert facts("docs/idle.md", idle.text) is None
    assert facts("docs/scene.md", "# Scene: what it is\n\nText.\n") is not None


def test_a_very_long_text_is_found_by_its_path_alone() -> None:
    found = facts("src/tables.txt", "word of data\n" * 40_000)
    assert found is not None
    assert found.length == 0
    assert found.counts[PATH + "tabl"] == 2


@pytest.mark.parametrize("half", [f"a{chr(code)}b" for code in (0xD800, 0xDFFF)])
def test_half_of_a_surrogate_pair_can_be_stored(half: str) -> None:
    text = f"{half} is here\n"
    symbol = Symbol(half, "function", 1, 1, half, 1, "")
    found = build_index_terms(
        replace(parse_file("src/a.py", b"here\n"), symbols=(symbol,)), text
    )
    assert found is not None
    assert found.terms.encode()


@pytest.mark.parametrize(
    "path",
    [
        "Cargo.lock", "package-lock.json", "web/pnpm-lock.yaml", "go.sum", "requirements-dev.txt", "CHANGELOG.md",
        "docs/Changes.rst", "HISTORY", "news/1234.bugfix", "docs/release-notes/1.0.md", "releases.json", "LICENSE",
        "LICENSE-APACHE-2.0", "crates/x/LICENCE.md", "COPYING.LESSER", "AUTHORS", "NOTICE.txt", "maintainers.yml",
        "vendor/github.com/x/y.go", "web/node_modules/a/index.js", "dist/app.js", "locale/de/messages.po",
        "app/__snapshots__/a.ts.snap", "pkg/api.pb.go", "pkg/api_pb2.py", "static/app.min.js", "logo.svg",
        "data/people.csv", ".github/workflows/ci.yml", "web/.eslintrc.js", ".cuedeck/cards/2a9f1x.md",
        ".cuedeck/docs/.draft.md", ".cuedeck/docs/CHANGELOG.md",
    ],
)  # fmt: skip
def test_files_that_change_with_everything_are_not_ranked(path: str) -> None:
    assert is_noise(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/auth.py", "README.md", "docs/guide.md", ".cuedeck/docs/auth.md", "Makefile", "Cargo.toml",
        "src/builder/mod.rs", "src/vendors.ts", "src/distance.go", "docs/requirements.md", "src/block.py",
        "src/snapshot.rs",
    ],
)  # fmt: skip
def test_other_files_are_none(path: str) -> None:
    assert not is_noise(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/history.py", "app/models/authors.rb", "web/news.ts", "notice.go", "src/license_check.rs",
        "noticeboard.md",
    ],
)  # fmt: skip
def test_a_module_may_be_called_like_a_change_log_or_a_licence(path: str) -> None:
    assert not is_noise(path)
