"""Doctor findings about refs: dead refs, valid refs that look dead, and the
messages.
"""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from cuedeck.doctor.examine import examine


def findings_of(
    place: Any, check: str = "refs"
) -> list[tuple[str, str, int, str, str]]:
    return [
        (each.level, each.path, each.line, each.code, each.hint)
        for each in place.found(check)
    ]


def test_wiki_links_refs_and_mentions_are_checked_as_links_are(place: Any) -> None:
    """Pins that the first doctor checked Markdown links only."""
    place.write("docs/login.md", "# Login\n")
    place.card(
        "abc123",
        "refs:",
        "  - docs/logn.md",
        "  - docs/login.md#Logn",
        body="[[logni]] @doc/logine [x](docs/l.md)",
    )
    assert [(level, line, code) for level, _, line, code, _ in findings_of(place)] == [
        ("error", 4, "dead-ref"),
        ("error", 5, "dead-anchor"),
        ("error", 8, "dead-ref"),
        ("error", 8, "dead-ref"),
        ("error", 8, "dead-ref"),
    ]
    hints = [hint for *_, hint in findings_of(place)]
    assert hints[0] == "did you mean `docs/login.md`?"
    assert hints[1] == "did you mean `docs/login.md#Login`?"


def test_hints_of_markdown_links_are_relative_to_the_file(place: Any) -> None:
    place.write("docs/guide/setup.md", "# Set Up\n")
    place.write("docs/api/use.md", "[x](setup.md) and [y](../guide/setup.md#set-upp)\n")
    assert [hint for *_, hint in findings_of(place)] == [
        "did you mean `../guide/setup.md#set-up`?",
        "did you mean `../guide/setup.md`?",
    ]


def test_a_ref_out_of_the_workspace_is_a_warning(place: Any) -> None:
    place.write("README.md", "[ci](../../actions)\n")
    assert [each[:4] for each in findings_of(place)] == [
        ("warning", "README.md", 1, "ref-outside")
    ]


def test_a_ref_of_a_card_out_of_the_workspace_does_not_blame_ignore_rules(
    place: Any,
) -> None:
    place.write(".gitignore", "other/\n")
    place.write(".cuedeck/cards/aaaaaa.md", "---\nrefs: [../other/x.py]\n---\n# T\n")
    (found,) = [each for each in findings_of(place) if each[3] != "unread"]
    assert (found[0], found[3]) == ("warning", "ref-outside")


def test_a_path_from_the_root_of_a_site_is_a_warning(place: Any) -> None:
    place.write("docs/a.md", "[x](/guide/setup) [y](/docs/a.md)\n")
    assert [each[:4] for each in findings_of(place)] == [
        ("warning", "docs/a.md", 1, "dead-ref")
    ]


def test_a_page_of_a_site_without_its_ending_is_a_warning(place: Any) -> None:
    """In a repository with the sources of a site, 159 working links were reported as
    errors.
    """
    place.write("docs/02-guide/01-set-up.md", "# Set up\n")
    place.write(
        "docs/02-guide/02-use.md",
        "[x](set-up) [y](../../docs#use) [z](gone.md) [w](01-set-up#gone)\n",
    )
    place.card("abc123", "refs: [set-app]")
    assert sorted((each.level, each.message) for each in place.found("refs")) == [
        ("error", "`set-app` has no target"),
        ("warning", "`../../docs` has no `#use`"),
        ("warning", "`01-set-up` has no `#gone`"),
        ("warning", "`gone.md` has no target"),
        ("warning", "`set-up` has no target"),
    ]


def test_refs_of_programs_are_warnings(place: Any) -> None:
    place.write("a.py", "# see [[nowhere]]\n# cuedeck: refs gone.md\n")
    assert [each[:4] for each in findings_of(place)] == [
        ("warning", "a.py", 1, "dead-ref"),
        ("warning", "a.py", 2, "dead-ref"),
    ]


@pytest.mark.parametrize(("everything", "expected"), [(False, [("error", ".cuedeck/cards/abc123.md", "dead-ref"),
    ("error", ".cuedeck/docs/guide.md", "dead-ref"), ("warning", "docs/api.md", "bad-yaml")]), (True, [
    ("error", ".cuedeck/cards/abc123.md", "dead-ref"), ("error", ".cuedeck/docs/guide.md", "dead-ref"),
    ("warning", ".cuedeck/cards/eee999.md", "dead-ref"), ("warning", "README.md", "dead-ref"),
    ("warning", "docs/api.md", "bad-yaml"), ("warning", "docs/other.md", "bad-yaml"),
    ("warning", "docs/other.md", "ambiguous-ref")])])  # fmt: skip
def test_files_of_the_repository_are_checked_on_request_and_never_fail(
    place: Any, everything: bool, expected: list[tuple[str, str, str]]
) -> None:
    place.card("abc123", "refs: [gone.md, docs/api.md, docs/guide.md]")
    place.card("eee999", "status: done", "refs: [deleted.md]")
    place.write(".cuedeck/docs/guide.md", "[x](gone.md)\n")
    place.write("README.md", "[x](gone.md)\n")
    place.write("docs/api.md", "---\ntitle: [\n---\n[x](../README.md)\n")
    place.write("docs/other.md", "---\ntitle: [\n---\n[[auth]]\n")
    place.write("a/auth.md", "x\n")
    place.write("b/auth.md", "x\n")
    report = examine(place.workspace(), everything=everything)
    found = [(each.level, each.path, each.code) for each in report.findings]
    assert [each for each in found if each[0] != "info"] == expected


def test_a_repository_with_dead_links_of_its_own_is_healthy(place: Any) -> None:
    place.card("abc123", "refs: [docs/api.md]")
    place.write("docs/api.md", "[x](gone.md) [[nowhere]]\n")
    assert examine(place.workspace()).healthy(strict=True)
    everything = examine(place.workspace(), everything=True)
    assert everything.healthy() and not everything.healthy(strict=True)


def test_a_ref_to_an_ignored_file_is_information(place: Any) -> None:
    place.write(".gitignore", "secret.md\n/out/\n")
    place.write("secret.md", "x\n")
    place.write("out/api.md", "x\n")
    place.write(
        "doc.md", "[a](secret.md) [b](out/api.md)\n\n[c](out/gone.md) [d](gone.md)\n"
    )
    assert [(level, line, code) for level, _, line, code, _ in findings_of(place)] == [
        ("warning", 3, "dead-ref"),
        ("info", 1, "unread-ref"),
        ("info", 1, "unread-ref"),
        ("info", 3, "unread-ref"),
    ]


def test_a_ref_to_a_deleted_tracked_file_is_dead_despite_an_ignore_rule(
    place: Any,
) -> None:
    place.write(".gitignore", "/out/\n")
    place.write("out/api.md", "x\n")
    place.write("out/other.md", "x\n")
    for arguments in (["init", "-q"], ["add", "-f", "out/api.md"]):
        subprocess.run(["git", *arguments], cwd=place.root, check=True)
    place.write("doc.md", "[a](out/api.md)\n\n[b](out/other.md) [c](out/gone.md)\n")
    assert [each[2:4] for each in findings_of(place)] == [
        (3, "unread-ref"),
        (3, "unread-ref"),
    ]
    (place.root / "out/api.md").unlink()
    assert [each[2:4] for each in findings_of(place)] == [
        (1, "dead-ref"),
        (3, "unread-ref"),
        (3, "unread-ref"),
    ]


def test_a_fragment_of_a_file_without_anchors_is_no_finding(place: Any) -> None:
    place.write("manual.pdf", b"%PDF\0")
    place.write("all.base", "views: []\n")
    place.write("doc.md", "[page](manual.pdf#page=3) [[all.base#View]]\n")
    assert findings_of(place) == []


def test_a_ref_with_a_line_break_is_dead_and_shown_on_one_line(place: Any) -> None:
    place.write("docs/a\nb.md", "text\n")
    place.card("abc123", "refs:", '  - "dead\\n## y"', '  - "docs/a\\nb.md"')
    assert [(each.level, each.line, each.message) for each in place.found("refs")] == [
        ("error", 4, r"`dead\n## y` has no target"),
        ("error", 5, r"`docs/a\nb.md` has no target"),
    ]
    assert place.found("ref-items") == []


def test_a_dead_anchor_suggests_existing_ones(place: Any) -> None:
    place.write("b.md", "text\n")
    place.write("c#d.md", "text\n")
    place.card("abc123", "refs:", "  - b.md#Login", "  - c#d.md#Login")
    assert [each.hint for each in place.found("refs")] == [
        "the file has no headings: refer to the whole file",
        "the file has no headings: refer to the whole file",
    ]
    assert place.found("refs")[-1].message == "`c#d.md` has no `#Login`"


def test_an_ambiguous_ref_names_its_candidates(place: Any) -> None:
    place.write("a/auth.md", "# One\n")
    place.write("b/auth.md", "# Two\n")
    place.card("abc123", "refs: ['[[auth]]']")
    (only,) = place.found("refs")
    assert (only.level, only.line, only.code) == ("error", 3, "ambiguous-ref")
    assert "a/auth.md, b/auth.md" in only.hint


@pytest.mark.parametrize(
    "ref", ["decision:d1", "record:7", "experience:e", "session:s", "attempt:a"]
)
def test_an_unknown_record_is_an_error(place: Any, ref: str) -> None:
    place.card("abc123", f"refs: ['{ref}']")
    (only,) = place.found("refs")
    assert (only.level, only.code) == ("error", "unknown-record")


def test_a_cycle_of_docs_is_reported_with_its_path(place: Any) -> None:
    """Pins that the first doctor printed `All checks passed` for a cycle x → y → x, on
    which its own watcher failed.
    """
    place.write("docs/x.md", "[[y]]\n")
    place.write("docs/y.md", "\n[x](x.md)\n")
    (only,) = place.found("ref-cycles")
    assert "docs/x.md → docs/y.md → docs/x.md" in only.message
