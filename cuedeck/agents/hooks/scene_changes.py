"""The changes of a scene since an agent session was last given it, as text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
from cuedeck.parse.fence import named, quoted
from cuedeck.work.sessions.session_working_set import changes_since, hashes_now

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
        text, records = (
            describe_changes(
                workspace,
                known,
                now,
                visits,
                failed,
            ),
            (),
        )
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
    root = workspace.paths.root
    own = set()
    for path, used in known.touched.items():
        if used.print == stat_now(root, path):
            own.add(path)
    rows = [
        *_file_rows(
            workspace,
            before,
            now,
            own,
            visits,
        ),
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


def _file_rows(
    workspace: Workspace,
    before: Given,
    now: Given,
    own: Collection[str],
    visits: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    """Yield a row for each file that others changed, and for each change of the scene;
    `own` are the files that the agent itself wrote last.
    """
    linked_before, linked_now = _linked(before), _linked(now)
    known = {}
    for path in [path for path in before.files if path not in own]:
        if path in linked_before or path in now.files:
            known[path] = before.files[path].hash
    hashes = hashes_now(workspace, known)
    for change in changes_since(workspace.index, known, hashes):
        yield f"- {named(change.path)}: {shorten_line(change.change)}\n"
    reasons = {each["path"]: each["why"] for each in reversed(visits)}
    for path in linked_now:
        if path not in linked_before and path not in own:
            reason = shorten_line(reasons[path])
            yield f"- {named(path)} was added to the scene: {reason}\n"
    for path in linked_before:
        if path in linked_now or not hashes.get(path, path):
            continue
        if path in now.files:
            yield f"- {named(path)} is no longer linked; it is now a related file\n"
        else:
            yield f"- {named(path)} was removed from the scene\n"
    earlier = {*before.files, *linked_now, *own}
    yield from _related_row([path for path in now.files if path not in earlier])


def _related_row(paths: Sequence[str]) -> Iterator[str]:
    names = ", ".join(map(named, paths[:_MOST_RELATED]))
    omitted = len(paths) - _MOST_RELATED
    if omitted > 0:
        names += f" and {omitted} more"
    if paths:
        yield f"- new related files: {names}\n"


def _linked(given: Given) -> list[str]:
    return [path for path, each in given.files.items() if each.tier == "explicit"]


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
