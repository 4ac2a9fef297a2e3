"""The part of a template that is shown after a person has filled it in."""

from __future__ import annotations

from pathlib import Path

import pytest

from cuedeck.knowledge.memory.session_context import filled_part

TEMPLATE = Path(__file__).parents[4] / ".cuedeck-template/USER.md"


def test_untouched_template_is_empty() -> None:
    assert filled_part(TEMPLATE.read_text("utf-8")) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Me\n\n- Name: Ana\n- Role:\n", "# Me\n\n- Name: Ana"),
        ("# A\n\n## B\n- x:\n\n## C\n\nprose\n", "# A\n\n## C\n\nprose"),
        ("# A\n\n## B\n<!-- b -->\n# C\nprose\n", "# C\nprose"),
        ("- Notes:\n\n  - likes tea\n- Empty:\n", "- Notes:\n\n  - likes tea"),
        ("a <!-- b -->c\n<!-- d\ne -->\nf\n", "a c\n\nf"),
        ("kept <!-- never closed\n- Name: x\n", "kept \n- Name: x"),
        ("<!-- open\n- A: x\n<!-- closed -->\n- B: y\n", "- A: x\n\n- B: y"),
        (
            "Prefers: tabs\n- see https://x.org:\n",
            "Prefers: tabs\n- see https://x.org:",
        ),
        ("* Name:\n+ Age:\n", ""),
        ("#hashtag\n", "#hashtag"),
        ("# A\n## Terse answers, please\n", "# A\n## Terse answers, please"),
        ("# A\n- x:\n## Terse\n", "# A\n\n## Terse"),
        ("", ""),
    ],
)
def test_only_filled_parts_are_shown(text: str, shown: str) -> None:
    assert filled_part(text) == shown
