"""Check boxes of a card."""

from __future__ import annotations

from cuedeck.parse.checkboxes import parse_boxes

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


def test_boxes_are_read_with_their_lines_and_none_in_a_fence() -> None:
    assert [tuple(box) for box in parse_boxes(TEXT.replace("\r", ""))] == [
        ("Created user model", True, 3),
        ("Added  `auth` middleware", False, 4),
        ("nested", True, 5),
        ("after it", False, 18),
    ]
