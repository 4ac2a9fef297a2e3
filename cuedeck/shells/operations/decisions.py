"""Decisions and failed attempts."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.model.errors import UsageError
from cuedeck.shells.call import Answer, Call, warnings_of
from cuedeck.shells.operation import (
    Address,
    Addresses,
    Decision,
    Many,
    Only,
    OnlyAddress,
    OnlyCard,
    OwnCard,
    Param,
    Piped,
    Tool,
    Words,
    operation,
    topic,
)
from cuedeck.shells.text_table import Column, problem_lines, table
from cuedeck.shells.tool_fields import Field

_CODE = Column("cited code", wraps=True)

topic(
    "decision",
    """List, show, supersede, confirm and export decisions.

    `cuedeck decide` records a new one.
    """,
    "cuedeck decision list --affects src/auth.py",
)


def _decision_table(answer: Mapping[str, Any]) -> str:
    if not answer["decisions"]:
        if answer["total"]:
            return f"none of {answer['total']} decisions matches; `cuedeck decision list --all` lists them"
        return (
            'no decisions yet; record one: `cuedeck decide "TEXT" --because "REASON"`'
        )
    columns = [Column("id"), Column("status"), Column("decision", wraps=True)]
    rows = []
    for each in answer["decisions"]:
        places = " ".join(each["affects"])
        row = (each["id"], each["status"], each["decision"], places, each["mark"])
        rows.append(row)
    return table([*columns, Column("affects"), _CODE], rows)


@operation(
    "decision list",
    "cuedeck decision list\ncuedeck decision list --all --affects src/auth.py --json",
    _decision_table,
    notes=problem_lines,
)
def list_decisions(
    call: Call,
    *,
    everything: bool = False,
    card: OnlyCard = "",
    affects: OnlyAddress = "",
    subject: Only = "",
) -> dict[str, Any]:
    """List the decisions in force, newest last.

    Args:
        everything --all: Include superseded and rejected decisions.
        card: Only decisions made for this card.
        affects: Only decisions that apply to this file, symbol or folder.
        subject WORDS: Only decisions whose subject contains WORDS.
    """
    from cuedeck.work.decisions import list_decisions as work

    return work.list_decisions(
        call.workspace,
        everything=everything,
        card=card,
        affects=affects or None,
        subject=subject,
    )


_SHOWN = ("id", "status", "decision", "subject", "rationale", "alternatives", "impact", "card", "session",
          "supersedes", "replaces", "superseded_by", "replacement", "timestamp", "commit")  # fmt: skip


def _shown_decision(answer: Mapping[str, Any]) -> Iterator[str]:
    shown = answer["decision"]
    for key in _SHOWN:
        value = shown[key]
        if isinstance(value, list):
            value = ", ".join(value)
        if value:
            yield f"{key:<13}  {value}"
    for each in shown["freshness"]:
        yield f"{'affects':<13}  {each['address']}: {each['state']}"
    for key, value in shown["other"].items():
        yield f"{key:<13}  {value}"
    for each in shown["history"]:
        words = [each["change"]]
        if each["status"]:
            words.append(each["status"])
        for name in ("by", "supersedes"):
            if each[name]:
                words.append(f"{name} {each[name]}")
        because = f": {each['because']}" if each["because"] else ""
        yield f"{each['timestamp']:<13}  {' '.join(words)}{because}"


@operation("decision show", "cuedeck decision show k3f", _shown_decision)
def show_decision(call: Call, identity: Decision) -> dict[str, Any]:
    """Show one decision: reason, affected places, status."""
    from cuedeck.work.decisions import list_decisions as work

    return work.show_decision(call.workspace, identity)


def _superseded(answer: Mapping[str, Any]) -> str:
    new = f" by {answer['superseded_by']}" if answer["superseded_by"] else ""
    return f"{answer['id']}: superseded{new}"


@operation(
    "decision supersede",
    'cuedeck decision supersede k3f --by m8q --because "too slow"',
    _superseded,
    notes=warnings_of,
)
def supersede(
    call: Call, identity: Decision, *, by: Decision = "", because: str = ""
) -> dict[str, Any]:
    """Mark a decision as superseded.

    It is no longer shown in scenes and stays in the log.

    Args:
        by: Decision that replaces it.
        because: The reason.
    """
    from cuedeck.work.decisions import supersede_decision as work

    return work.supersede(call.workspace, identity, by or None, because)


@operation(
    "decision confirm",
    "cuedeck decision confirm k3f",
    lambda answer: f"{answer['id']}: confirmed",
    notes=warnings_of,
)
def confirm(call: Call, identity: Decision) -> dict[str, Any]:
    """Record that a decision was reviewed and is still valid."""
    from cuedeck.work.decisions import supersede_decision as work

    return work.confirm(call.workspace, identity)


@operation(
    "decision export",
    "cuedeck decision export\ncuedeck decision export doc/adr --all",
    lambda answer: answer["written"] or f"{answer['folder']} is up to date",
)
def export(
    call: Call,
    folder: Annotated[str, Param("place", "[DIR]")] = "",
    *,
    everything: bool = False,
) -> dict[str, Any]:
    """Write decisions as Markdown files into DIR.

    DIR is docs/adr by default. Files that this command did not write are never changed.

    Args:
        everything --all: Include superseded and rejected decisions.
    """
    from cuedeck.work.decisions.export_adr import export_decisions

    return export_decisions(call.workspace, folder, everything=everything)


def _decided(answer: Mapping[str, Any]) -> str:
    old = answer["supersedes"]
    instead = f" (supersedes {old})" if old else ""
    return f"{answer['id']}  {answer['decision']}{instead}"


_DECIDE = Tool(
    "decide",
    "Record a decision",
    "Log a decision (ADR) with its rationale. Later scenes with an affected file show it.",
    (
        Field("text", required=True, also=("decision",)),
        Field("because", also=("rationale", "reason", "why")),
        Field("alternatives", "texts", about="rejected choices, with reasons"),
        Field("affects", "names", about="addresses", also=("files", "file")),
        Field("impact", "texts"),
        Field("subject"),
        Field("supersedes", about="id of the decision it replaces"),
    ),
    writes=True,
)


@operation(
    "decide",
    'cuedeck decide "Use bcrypt for password hashing" --because "Industry standard, proven secure" \\\n'
    '    --alternative "argon2 (slower)" --file src/auth.py --impact "user model"\n'
    'cuedeck decide "Use argon2" --because "bcrypt cuts long passwords" --supersedes k3f\n'
    "cuedeck decide --from statement:9f2c1a7b",
    _decided,
    notes=warnings_of,
    tool=_DECIDE,
)
def decide(
    call: Call,
    text: Words = "",
    *,
    statement: str = "",
    date: str = "",
    because: str = "",
    alternatives: Many = (),
    file: Address = "",
    affects: Addresses = (),
    impact: Many = (),
    subject: str = "",
    card: OwnCard = "",
    supersedes: Decision = "",
    status: Annotated[str, Param(choices=("accepted", "rejected"))] = "accepted",
) -> dict[str, Any]:
    """Record a decision with its reason.

    Args:
        statement --from ADDRESS: Captured decision, choice or rule to record: text,
            reason, files and date that no option gives.
        date DATE: Time of the decision.  [default: now]
        because: The reason.
        alternatives --alternative: Alternative that was not chosen.
        file: File that the decision is mainly about.
        affects: Doc, file or symbol that the decision applies to.
        impact WORDS: Consequence of the decision, in words.
        subject WORDS: Topic of the decision.  [default: its text]
        supersedes: Decision that this one replaces.
        status: `rejected` records a choice against TEXT.
    """
    from cuedeck.work.decisions import create_decision as work

    if not text and not statement:
        raise UsageError(
            "give TEXT, or --from with a captured statement",
            hint="see `cuedeck decide --help`",
        )
    wanted = work.NewDecision(
        text=text,
        because=because,
        alternatives=alternatives,
        file=file or None,
        affects=affects,
        impact=impact,
        subject=subject,
        card=card,
        supersedes=supersedes or None,
        status=status,
        date=date,
        statement=statement,
    )
    return work.decide(call.workspace, wanted)


topic(
    "attempt",
    """Record and list failed attempts.

    A scene shows the attempts on the files that it shows.
    """,
    'cuedeck attempt add --on src/auth.py --tried "a retry loop" --failed "the token is gone by then"',
)


@operation(
    "attempt add",
    'cuedeck attempt add --on src/auth.py#refresh --tried "a retry loop" --failed "the token is gone by then"\n'
    'pytest 2>&1 | cuedeck attempt add --on src/auth.py --tried "asyncio" --failed "deadlock" --error -',
    lambda answer: f"{answer['id']}  {answer['tried']}",
    notes=warnings_of,
)
def add_attempt(
    call: Call,
    *,
    on: Addresses,
    tried: str,
    failed: str,
    error: Annotated[str, Param("place", "FILE", stdin="output")] = "",
    card: OwnCard = "",
) -> dict[str, Any]:
    """Record a failed attempt.

    Args:
        on: File or symbol of the attempt.
        tried: The attempt.
        failed: How it failed.
        error: File with the error output, or `-` for stdin. Its end is kept.
    """
    from cuedeck.work.decisions import failed_attempts as work

    if error and not isinstance(error, Piped):
        error = work.read_error(error)
    attempt = work.NewAttempt(on, tried, failed, error, card)
    return work.add_attempt(call.workspace, attempt)


def _attempt_table(attempts: list[dict[str, Any]]) -> str:
    columns = [Column("id"), Column("tried", wraps=True), Column("failed", wraps=True)]
    rows = []
    for each in attempts:
        places = " ".join(each["on"])
        row = (each["id"], each["tried"], each["failed"], places, each["mark"])
        rows.append(row)
    return table([*columns, Column("on"), _CODE], rows)


@operation("attempt list", "cuedeck attempt list --on src/auth.py", notes=problem_lines)
def list_attempts(call: Call, *, on: OnlyAddress = "") -> Answer:
    """List failed attempts, newest last.

    Args:
        on: Only attempts on this file, symbol or folder.
    """
    from cuedeck.work.decisions import failed_attempts as work

    nothing = "no failed attempts there" if on else "no failed attempts"
    return Answer(
        work.list_attempts(call.workspace, on or None),
        lambda answer: _attempt_table(answer["attempts"]) or nothing,
    )
