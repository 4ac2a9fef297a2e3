"""Commands of assumptions: they are listed, checked, resolved, and added to the file
without changing its existing content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_given
from cuedeck.ledger.assumptions_toml import (
    add_assumption,
    parse_assumptions,
    spelled_check,
)
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.assumption_kind import (
    LOG,
    RESOLVED,
    UNKNOWN,
    assumption_row,
    read_assumptions,
    read_states,
    states,
)
from cuedeck.model.address import split_anchor
from cuedeck.model.assumption import Assumption, Verdict
from cuedeck.model.errors import Invalid, TooLong
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.model.secret import without_placeholders
from cuedeck.parse.sections import slugify
from cuedeck.store.files.disk import (
    LARGEST_TOML,
    create,
    read_bytes,
    user_file,
    write_atomic,
)
from cuedeck.store.files.file_lock import FILES, locked
from cuedeck.store.files.named_files import NamedFiles
from cuedeck.work.assumptions.access_policy import Privacy
from cuedeck.work.assumptions.check_assumptions import (
    Judged,
    evaluate,
    judge_all,
    status_row,
)
from cuedeck.work.sessions.scene_context import sync_session

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.assumption import Check
    from cuedeck.model.entry_node import LedgerEntry
    from cuedeck.model.ports import Json
    from cuedeck.store.workspace_paths import WorkspacePaths

LONGEST = 4_000
"""Characters of the text and of the impact."""
_LONGEST_ID = 40
"""Characters of an id that is made of the text."""
_LONGEST_GIVEN_ID = 200


class NewAssumption(NamedTuple):
    """Values of a new assumption."""

    text: str
    id: str = ""
    """Id; derived from the text if empty."""
    impact: str = ""
    affects: tuple[str, ...] = ()
    check: str = ""
    """Check in the syntax of the command line: `contains=src/api.py:router.get`."""


def list_assumptions(workspace: Workspace) -> Json:
    """Return every assumption with its status in the ledger, without running checks."""
    found = read_assumptions(workspace.paths)
    known = read_states(workspace.ledger) if found.items else {}
    rows = [assumption_row(each, known.get(each.id, UNKNOWN)) for each in found.items]
    faults = [each._asdict() for each in found.faults]
    return {"assumptions": rows, "diagnostics": faults}


def check_assumptions(
    workspace: Workspace, wanted: Sequence[str] = ()
) -> tuple[Json, bool]:
    """Check assumptions and record status changes; return the results and whether all
    checked assumptions are well.

    Raises: NotFound, Ambiguous for an id; Locked, StorageError.
    """
    workspace.refresh()
    found = evaluate(workspace, wanted)
    if found.changed:
        sync_session(workspace)
    judged = {each.assumption.id: each for each in found.judged}
    answer = {
        "assumptions": [
            _checked_row(each, found.status(each.id), judged.get(each.id))
            for each in found.assumptions
        ],
        "diagnostics": [each._asdict() for each in found.diagnostics],
    }
    has_error = any(each.level == "error" for each in found.diagnostics)
    return answer, not found.failing and not has_error


def _checked_row(assumption: Assumption, status: str, judged: Judged | None) -> Json:
    verdict = judged.verdict if judged else Verdict(False, "", "no check")
    return {
        "id": assumption.id,
        "text": assumption.text,
        "holds": None if verdict.fault else verdict.holds,
        "status": status,
        "evidence": verdict.evidence,
        "where": verdict.where,
        "message": judged.message or verdict.fault if judged else "",
    }


def resolve_assumption(workspace: Workspace, text: str, because: str = "") -> Json:
    """Record that the user has resolved a failing assumption.

    Raises: NotFound, Ambiguous; Invalid for an assumption that holds.
    """
    items = {each.id: each for each in read_assumptions(workspace.paths).items}
    identity = pick(text, list(items), "assumption")
    workspace.refresh()
    judged = workspace.settled(lambda: judge_all(workspace, [items[identity]]))
    if judged and judged[0].verdict.holds:
        message = f"`{identity}` holds: {judged[0].verdict.evidence}"
        raise Invalid(message, hint="only a failing assumption can be resolved")
    evidence = mask_given(" ".join(because.split()), workspace)

    def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
        if states(entries).get(identity, UNKNOWN).status == RESOLVED:
            return []
        return [status_row(identity, now, RESOLVED, evidence)]

    written = workspace.ledger.append(LOG, make)
    if written:
        sync_session(workspace)
    return {"id": identity, "status": RESOLVED, "changed": bool(written)}


def add_new(workspace: Workspace, wanted: NewAssumption) -> Json:
    """Write an assumption with masked secrets; return its JSON, including whether it
    holds now.

    Raises: Invalid with nothing written; Locked, StorageError.
    """
    masked = mask_given(wanted, workspace)
    shown = _checked(masked)
    if masked.check != wanted.check:
        hint = "nothing was written; check where the value is defined, not the value"
        raise Invalid("the check contains a secret", hint=hint)
    made = _append(workspace.paths, shown, _read_check(workspace, wanted.check))
    workspace.refresh()
    judged = workspace.settled(lambda: judge_all(workspace, [made]))
    verdict = judged[0].verdict if judged else None
    sync_session(workspace)
    return {
        "id": made.id,
        "path": ASSUMPTIONS,
        "holds": None if verdict is None or verdict.fault else verdict.holds,
        "evidence": verdict.evidence or verdict.fault if verdict else "",
    }


def _checked(wanted: NewAssumption) -> NewAssumption:
    """Return an assumption with each text on one line. Raises: Invalid."""
    text = " ".join(wanted.text.split())
    impact = " ".join(wanted.impact.split())
    identity = " ".join(wanted.id.split())
    if not text:
        raise Invalid(
            "an assumption needs a text",
            hint='cuedeck assumption add "The project uses React"',
        )
    _check_length("text", text, LONGEST)
    _check_length("impact", impact, LONGEST)
    _check_length("id", identity, _LONGEST_GIVEN_ID)
    return wanted._replace(text=text, id=identity, impact=impact)


def _append(
    paths: WorkspacePaths, wanted: NewAssumption, check: Check | None
) -> Assumption:
    """Append an assumption to the file. Raises: Invalid, Locked, StorageError."""
    place = user_file(paths.root, ASSUMPTIONS)
    with locked(paths, FILES):
        data = read_bytes(place, LARGEST_TOML)
        taken = [each.id for each in parse_assumptions(data or b"").items]
        if wanted.id in taken:
            raise Invalid(
                f"the id `{wanted.id}` is taken", hint="give another id, or omit --id"
            )
        identity = wanted.id or _free_id(wanted.text, taken)
        made = Assumption(
            identity, wanted.text, wanted.impact, wanted.affects, check, line=0
        )
        added = add_assumption(data or b"", made)
        if data is not None:
            write_atomic(place, added, paths.cache)
        elif not create(place, added, paths.cache):
            problem = f"{ASSUMPTIONS} was created by another process at the same time"
            raise Invalid(problem, hint="run the command again")
    return made


def _read_check(workspace: Workspace, text: str) -> Check | None:
    if not text:
        return None
    check = spelled_check(text)
    workspace.refresh()  # the settings may declare more files as memory
    Privacy(workspace.paths, workspace.settings).check_named(check)
    path = check.word("path") or split_anchor(check.word("address"))[0]
    if path:
        # Refuses a path that leads out.
        NamedFiles(workspace.paths.root, workspace.index, workspace.texts).exists(path)
    return check


def _check_length(name: str, text: str, most: int) -> None:
    """Raises: TooLong for a text with more characters than `most`."""
    if len(text) > most:
        message = f"the {name} of an assumption must have at most {most:,} characters, got {len(text):,}"
        raise TooLong(message, hint="shorten it, or put it in a doc and name its path")


def _free_id(text: str, taken: Collection[str]) -> str:
    slug = slugify(without_placeholders(text).replace("_", " "))
    words = list(filter(None, slug.split("-")))
    while len(words) > 1 and len("-".join(words)) > _LONGEST_ID:
        words.pop()
    base = "-".join(words)[:_LONGEST_ID] or "assumption"
    identity, number = base, 1
    while identity in taken:
        number += 1
        identity = f"{base}-{number}"
    return identity
