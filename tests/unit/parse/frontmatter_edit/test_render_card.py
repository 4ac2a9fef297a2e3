from __future__ import annotations

from cuedeck.parse.frontmatter_edit import render_card


def test_a_new_card_is_written_with_safe_quotes() -> None:
    fields: list[tuple[str, str | tuple[str, ...]]] = [
        ("id", "2a9f1x"),
        ("title", "1e3"),
        ("assignee", "@x"),
        ("created", "2026-05-03T10:00:00Z"),
        ("tags", ()),
        ("refs", ("docs/a.md#Login Flow", "[[b]]", "x: y")),
    ]
    assert render_card(fields, "Body\r\n\n") == (
        '---\nid: 2a9f1x\ntitle: "1e3"\nassignee: "@x"\ncreated: 2026-05-03T10:00:00Z\ntags: []\n'
        'refs:\n  - docs/a.md#Login Flow\n  - "[[b]]"\n  - "x: y"\n---\n\nBody\r\n\n'
    )
