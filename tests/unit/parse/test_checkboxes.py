"""Check boxes of a card."""

from __future__ import annotations

from cuedeck.parse.card_file import Box, parse_boxes

TEXT = """\
# Task

- [x] Created user model
* [ ] Added  `auth` middleware <!-- later -->
  1. [X] nested
- [] no box
- [y] no box
-[ ] no box
- [ ]
```
- [ ] in a fence
```
~~~ md
- [x] in a fence
```
still
~~~
- [ ] after it\r
"""

CODE = """\
- [x] item

        - [ ] code in the item
    - [ ] nested

      more text

      ```
      - [ ] fence in an item
      ```

1. [ ] one
   - [ ] two

text
    - [ ] the paragraph goes on

    - [ ] code
\t- [ ] code
- [x] last
"""


def test_boxes_in_indented_code_are_none() -> None:
    assert [(box.text, box.line) for box in parse_boxes(CODE)] == [
        ("item", 1),
        ("nested", 4),
        ("one", 12),
        ("two", 13),
        ("last", 20),
    ]


def test_boxes_are_read_with_their_lines_and_none_in_a_fence() -> None:
    assert [tuple(box) for box in parse_boxes(TEXT.replace("\r", ""))] == [
        ("Created user model", True, 3),
        ("Added  `auth` middleware", False, 4),
        ("nested", True, 5),
        ("after it", False, 18),
    ]


def test_comments_of_a_line_are_no_part_of_an_item() -> None:
    assert parse_boxes("- [ ] a<!-- x -->b <!--> c --> <!-- open") == [
        Box("ab  <!-- open", False, 1)
    ]


def test_a_line_of_a_million_open_comments_is_read_once() -> None:
    """A search for the end of each of them would take hours."""
    assert parse_boxes("- [ ] a " + "<!--" * 1_000_000)[0].text.startswith("a <!--")
