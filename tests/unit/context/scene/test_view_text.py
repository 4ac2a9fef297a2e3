from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, WalkedWorkspace, card, views, walk_files

from cuedeck.context.scene.view_text import VisitTexts

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


ROOM = 6_400
"""Characters that an outline may have in a scene of 16,000 tokens."""


def visit_texts(here: WalkedWorkspace, characters: int = ROOM) -> VisitTexts:
    return VisitTexts(views(here).renderer, characters)


def numbered(text: str, first: int = 1) -> list[str]:
    """Return the lines of a text with their numbers."""
    return [f"{number}│{row}" for number, row in enumerate(text.splitlines(), first)]


def outline(
    text: str | bytes, path: str = A, ref: str = "", characters: int = ROOM
) -> str:
    here = walk_files({CARD: card(f"'{ref or path}'"), path: text})
    return visit_texts(here, characters).outline(here.visits[1])


def full(text: str | bytes, path: str = A) -> str:
    here = walk_files({CARD: card(path), path: text})
    return visit_texts(here).full(here.visits[1])


def shown_parts(
    text: str, *refs: str, path: str = "src/x.py", characters: int = ROOM
) -> str:
    here = walk_files(
        {CARD: card(path, *(f"{path}#{ref}" for ref in refs)), path: text}
    )
    return visit_texts(here, characters).outline(here.visit(path))


def test_full_text_has_the_number_of_every_line() -> None:
    assert full(DOC).split("\n") == numbered(DOC)
    assert full(SOURCE, "src/x.py").split("\n") == numbered(SOURCE)


def test_linked_card_is_numbered_but_the_task_is_not() -> None:
    other = ".cuedeck/cards/other1.md"
    here = walk_files(
        {CARD: card(other, body="Make it work.\n"), other: card(title="Other")}
    )
    assert visit_texts(here).full(here.visit(other)).split("\n") == numbered(
        card(title="Other")
    )
    assert "│" not in visit_texts(here).full(here.visits[0])


def test_task_text_has_no_front_matter_and_no_heading_equal_to_the_title() -> None:
    def task_text(text: str) -> str:
        here = walk_files({CARD: f"---\ntitle: Fix login\n---\n{text}"})
        return visit_texts(here).full(here.visits[0])

    assert (
        task_text("\n# Fix login\n\nMake it work.\n\n## Steps\n")
        == "Make it work.\n\n## Steps"
    )
    assert task_text("# Another heading\n\nText.\n") == "# Another heading\n\nText."
    assert task_text("Fix login\n") == task_text("") == ""


def test_foreign_newlines_become_line_feeds() -> None:
    assert full(b"one\r\ntwo\rthree") == "1│one\n2│two\n3│three"


def test_lines_of_another_visit_are_counted_by_a_mark() -> None:
    here = walk_files(
        {
            CARD: card("docs/a.md#Two", "docs/b.md"),
            A: DOC + "# Three\n",
            "docs/b.md": "[[a]]\n",
        }
    )
    assert visit_texts(here).full(here.visit(A)) == (
        "1│# One\n2│\n3│text\n4│\n⋮ 7 lines\n12│# Three"
    )


def test_outline_of_a_doc_lists_its_headings_with_their_lines() -> None:
    assert outline(DOC) == "1│# One\n5│# Two\n9│## Sub"


def test_outline_of_a_source_lists_its_signatures() -> None:
    assert outline(SOURCE, "src/x.py") == (
        "3│LIMIT = 3\n6│class Login\n7│    def verify(self, password: str) -> bool\n"
        "10│    def leave(self) -> None\n14│def main() -> int"
    )


def test_signature_of_several_lines_becomes_one_line_with_its_decorators() -> None:
    text = """\
class Login:
    # Retries twice.
    @cached(
        size=3,
    )
    @retry
    def verify(
        self,
        password: str,
    ) -> bool:
        return bool(password)
"""
    assert outline(text, "src/x.py") == (
        "1│class Login\n7│    @cached( size=3, ) @retry def verify(self, password: str) -> bool"
    )


def test_outline_of_a_text_without_structure_is_its_first_lines() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 31))
    assert outline(text, "notes.txt") == "\n".join([*numbered(text)[:20], "⋮ 10 lines"])
    assert outline("".join(text.splitlines(keepends=True)[:21]), "notes.txt").endswith(
        "\n20│line 20\n⋮ 1 line"
    )
    assert outline("a\nb", "notes.txt") == "1│a\n2│b"
    assert outline("", "notes.txt") == ""
    assert outline("x" * 1_000, "notes.txt") == "1│" + "x" * 159 + "…"


def test_linked_parts_are_at_their_place_in_the_outline() -> None:
    assert shown_parts(SOURCE, "verify") == (
        "3│LIMIT = 3\n6│class Login\n7│    def verify(self, password: str) -> bool:\n"
        "8│        return bool(password)\n10│    def leave(self) -> None\n14│def main() -> int"
    )


def test_overlapping_parts_are_joined() -> None:
    shown = shown_parts(
        "".join(f"{n}\n" for n in range(1, 31)), "L2-L5", "L4-L9", "L20", path="x.txt"
    )
    assert shown == "\n".join(
        [*(f"{n}│{n}" for n in range(2, 10)), "⋮ 10 lines", "20│20"]
    )


def test_mark_counts_lines_between_two_parts_without_an_outline_row_between_them() -> (
    None
):
    assert shown_parts(SOURCE, "L3", "L7-L8", "L10", path="src/x.py") == (
        "3│LIMIT = 3\n6│class Login\n7│    def verify(self, password: str) -> bool:\n"
        "8│        return bool(password)\n⋮ 1 line\n10│    def leave(self) -> None:\n14│def main() -> int"
    )


def test_blank_lines_at_the_end_of_a_part_are_not_shown() -> None:
    text = "a\n\nb\n\n\nc\n\n\n"
    assert shown_parts(text, "L1-L5", path="x.txt") == "1│a\n2│\n3│b"
    assert shown_parts(text, "L1-L2", "L6-L8", path="x.txt") == "1│a\n⋮ 4 lines\n6│c"
    assert shown_parts("a\nb", "L2", path="x.txt") == "2│b"


def test_lines_after_a_multi_line_secret_have_their_numbers_in_the_file() -> None:
    key = (
        "-----BEGIN RSA PRI"
        "VATE KEY-----\n"
        + "MIIEowIBAAKCAQEAx0J4Qm9vYmFyYmF6cXV4\n" * 2
        + "-----END RSA PRI"
    )
    text = f"a\n{key}VATE KEY-----\nb\nc\n"
    assert (
        shown_parts(text, "L1-L6", path="x.txt") == "1│a\n2│<secret:private-key:1>\n6│b"
    )
    assert full(text) == "1│a\n2│<secret:private-key:1>\n6│b\n7│c"


def test_folder_shows_its_overview_and_its_outline_lists_direct_entries() -> None:
    files: dict[str, str | bytes] = {
        "src/a.py": "",
        "src/z/b.py": "",
        "src/z/y/c.py": "",
        "srcs/no.py": "",
    }
    here = walk_files({CARD: card("src/"), **files})
    assert visit_texts(here).full(here.visits[1]) == here.visits[1].text
    assert visit_texts(here).outline(here.visits[1]) == "a.py\nz/ (2 files)\n"


def test_secret_that_the_parser_cut_in_a_signature_is_masked() -> None:
    """The remaining part of a cut token no longer looks like a token."""
    token = (
        "eyJhbGciOiJIUzI1NiJ9."
        + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" * 5
        + "."
        + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV" * 2
    )
    shown = outline(f'TOKEN = "{token}"\n', "src/x.py")
    assert "eyJzdWIi" not in shown and "<secret:" in shown


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


def test_long_outline_is_narrowed_first() -> None:
    whole = outline(WIDE, "src/x.py")
    assert "argument_4: int) -> bool" in whole
    rows = outline(WIDE, "src/x.py", characters=len(whole)).split("\n")
    assert len(rows[1].removeprefix("2│")) == 72
    assert rows[1].startswith("2│    def verify(self, argument_0: int")
    assert rows[1].endswith("…")
    assert [row for row in rows if row != rows[1]] == [
        row for row in whole.split("\n") if "verify" not in row
    ]


def test_outline_that_is_still_too_long_is_reduced_to_the_outermost_level() -> None:
    shown = outline(WIDE, "src/x.py", characters=150)
    assert (
        shown
        == "1│class Login\n⋮ 4 definitions: verify L2, leave L3, Token L5, renew L6\n"
        "9│def main() -> int\n12│class Empty"
    )


def test_longest_of_very_many_definitions_represent_the_others() -> None:
    """An outline that grows with its file would take the room of the bodies that the
    card needs.
    """
    text = "".join(
        f"def f{at}():\n" + "    pass\n" * (9 if at in (3, 7) else 1)
        for at in range(20)
    )
    shown = outline(text, "src/x.py", characters=60)
    rest = ", ".join(f"f{at} L{2 * at + 17}" for at in range(8, 20))
    assert shown == (
        "⋮ 3 definitions: f0 L1, f1 L3, f2 L5\n7│def f3()\n"
        f"⋮ 3 definitions: f4 L17, f5 L19, f6 L21\n23│def f7()\n⋮ 12 definitions: {rest}"
    )


def test_linked_parts_are_in_a_reduced_outline_too() -> None:
    shown = shown_parts(SOURCE, "verify", characters=2)
    assert shown == (
        "⋮ 1 definition: LIMIT L3\n6│class Login\n"
        "7│    def verify(self, password: str) -> bool:\n"
        "8│        return bool(password)\n⋮ 2 definitions: leave L10, main L14"
    )


def test_mark_is_at_each_place_where_rows_are_hidden_between_bodies() -> None:
    """All rows hidden around two bodies used to be counted after the second body, where
    none was hidden.
    """
    text = "".join(
        f"def f{at}():\n    pass\n" + "    pass\n" * (9 if at == 0 else 0)
        for at in range(9)
    )
    shown = shown_parts(text, "L14-L15", "L22-L23", characters=30)
    rows = [
        "1│def f0()",
        "⋮ 1 definition: f1 L12",
        "14│def f2():",
        "15│    pass",
        "⋮ 3 definitions: f3 L16, f4 L18, f5 L20",
    ]
    assert shown.split("\n") == [
        *rows,
        "22│def f6():",
        "23│    pass",
        "⋮ 2 definitions: f7 L24, f8 L26",
    ]


@settings(max_examples=30, deadline=None)
@given(
    members=st.lists(st.integers(0, 4), min_size=1, max_size=6),
    characters=st.integers(20, 400),
)
def test_reduced_outline_names_and_counts_every_definition(
    members: list[int], characters: int
) -> None:
    text = "".join(
        f"class C{at}:\n    pass\n"
        + "".join(f"    def m{n}(self): ...\n" for n in range(count))
        for at, count in enumerate(members)
    )
    rows = outline(text, "src/x.py", characters=characters).split("\n")
    message = [row for row in rows if not row.startswith("⋮")]
    hidden = sum(
        int(count) for count in re.findall(r"⋮ (\d+) definition", "\n".join(rows))
    )
    assert message
    assert len(message) + hidden == len(members) + sum(members)
    names = {f"C{at}" for at in range(len(members))}
    names |= {f"m{n}" for count in members for n in range(count)}
    assert names <= set(re.findall(r"\w+", "\n".join(rows)))


def test_definitions_around_a_passage_are_shown_before_others() -> None:
    methods = "".join(
        f"    def m{at}(self) -> int:\n        x = {at}\n        return x\n"
        for at in range(30)
    )
    rows = shown_parts(f"class Box:\n{methods}", "L31-L31", characters=100).split("\n")
    assert rows == [
        "1│class Box",
        f"⋮ 9 definitions: {', '.join(f'm{at} L{3 * at + 2}' for at in range(9))}",
        "29│    def m9(self) -> int",
        "31│        return x",
        f"⋮ 20 definitions: {', '.join(f'm{at} L{3 * at + 2}' for at in range(10, 30))}",
    ]
