from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, Walked, card, walked

from cuedeck.parse.secrets import find_secrets
from cuedeck.scene.mask import Mask
from cuedeck.scene.view_text import VisitTexts

A = "docs/a.md"
DOC = "# One\n\ntext\n\n# Two\n\nmore\n\n## Sub\n\nend\n"
SOURCE = """\
import os

LIMIT = 3


class Login:
    def verify(self, password: str) -> bool:
        return bool(password)

    def leave(self) -> None:
        pass


def main() -> int:
    return 0
"""
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


ROOM = 6_400
"""Characters that an outline may have in a scene of 16,000 tokens."""


def excerpts(here: Walked, characters: int = ROOM) -> VisitTexts:
    return VisitTexts(here.memory, Mask(here.memory, find_secrets), characters)


def outline(text: str | bytes, path: str = A, ref: str = "", characters: int = ROOM) -> str:
    here = walked({CARD: card(f"'{ref or path}'"), path: text})
    return excerpts(here, characters).outline(here.visits[1])


def full(text: str | bytes, path: str = A) -> str:
    here = walked({CARD: card(path), path: text})
    return excerpts(here).full(here.visits[1])


def parts(text: str, *refs: str, path: str = "src/x.py", characters: int = ROOM) -> str:
    here = walked({CARD: card(path, *(f"{path}#{ref}" for ref in refs)), path: text})
    return excerpts(here, characters).parts(here.visit(path))


def test_the_full_text_is_that_of_the_file() -> None:
    assert full(DOC) == DOC


def test_newlines_of_other_systems_become_plain_ones() -> None:
    assert full(b"one\r\ntwo\rthree") == "one\ntwo\nthree"


def test_where_another_visit_has_the_lines_a_mark_says_so() -> None:
    here = walked({CARD: card("docs/a.md#Two", "docs/b.md"), A: DOC + "# Three\n", "docs/b.md": "[[a]]\n"})
    assert excerpts(here).full(here.visit(A)) == (
        "# One\n\ntext\n\n⋮ lines 5-11: under a heading of its own\n# Three\n"
    )


def test_an_outline_of_a_doc_is_its_headings_with_their_lines() -> None:
    assert outline(DOC) == "L1 # One\nL5 # Two\nL9 ## Sub"


def test_an_outline_of_a_section_holds_the_headings_inside_it() -> None:
    assert outline(DOC, ref="docs/a.md#Two") == "L5 # Two\nL9 ## Sub"


def test_an_outline_of_a_source_is_its_signatures() -> None:
    assert outline(SOURCE, "src/x.py") == (
        "L3 LIMIT = 3\nL6 class Login\nL7     def verify(self, password: str) -> bool\n"
        "L10     def leave(self) -> None\nL14 def main() -> int"
    )


def test_an_outline_of_a_text_without_structure_is_its_first_lines() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 31))
    assert outline(text, "notes.txt") == "\n".join([*text.split("\n")[:20], "⋮ 10 more lines"])
    assert outline("a\nb", "notes.txt") == "a\nb"
    assert outline("", "notes.txt") == ""
    assert outline("x" * 1_000, "notes.txt") == "x" * 159 + "…"


def test_the_first_lines_run_over_the_gaps_that_other_visits_leave() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 41))
    here = walked({CARD: card("x.txt#L3-L4", A), "x.txt": text, A: "[x](../x.txt)\n"})
    shown = excerpts(here).outline(here.visit("x.txt")).split("\n")
    assert shown[:4] == ["line 1", "line 2", "line 5", "line 6"]
    assert shown[19:] == ["line 22", "⋮ 18 more lines"]


def test_linked_parts_stand_in_the_outline_at_their_place() -> None:
    assert parts(SOURCE, "verify") == (
        "L3 LIMIT = 3\nL6 class Login\n⋮ lines 7-8\n    def verify(self, password: str) -> bool:\n"
        "        return bool(password)\nL10     def leave(self) -> None\nL14 def main() -> int"
    )


def test_a_part_inside_a_linked_part_is_not_shown_twice_and_hides_nothing() -> None:
    shown = parts(SOURCE, "verify", "Login")
    assert shown.count("def verify") == shown.count("def leave") == 1
    assert "⋮ lines 6-11\nclass Login:" in shown


def test_parts_that_overlap_are_joined() -> None:
    shown = parts("".join(f"{n}\n" for n in range(1, 31)), "L2-L5", "L4-L9", "L20", path="x.txt")
    assert shown == "⋮ lines 2-9\n2\n3\n4\n5\n6\n7\n8\n9\n⋮ line 20\n20"


def test_parts_that_touch_are_joined() -> None:
    shown = parts("".join(f"{n}\n" for n in range(1, 31)), "L2-L3", "L4-L5", path="x.txt")
    assert shown == "⋮ lines 2-5\n2\n3\n4\n5"


def test_a_part_is_headed_by_the_lines_that_are_shown_of_it() -> None:
    """The blank lines at the end of a part were named, too."""
    text = "a\n\nb\n\n\nc\n\n\n"
    assert parts(text, "L1-L5", path="x.txt") == "⋮ lines 1-3\na\n\nb"
    assert parts(text, "L1-L2", "L6-L8", path="x.txt") == "⋮ line 1\na\n⋮ line 6\nc"
    assert parts(text, "L4-L5", path="x.txt") == "⋮ line 4\n"
    assert parts("a\nb", "L2", path="x.txt") == "⋮ line 2\nb"


def test_a_part_that_ends_with_a_secret_of_several_lines_is_headed_by_all_its_lines() -> None:
    key = "-----BEGIN RSA PRI" + "VATE KEY-----\n" + "MIIEowIBAAKCAQEAx0J4Qm9vYmFyYmF6cXV4\n" * 2 + "-----END RSA PRI"
    shown = parts(f"a\n{key}VATE KEY-----\n\nb\n", "L1-L6", path="x.txt")
    assert shown == "⋮ lines 1-5\na\n<secret:private-key:1>"


def test_a_folder_lists_its_files_and_in_its_outline_what_stands_directly_in_it() -> None:
    files: dict[str, str | bytes] = {"src/a.py": "", "src/z/b.py": "", "src/z/y/c.py": "", "srcs/no.py": ""}
    here = walked({CARD: card("src/"), **files})
    assert excerpts(here).full(here.visits[1]) == "a.py\nz/b.py\nz/y/c.py\n"
    assert excerpts(here).outline(here.visits[1]) == "a.py\nz/ (2 files)\n"


def test_the_whole_workspace_can_be_listed() -> None:
    here = walked({CARD: card("../.."), "a.py": ""})
    assert excerpts(here).full(here.visits[1]) == f"{CARD}\na.py\n"


def test_secrets_are_masked_in_outlines_as_in_texts() -> None:
    assert AWS not in outline(f"# Key {AWS}\n\ntext\n")
    assert AWS not in outline(f'KEY = "{AWS}"\n', "src/x.py")
    assert AWS not in outline(f"{AWS}\n", "x.txt")
    assert AWS not in parts(f'KEY = "{AWS}"\n\n\ndef f(k="{AWS}"):\n    return "{AWS}"\n', "f")


def test_a_secret_that_the_parser_cut_in_a_signature_is_masked_all_the_same() -> None:
    """What is left of a cut token no longer looks like one."""
    token = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" * 5 + "." + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV" * 2
    shown = outline(f'TOKEN = "{token}"\n', "src/x.py")
    assert "eyJzdWIi" not in shown and "<secret:" in shown


def test_a_secret_that_runs_over_several_rows_breaks_nothing() -> None:
    key = "MIIEowIBAAKCAQEAx0J4Qm9vYmFyYmF6cXV4" * 2
    text = f"# -----BEGIN RSA {'PRIVATE'} KEY-----\n\n# {key}\n\n# -----END RSA {'PRIVATE'} KEY-----\n"
    assert outline(text).count("\n") == 2


# --- outlines longer than their share

WIDE = f"""\
class Login:
    def verify(self, {", ".join(f"argument_{n}: int" for n in range(5))}) -> bool: ...
    def leave(self) -> None: ...

    class Token:
        def renew(self) -> None: ...


def main() -> int: ...


class Empty: ...
"""


def test_a_long_outline_is_first_narrowed() -> None:
    whole = outline(WIDE, "src/x.py")
    assert "argument_4: int) -> bool" in whole
    rows = outline(WIDE, "src/x.py", characters=len(whole)).split("\n")
    assert len(rows[1]) == 72
    assert rows[1].startswith("L2     def verify(self, argument_0: int")
    assert rows[1].endswith("…")
    assert [row for row in rows if row != rows[1]] == [row for row in whole.split("\n") if "verify" not in row]


def test_an_outline_still_too_long_is_reduced_to_what_is_outermost_with_counts() -> None:
    shown = outline(WIDE, "src/x.py", characters=150)
    assert shown == "L1 class Login ⋮ 4 inside\nL9 def main() -> int\nL12 class Empty"


def test_of_very_many_definitions_those_of_most_lines_stand_for_the_rest() -> None:
    """An outline that may grow with its file takes the room of the bodies the card asks for."""
    text = "".join(f"def f{at}():\n" + "    pass\n" * (9 if at in (3, 7) else 1) for at in range(20))
    shown = outline(text, "src/x.py", characters=60)
    assert shown == "⋮ 3 more\nL7 def f3()\n⋮ 3 more\nL23 def f7()\n⋮ 12 more"


def test_an_outline_that_just_fits_is_left_alone() -> None:
    whole = outline(SOURCE, "src/x.py")
    assert outline(SOURCE, "src/x.py", characters=len(whole) + 1) == whole
    assert outline(SOURCE, "src/x.py", characters=len(whole)) == (
        "L3 LIMIT = 3\nL6 class Login ⋮ 2 inside\nL14 def main() -> int"
    )


def test_linked_parts_stand_in_a_reduced_outline_too() -> None:
    shown = parts(SOURCE, "verify", characters=0)
    assert "⋮ lines 7-8\n    def verify(self, password: str) -> bool:\n        return bool(password)\n" in shown
    assert shown.startswith("⋮ 1 more\nL6 class Login ⋮ 1 inside\n⋮ lines 7-8\n")
    assert shown.endswith("\n⋮ 1 more")
    assert "def leave" not in shown


def test_a_mark_stands_where_something_is_hidden_also_between_bodies() -> None:
    """All that was hidden around two bodies was counted behind the second, where nothing was."""
    text = "".join(f"def f{at}():\n    pass\n" + "    pass\n" * (9 if at == 0 else 0) for at in range(9))
    shown = parts(text, "L14-L15", "L22-L23", characters=30)
    marks = [row for row in shown.split("\n") if row.startswith(("L", "⋮"))]
    assert marks == ["L1 def f0()", "⋮ 1 more", "⋮ lines 14-15", "⋮ 3 more", "⋮ lines 22-23", "⋮ 2 more"]


@settings(max_examples=30, deadline=None)
@given(members=st.lists(st.integers(0, 4), min_size=1, max_size=6), characters=st.integers(0, 400))
def test_a_reduced_outline_accounts_for_every_definition(members: list[int], characters: int) -> None:
    text = "".join(
        f"class C{at}:\n    pass\n" + "".join(f"    def m{n}(self): ...\n" for n in range(count))
        for at, count in enumerate(members)
    )
    rows = outline(text, "src/x.py", characters=characters).split("\n")
    said = [row for row in rows if not row.startswith("⋮")]
    hidden = sum(int(count) for count in re.findall(r"⋮ (\d+) (?:inside|more)", "\n".join(rows)))
    assert said
    assert len(said) + hidden == len(members) + sum(members)
