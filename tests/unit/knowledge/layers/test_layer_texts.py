"""Layers of documents, sources, conversations, memories and folders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from word_count import WordCount

from cuedeck.knowledge.layers.document_layers import (
    SourceText,
    document_layers,
    source_layers,
)
from cuedeck.knowledge.layers.folder_layers import FolderChild, folder_layers
from cuedeck.knowledge.layers.layer_file import LayerPair
from cuedeck.knowledge.layers.timeline_layers import (
    Message,
    text_layers,
    timeline_layers,
)
from cuedeck.model.file import Symbol
from cuedeck.text.keywords import keyword_line

COUNT = WordCount()
WORDS = st.text("abcdefgh .!?`#-*[]()_|\n\u4e2d\u6587\u00e9<>&:/", max_size=400)
NUMBERED = " ".join(f"Fact {number} is about topic{number}." for number in range(700))


def fits(pair: LayerPair) -> bool:
    return COUNT.count(pair.abstract) <= 100 and COUNT.count(pair.overview) <= 2_000


def source(path: str, text: str, *symbols: Symbol, doc: str = "") -> SourceText:
    signatures = [f"def {symbol.name}()" for symbol in symbols]
    return SourceText(path, text, doc, symbols, signatures, "python")


def symbol(name: str, doc: str = "", kind: str = "function") -> Symbol:
    return Symbol(name, kind, 1, 2, f"def {name}()", 1, doc)


@given(st.text(max_size=60), WORDS, st.integers(1, 40))
def test_limits_hold_for_every_kind(title: str, text: str, times: int) -> None:
    body = text * times
    messages = [Message(f"m{at}", "09:15", title, text) for at in range(times)]
    document = document_layers(title, body, COUNT)
    assert fits(document)
    assert fits(text_layers(title, body, COUNT))
    assert fits(timeline_layers(title, messages, COUNT))
    assert fits(source_layers(source("a.py", body, doc=title), COUNT))
    children = [FolderChild(f"n{at}", document) for at in range(times)]
    assert fits(folder_layers(title, children, COUNT))


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, 50, 700])
def test_large_inputs_fit(size: int) -> None:
    symbols = [symbol(f"name_{at}", f"Return part {at}. More.") for at in range(size)]
    assert fits(source_layers(source("a.py", "x\n" * size, *symbols), COUNT))
    messages = [Message(f"m{at}", "", "user", f"Topic {at}.") for at in range(size)]
    assert fits(timeline_layers("day", messages, COUNT))
    pair = LayerPair("Title — lead", NUMBERED[:1_500])
    children = [FolderChild(f"n{at}.md", pair) for at in range(size)]
    assert fits(folder_layers("many", children, COUNT))
    body = "".join(f"## Heading {at}\n\nText {at}.\n\n" for at in range(size))
    assert fits(document_layers("Many", body, COUNT))


def test_a_document_begins_with_title_lead_and_headings() -> None:
    body = (
        "# Guide\n\n[![b](b.svg)](ci)\n\n> [!NOTE]\n> Beta.\n\n"
        "This guide explains how to deploy the server. More follows.\n\n"
        "## Install\n\nText.\n\n### Linux\n\nText.\n\n## Use\n\nText.\n"
    )
    assert document_layers("Guide", body, COUNT).abstract == (
        "Guide — Beta.\nSections: Install; Use"
    )


def test_an_abstract_is_never_a_bare_heading() -> None:
    body = "# Guide\n\n```\ncode\n```\n"
    assert document_layers("Guide", body, COUNT).abstract == (
        "Guide\n5 lines without prose"
    )
    assert document_layers("Guide", "", COUNT).abstract == "Guide\nempty"


def test_a_short_document_is_its_own_overview() -> None:
    pair = document_layers("T", "# T\n\nOne.\n", COUNT)
    assert pair.is_whole and pair.overview == "# T\n\nOne."


def test_a_long_document_keeps_every_main_heading_and_its_lead() -> None:
    parts = [
        f"## Part {at}\n\nLead {at} here. {NUMBERED[:6_000]}\n" for at in range(20)
    ]
    overview = document_layers("T", "\n".join(parts), COUNT).overview
    for at in range(20):
        assert f"## Part {at}\nLead {at} here." in overview


def test_a_source_begins_with_its_doc_and_public_names() -> None:
    symbols = [
        symbol("LIMIT", kind="constant"),
        symbol("_hidden"),
        symbol("Login", "One login."),
        symbol("Login.verify", "Check a token. Slowly."),
    ]
    text = "value = compute(token)\n" * 400
    pair = source_layers(
        source("src/auth.py", text, *symbols, doc="Log users in. More."), COUNT
    )
    assert pair.abstract == (
        "src/auth.py — Log users in.\nDefines: Login, verify, LIMIT, _hidden"
    )
    assert "def Login()  # One login.\n" in pair.overview
    assert "def Login.verify()  # Check a token.\n" in pair.overview
    assert pair.overview.endswith("Keywords: compute, value")


def test_a_source_without_definitions_is_shown_as_text() -> None:
    pair = source_layers(source("a.toml", "[a]\nb = 1\n"), COUNT)
    assert pair.overview == "# a.toml\n\n```python\n[a]\nb = 1\n```"
    assert pair.is_whole


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    pair = source_layers(source("a.txt", "```\nx\n```"), COUNT)
    assert "````python" in pair.overview


def test_keywords_say_something_new_and_keep_their_order() -> None:
    text = "verify_token verify_token verify budget budget budget the of"
    assert keyword_line(text, COUNT, 50) == "Keywords: budget, verify_token"
    assert keyword_line(text, COUNT, 50, {"budget"}) == "Keywords: verify_token"
    assert keyword_line("", COUNT, 50) == ""


def test_a_conversation_keeps_statements_and_cites_messages() -> None:
    messages = [
        Message("m1", "09:15", "user", "Hi there! Thanks. How are you?"),
        Message(
            "m2", "09:16", "assistant", "The release moved to Friday, 21 November."
        ),
        Message("m3", "09:17", "user", "Great. Ana tests the importer in Lisbon."),
    ]
    pair = timeline_layers("2026-11-22", messages, COUNT)
    assert pair.abstract.startswith("2026-11-22: 3 messages by user, assistant\n")
    assert "assistant: The release moved to Friday, 21 November." in pair.abstract
    assert "Ana tests the importer in Lisbon." in pair.abstract
    assert pair.overview.splitlines()[2:] == [
        "- 09:15 user: Hi there! Thanks. How are you? [m1]",
        "- 09:16 assistant: The release moved to Friday, 21 November. [m2]",
        "- 09:17 user: Great. Ana tests the importer in Lisbon. [m3]",
    ]


def test_a_long_conversation_marks_what_is_left_out() -> None:
    filler = "Yes. Thanks. " * 40
    text = f"We decided to use SQLite. {filler} The backup runs in Lisbon at night."
    messages = [Message(f"m{at}", "", "user", text + NUMBERED) for at in range(3)]
    overview = timeline_layers("day", messages, COUNT).overview
    assert "We decided to use SQLite. … " in overview


def test_a_memory_shows_kind_and_key() -> None:
    pair = text_layers("preference: editor", "Ana uses Vim.", COUNT)
    assert pair.abstract == "preference: editor — Ana uses Vim."


def test_hard_line_breaks_do_not_cut_a_sentence() -> None:
    text = f"The cause was a\nfirewall rule of Ana. {NUMBERED}"
    assert "a firewall rule of Ana." in text_layers("case", text, COUNT).abstract


def test_a_folder_lifts_lines_and_citations_of_folders_below() -> None:
    day = timeline_layers(
        "2026-11-22", [Message("m1", "09:15", "user", "We chose SQLite.")], COUNT
    )
    month = folder_layers("2026-11", [FolderChild("22/", day)], COUNT)
    year = folder_layers("timeline", [FolderChild("2026-11/", month)], COUNT)
    assert year.abstract == (
        "timeline: 1 folder\n- 2026-11/22/ — user: We chose SQLite."
    )
    assert "09:15 user: We chose SQLite. [2026-11/22/m1]" in year.overview


def test_each_child_gets_a_part_of_the_overview() -> None:
    talkative = LayerPair("A — a", NUMBERED)
    quiet = LayerPair("B — b", "The quiet one says little. It says it once.")
    pair = folder_layers(
        "both", [FolderChild("a.md", talkative), FolderChild("b.md", quiet)], COUNT
    )
    assert "The quiet one says little." in pair.overview
    assert "+1 more" not in pair.overview


def test_a_folder_is_described_by_its_index_file() -> None:
    index = source_layers(
        source("engine/__init__.py", "", doc="Use cases of the program. More."), COUNT
    )
    other = source_layers(
        source("app/run.py", "x = 1\n", doc="Start the server."), COUNT
    )
    app = folder_layers(
        "app", [FolderChild("__init__.py", index), FolderChild("run.py", other)], COUNT
    )
    assert app.abstract.startswith("app: 2 files — Use cases of the program.\n")
    top = folder_layers("src", [FolderChild("app/", app)], COUNT)
    assert top.abstract == "src: 1 folder\n- app/ — Use cases of the program."
    assert top.overview.splitlines()[2:] == [
        "- app/ — Use cases of the program.",
        "- app/run.py — Start the server.",
    ]
    above = folder_layers("all", [FolderChild("src/", top)], COUNT)
    assert above.overview.splitlines()[2:] == [
        "- src/ — 1 folder",
        "- src/app/ — Use cases of the program.",
        "- src/app/run.py — Start the server.",
    ]


def test_paths_in_an_overview_are_relative_to_the_folder() -> None:
    x = FolderChild("x y.md", document_layers("x y", "The red one.", COUNT))
    long = f"The long one about everything in this folder. {NUMBERED}\n\n- other.md — An item of a list.\n"
    y = FolderChild("y.md", document_layers("Y", long, COUNT))
    b = FolderChild("b/", folder_layers("b", [x, y], COUNT))
    c = FolderChild("c.md", document_layers("C", "The green one.", COUNT))
    a = FolderChild("a/", folder_layers("a", [b, c], COUNT))
    p = folder_layers("p", [a], COUNT)
    rows = p.overview.splitlines()[2:]
    assert [row.partition(" — ")[0] for row in rows] == [
        "- a/",
        "- a/b/x y.md",
        "- a/b/y.md",
        "- a/c.md",
    ]
    assert rows[0] == "- a/ — 1 folder, 1 file"
    assert rows[2] == "- a/b/y.md — The long one about everything in this folder."
    top = folder_layers("top", [FolderChild("p/", p)], COUNT)
    assert top.overview.splitlines()[2:] == [
        "- p/ — 1 folder",
        "- p/a/b/x y.md — The red one.",
        "- p/a/b/y.md — The long one about everything in this folder.",
        "- p/a/c.md — The green one.",
    ]


def test_folders_above_a_session_show_its_messages() -> None:
    days = [
        FolderChild(
            f"{day}/",
            timeline_layers(
                f"2026-11-{day}",
                [Message(f"m{day}", "09:15", role, "The importer reads invoices.")],
                COUNT,
            ),
        )
        for day, role in ((21, "user"), (22, "assistant"))
    ]
    month = FolderChild("2026-11/", folder_layers("2026-11", days, COUNT))
    line = FolderChild("timeline/", folder_layers("timeline", [month], COUNT))
    session = folder_layers("session default", [line], COUNT)
    assert month.line == "- 2026-11/ — 2 folders"
    assert session.overview.splitlines() == [
        "# session default: 1 folder",
        "",
        "- timeline/ — 1 folder",
        "- 09:15 user: The importer reads invoices. [timeline/2026-11/21/m21]",
        "- 09:15 assistant: The importer reads invoices. [timeline/2026-11/22/m22]",
    ]


def test_a_lead_that_introduces_code_is_skipped() -> None:
    body = "First, import it:\n\n```\ncode\n```\n\nThen a page is fetched by `get`.\n"
    abstract = document_layers("Start", body, COUNT).abstract
    assert abstract == "Start — Then a page is fetched by `get`."


def test_a_section_that_begins_with_a_list_shows_its_first_item() -> None:
    sections = "".join(
        f"## Part {part}\n\n- Item one of part {part}.\n- {NUMBERED[:2_000]}\n\n"
        for part in range(20)
    )
    overview = document_layers("List", sections, COUNT).overview
    for part in range(20):
        assert f"## Part {part}\n- Item one of part {part}." in overview


def test_a_folder_names_the_children_that_it_does_not_describe() -> None:
    described = [
        FolderChild(
            f"file_{at:02d}.md", LayerPair(f"File {at} — It feeds animal{at}.", "")
        )
        for at in range(60)
    ]
    rows = folder_layers("zoo", described, COUNT).abstract.split("\n")
    assert rows[0] == "zoo: 60 files"
    assert all("It feeds animal" in row for row in rows[1:-1])
    assert rows[-1].startswith("also: file_")
    assert rows[-1].endswith(" more")


def test_names_of_methods_are_listed_once() -> None:
    symbols = [symbol("A"), symbol("B"), symbol("A.run"), symbol("B.run")]
    abstract = source_layers(source("a.py", "", *symbols), COUNT).abstract
    assert abstract == "a.py\nDefines: A, B, run"


def test_a_folder_lists_the_documented_public_definitions_of_its_sources() -> None:
    symbols = [
        symbol("Login", "One login. It expires."),
        symbol("_check", "Check a token."),
        symbol("plain"),
    ]
    text = "value = compute(token)\n" * 400
    pair = source_layers(source("src/auth.py", text, *symbols), COUNT)
    overview = folder_layers("src", [FolderChild("auth.py", pair)], COUNT).overview
    assert overview == (
        "# src: 1 file\n\n"
        "- auth.py — Defines: Login, plain, _check\n  def Login: One login."
    )
