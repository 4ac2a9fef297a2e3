"""The changes of a scene since an agent session was last given it, as text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.agents.hooks.brief_plan import Part, fit_parts
from cuedeck.agents.hooks.hook_context import HookContext, HookResult
from cuedeck.agents.hooks.scene_state import (
    LONGEST_REASON,
    check_assumptions,
    current_scene,
    scene_snapshot_of,
    shorten_line,
    stat_all_files,
    stat_now,
    stat_shared_files,
)
from cuedeck.engine.mask_answers import mask_value
from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.ledger.sessions.working_set import Change
from cuedeck.parse.fence import named, quoted
from cuedeck.work.sessions.session_working_set import (
    changes_since,
    hashes_now,
    paths_without_secrets,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.kinds.decision_kind import Decision
    from cuedeck.model.agent_session import Given, HostSession

_ENTRY = re.compile(
    r"`(?:assumption|attempt|decision|experience|record):([\w.-]+)[^`\n]*`"
)
_CHARACTERS = 3_000
_MOST_RELATED = 5
_HEAD = "Changes in this project since the last prompt (scene {} → {}, in `.cuedeck/SCENE.md`):\n\n"


class FileChanges(NamedTuple):
    """The files that differ between two states of a scene, by kind of change."""

    changed: Sequence[Change]
    """Files with another content, renamed and deleted files, by path."""
    linked: Sequence[str]
    """Files that are explicitly linked now."""
    unlinked: Sequence[str]
    """Files that are not explicitly linked any more, without deleted ones."""
    related: Sequence[str]
    """Related files that were not in the scene before."""


def report_changes(context: HookContext) -> HookResult:
    """Update SCENE.md and return what changed in it. If another card is active, return
    the whole brief.
    """
    # Imported here: `stop` needs the changes, but no brief.
    from cuedeck.agents.hooks.session_brief import audience_of, make_brief

    workspace, event, known = context.workspace, context.event, context.known
    assert known.given is not None
    before = stat_shared_files(workspace.paths)
    failed = check_assumptions(workspace)
    made = current_scene(workspace)
    now = scene_snapshot_of(workspace, made, failed)
    visits = made.report["visits"]
    is_other_card = mask_value(now.card, workspace) != known.given.card
    if is_other_card:
        _, text, records = make_brief(workspace, (), audience_of(event, known))
    else:
        text, records = describe_changes(workspace, known, now, visits, failed), ()
    recalled = dict.fromkeys([*known.recalled, *records, *entries_in(text)])
    prints = stat_all_files(workspace, before, visits)
    asks = workspace.settings.recall.in_prompts
    known = known._replace(
        given=now, recalled=tuple(recalled), prints=prints, asks=asks
    )
    return HookResult(known, text)


def describe_changes(
    workspace: Workspace,
    known: HostSession,
    now: Given,
    visits: Sequence[Mapping[str, Any]],
    failed: Sequence[Mapping[str, Any]],
) -> str:
    """Return the changes since the scene that the agent was given; empty without
    changes by others.

    The index must be up to date; `visits` and `failed` belong to the scene of `now`.
    """
    before = known.given
    if before is None:
        return ""
    changes = _classify_files(
        workspace, before, now, _own_files(workspace.paths.root, known)
    )
    rows = [
        *_file_rows(changes, now, visits),
        *_decision_rows(workspace.ledger.entries(DECISION), before, now),
    ]
    for each in failed:
        if each["id"] not in before.assumptions:
            rows.append(f"- {quoted(each['message'], LONGEST_REASON)}\n")
    if not rows:
        return ""
    head = _HEAD.format(before.receipt[:12], now.receipt[:12])
    masked: str = mask_value(fit_parts([Part(head, rows)], _CHARACTERS), workspace)
    return masked


def _own_files(root: str, known: HostSession) -> set[str]:
    """Return the files that the agent itself wrote last."""
    return {
        path
        for path, each in known.touched.items()
        if each.print == stat_now(root, path)
    }


def _classify_files(
    workspace: Workspace, before: Given, now: Given, own: Collection[str]
) -> FileChanges:
    """Return the files that others changed, and the changes of the scene; names with
    secrets are left out.
    """
    linked_before = _linked(before)
    linked_now = _linked(now)
    known = _compared_hashes(before, now, own)
    hashes = hashes_now(workspace, known)
    changed = changes_since(workspace.index, known, hashes)
    deleted = {each.path for each in changed if not hashes[each.path]}
    linked = _difference(linked_now, linked_before, own)
    unlinked = _difference(linked_before, linked_now, deleted)
    related = _difference(now.files, before.files, linked_now, own)
    paths = [each.path for each in changed]
    paths += linked
    paths += unlinked
    paths += related
    shown = frozenset(paths_without_secrets(workspace, dict.fromkeys(paths)))
    return FileChanges(
        changed=[each for each in changed if each.path in shown],
        linked=[path for path in linked if path in shown],
        unlinked=[path for path in unlinked if path in shown],
        related=[path for path in related if path in shown],
    )


def _difference(paths: Iterable[str], *others: Collection[str]) -> list[str]:
    """Return the paths that are in none of the others."""
    return [path for path in paths if not any(path in other for other in others)]


def _compared_hashes(before: Given, now: Given, own: Collection[str]) -> dict[str, str]:
    """Return the content hashes of the linked files, and of the related files that are
    still in the scene.
    """
    hashes: dict[str, str] = {}
    for path, each in before.files.items():
        is_relevant = each.tier == "explicit" or path in now.files
        if is_relevant and path not in own:
            hashes[path] = each.hash
    return hashes


def _linked(given: Given) -> list[str]:
    return [path for path, each in given.files.items() if each.tier == "explicit"]


def _file_rows(
    changes: FileChanges, now: Given, visits: Sequence[Mapping[str, Any]]
) -> list[str]:
    reasons = {each["path"]: each["why"] for each in reversed(visits)}
    rows = [_changed_row(each) for each in changes.changed]
    rows += [_linked_row(path, reasons[path]) for path in changes.linked]
    rows += [
        _unlinked_row(path, is_related=path in now.files) for path in changes.unlinked
    ]
    if changes.related:
        rows.append(_related_row(changes.related))
    return rows


def _changed_row(change: Change) -> str:
    return f"- {named(change.path)}: {shorten_line(change.change)}\n"


def _linked_row(path: str, reason: str) -> str:
    return f"- {named(path)} was added to the scene: {shorten_line(reason)}\n"


def _unlinked_row(path: str, *, is_related: bool) -> str:
    if is_related:
        return f"- {named(path)} is no longer linked; it is now a related file\n"
    return f"- {named(path)} was removed from the scene\n"


def _related_row(paths: Sequence[str]) -> str:
    names = ", ".join(map(named, paths[:_MOST_RELATED]))
    omitted = len(paths) - _MOST_RELATED
    more = ""
    if omitted > 0:
        more = f" and {omitted} more"
    return f"- new related files: {names}{more}\n"


def _decision_rows(
    decisions: Sequence[Decision], before: Given, now: Given
) -> list[str]:
    """Return a row for each new decision, and for each one that ended without a
    replacement.
    """
    known = {each.id: each for each in decisions}
    new = []
    for identity in now.decisions:
        if identity not in before.decisions:
            new.append(known[identity])
    replaced = {each.supersedes for each in new}
    rows = []
    for each in new:
        line = quoted(DECISION.line(each), LONGEST_REASON)
        address = named(f"decision:{each.id}")
        rows.append(f"- decision: {line} ({address})\n")
    for identity in before.decisions:
        if identity not in now.decisions and identity not in replaced:
            rows.append(f"- decision {named(identity)} is no longer in force\n")
    return rows


def entries_in(text: str) -> tuple[str, ...]:
    """Return the ids of the ledger entries whose addresses a text contains."""
    return tuple(dict.fromkeys(_ENTRY.findall(text)))
