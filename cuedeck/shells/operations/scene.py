"""The scene: build, print, verify and compare it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cuedeck.model.errors import Stale, UsageError, WorkspaceMissing
from cuedeck.model.formatting import VIEW_WORDS, abbreviate, quoted, shorten
from cuedeck.model.paths import SCENE
from cuedeck.model.ports import Json
from cuedeck.model.settings_schema import LARGEST_BUDGET, SMALLEST_BUDGET
from cuedeck.shells.call import Answer, Call, Note, Raw
from cuedeck.shells.operation import Many, Param, Piped, operation, topic
from cuedeck.shells.text_table import printable, table
from cuedeck.shells.text_template import write_lines

if TYPE_CHECKING:
    from cuedeck.context.scene.build_scene import Request


MOST_ROWS = 20
_MOST_UNRESOLVED = 5
_LONGEST_TITLE = 200


_SIZE = """\
?more … and {more} more
{dry_run:?would be}{dry_run:!{path}{written:! (unchanged)}:} {tokens:,} of {budget:,} tokens ({encoding})
?without built without {without}
?left_out left out: {left_out!n}, first {left_out[0][address]}; see it: {left_out[0][show]}
?crowded no room for: {crowded}
*refs unresolved: {ref} {line:?on line {line} of }{line:!in }{from}\
{reason:=unreadable?; it cannot be read}{suggestion:?; did you mean {suggestion}?}\
{reason:=ambiguous?; it matches {candidates!f}}
?further … and {further} more unresolved refs; `cuedeck doctor` lists them"""


def summary(report: Json, *, dry_run: bool = False) -> Iterator[str]:
    """Yield the title of the task, a table of the visits, the size, omitted content
    and unresolved refs.
    """
    visits, unresolved = report["visits"], report["unresolved"]
    title = printable(shorten(report.get("title") or "", _LONGEST_TITLE), lines=False)
    blocks = report["blocks"]
    values = {
        "title": title,
        "rows": sorted(visits, key=lambda visit: str(visit["tier"]))[:MOST_ROWS],
        "more": max(0, len(visits) - MOST_ROWS),
        "dry_run": dry_run,
        "without": " and ".join(report.get("missing", ())),
        "crowded": [block["name"] for block in blocks if not block["tokens"]],
        "refs": unresolved[:_MOST_UNRESOLVED],
        "further": max(0, len(unresolved) - _MOST_UNRESOLVED),
    }
    columns = ">depth | address | view={view!v} | >tokens={tokens:,}"
    if any(visit["tier"] == "related" for visit in visits):
        columns = f"tier={{tier!v}} | {columns}"
    if any(visit.get("title") for visit in values["rows"][1:]):
        columns = f"{columns} | title~"  # the title of the root card is the headline
    text = f"?title {{title}}\n|rows {columns}\n{_SIZE}"
    yield from write_lines(text, {**report, **values})


def changes(answer: Json) -> Iterator[str]:
    """Yield a row for each changed visit, then the totals, then the line diff if
    requested.
    """
    before, after = answer["before"], answer["after"]
    rows = []
    for change, key, arrow in (
        ("added", "came", "0 → {}"),
        ("removed", "went", "{} → 0"),
    ):
        for visit in answer[key]:
            tokens = arrow.format(f"{visit['tokens']:,}")
            view = VIEW_WORDS[visit["view"]]
            rows.append((change, visit["address"], view, tokens, visit["why"]))
    rows += map(_changed, answer["changed"])
    if rows:
        yield table("change,address,view,>tokens,why~", rows)
    if before["card"] != after["card"]:
        yield f"card: {before['card']} → {after['card']}"
    if not rows and before["receipt"] == after["receipt"]:
        yield f"nothing changed: {after['tokens']:,} tokens, receipt {after['receipt'][:12]}"
    else:
        if not rows:
            yield "no file changed"
        sizes = [
            f"{scene['tokens']:,} tokens (receipt {scene['receipt'][:12]})"
            for scene in (before, after)
        ]
        same = f"the first {answer['unchanged_prefix_tokens']:,} tokens are equal"
        yield f"{' → '.join(sizes)}; {same}"
    if answer.get("diff"):
        yield ""
        yield answer["diff"].rstrip("\n")


def _changed(visit: Json) -> tuple[str, str, str, str, str]:
    same_tier = not _differs(visit["tier"])
    same_view = not _differs(visit["view"])
    kinds = {
        "tier": not same_tier,
        "resized": not same_view,
        "edited": visit["text"] and same_view,
        "moved": visit["moved"] and same_tier,
        "lines": _differs(visit["lines"]) and not visit["text"],
        "reason": _differs(visit["why"]),
    }
    words = [kind for kind, applies in kinds.items() if applies]
    tokens = _pair([f"{tokens:,}" for tokens in visit["tokens"]])
    views = _pair([VIEW_WORDS[view] for view in visit["view"]])
    change = ", ".join(words or ["resized"])
    return change, visit["address"], views, tokens, visit["why"][1]


def _differs(pair: Sequence[str]) -> bool:
    return pair[0] != pair[1]


def _pair(pair: Sequence[str]) -> str:
    return " → ".join(dict.fromkeys(pair))


Card = Annotated[
    str, Param("card", "CARD", help="Use this card: id, unique prefix, path or title.")
]
Budget = Annotated[
    int,
    Param(
        least=SMALLEST_BUDGET,
        most=LARGEST_BUDGET,
        help="Token limit of the whole file.",
    ),
]
NoRelated = Annotated[bool, Param(help="Leave out related files.")]

topic("scene", "Build or compare the scene.", "")


@operation(
    "scene",
    """cuedeck scene                       write .cuedeck/SCENE.md for the active card
cuedeck scene --print | less        read it without writing a file
cuedeck scene --card 2a9 --budget 4000 --json
cuedeck scene "Fix login for expired tokens"   print it for a task without a card, in any folder
gh issue view 12 | cuedeck scene -             the same for a text on stdin
cuedeck scene diff                  what the next build would change""",
)
def scene(
    call: Call,
    texts: Annotated[Many, Param(stdin="dash", metavar="[TEXT]")] = (),
    *,
    card: Card = "",
    budget: Budget = 0,
    to_stdout: bool = False,
    out: Annotated[str, Param(metavar="FILE", is_name=True)] = "",
    copy: bool = False,
    no_related: NoRelated = False,
    strict: bool = False,
    verify: bool = False,
    dry_run: bool = False,
) -> Answer:
    """Build the context of a card and write it to .cuedeck/SCENE.md.

    The file contains the card, the files that its refs lead to and related files,
    within a token limit. The same files give the same bytes.

    With TEXT, build and print the context of a task that has no card; it also works in
    a folder without .cuedeck/. Files and definitions that TEXT names are linked:
    src/auth.py, Login.verify, [[docs/auth]].

    Args:
        to_stdout --print: Print exactly the text to stdout; write no file.
        out: Write to FILE instead of SCENE.md.
        copy: Also copy the text to the clipboard.
        strict: Fail if refs form a cycle (code 1002).
        verify: Rebuild without the index and compare with SCENE.md.
        dry_run: Print what the scene would contain; write no file.
    """
    from cuedeck.context.scene import deliver_scene as work

    request = _request(card, budget, no_related, _task(texts, card))
    task = request.task
    _open(call, is_task=bool(task))
    if strict:
        work.check_cycles(call.workspace, request)
    if verify:
        difference = work.verify_scene(call.workspace, request)
        return _verified(_place(call, None, task), difference)
    target = call.target(out) if out else None
    prints = to_stdout or bool(task and not (out or dry_run))
    with call.progress("reading files and commits") as progress:
        made = work.deliver(
            call.workspace,
            request,
            write=not (prints or out or dry_run),
            out=None if dry_run else target,
            progress=progress,
        )
    notes = _copy(made.text, call.environ) if copy else ()
    report = {"path": _place(call, target, task), **made.masked_report}
    is_masked = target is None  # the name of a file may contain anything
    if not prints:
        shown = partial(summary, dry_run=dry_run)
        return Answer(report, shown, notes=notes, is_masked=is_masked)
    if task:  # the text is in no file
        report["text"] = made.text
    text = partial(_printed, made.text)
    return Answer(report, text, notes=notes, is_masked=is_masked)


def _place(call: Call, target: str | None, task: str) -> str | None:
    """Return the path of the file that a scene is written to; None for the scene of a
    task, which is only printed.
    """
    if target is not None:
        return str(call.shown(target))
    return None if task else SCENE


def _request(card: str, budget: int, no_related: bool, task: str) -> "Request":
    from cuedeck.context.scene.build_scene import Request

    return Request(card or None, budget or None, not no_related, task)


def _copy(text: str, environ: Mapping[str, str]) -> list[str]:
    """Copy a text to the clipboard; return a note about it."""
    from cuedeck.context.scene import deliver_scene as work

    return [work.copy_text(text, environ) or "copied to the clipboard"]


def _printed(text: str, report: object) -> Raw:
    return Raw(text)


def _task(texts: Many, card: str) -> str:
    """Return the text of the task; empty without one. Raises: UsageError."""
    if not texts:
        return ""
    if len(texts) > 1:
        given = quoted(abbreviate(" ".join(texts)))
        raise UsageError(
            f"TEXT is one argument, not {len(texts)}",
            hint=f"quote it: `cuedeck scene {given}`",
        )
    if card:
        raise UsageError(
            "--card is given together with a text",
            hint="give the card or the text of a task, not both",
        )
    (text,) = texts
    if not text.strip():
        is_piped = isinstance(text, Piped)
        raise UsageError(
            "the text on stdin is empty" if is_piped else "TEXT is empty",
            hint='describe the task: `cuedeck scene "Fix login for expired tokens"`',
        )
    return text


def _open(call: Call, *, is_task: bool) -> None:
    """Open the workspace; for a task, the project folder will do. Raises:
    WorkspaceMissing.
    """
    call.takes_folder = is_task
    try:
        call.workspace  # noqa: B018 - opens it
    except WorkspaceMissing as error:
        if is_task:
            raise
        raise WorkspaceMissing(
            error.message,
            hint=f'{error.hint}, or describe the task: `cuedeck scene "TEXT"` works without a workspace',
        ) from None


def _verified(path: str | None, difference: str) -> Answer:
    found = {
        "path": path,
        "verified": not difference,
        "difference": difference,
        "code": Stale.code if difference else None,
    }
    same = f"{path or 'the scene'} matches the files"
    return Answer(
        found,
        lambda answer: Note(answer["difference"] or same),
        code=int(bool(difference)),
    )


@operation(
    "scene diff",
    "cuedeck scene diff                  SCENE.md against the current files\n"
    "cuedeck scene diff --text           also the lines that changed\n"
    "cuedeck scene diff 6fe89 --json     against the cached scene with this receipt",
)
def diff(
    call: Call,
    receipt: str = "",
    *,
    card: Card = "",
    budget: Budget = 0,
    no_related: NoRelated = False,
    with_text: bool = False,
) -> Answer:
    """Compare SCENE.md with the scene of the current files.

    With RECEIPT, the older side is the cached scene whose receipt begins with it. The
    options apply to the new scene.

    Args:
        with_text --text: Also print the lines that differ.
    """
    from cuedeck.context.scene.diff_scenes import diff_scene

    request = _request(card, budget, no_related, "")
    found = diff_scene(call.workspace, request, receipt, with_text=with_text)
    return Answer(found, changes)
