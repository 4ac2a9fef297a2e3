"""The state of a scene that an agent session was given, the stat rows of the files that
concern the session, and the changes since then as text. If no stat row has changed,
there is nothing to report.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from cuedeck.context.blocks.blocks_fingerprint import EXPERIENCES, LEDGERS, MEMORY
from cuedeck.context.scene.build_scene import BuiltScene, make_or_idle, write_scene
from cuedeck.ledger.kinds.decision_kind import DECISION, accepted_decisions
from cuedeck.ledger.sessions.agent_sessions import print_as_indexed, print_at
from cuedeck.model.agent_session import Given, Shown
from cuedeck.model.entry_node import CORTEX_KIND, ENTRY_KINDS
from cuedeck.model.paths import HOME, OPEN_SESSION, SCENE, SESSIONS, ledger_path
from cuedeck.parse.fence import named, quoted
from cuedeck.store.git.head import find_repository, follow_head
from cuedeck.text.plain_text import plain_line
from cuedeck.work.sessions.scene_context import failing_assumptions
from cuedeck.work.sessions.session_working_set import (
    changes_since,
    hashes_now,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.kinds.decision_kind import Decision
    from cuedeck.ledger.ledger import Ledger
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.agent_session import Given, HostSession, StatRow
    from cuedeck.model.ports import JsonView
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


_ENTRY = re.compile(
    r"`(?:assumption|attempt|decision|experience|record):([\w.-]+)[^`\n]*`"
)
_CHARACTERS = 3_000
_MORE = "- and {} more\n"
_MOST_RELATED = 5
_HEAD = "Changes in this project since the last prompt (scene {} → {}, in `.cuedeck/SCENE.md`):\n\n"


def describe_changes(
    workspace: Workspace,
    known: HostSession,
    now: Given,
    visits: Sequence[JsonView],
    failed: Sequence[JsonView],
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
        *_file_rows(workspace, before, now, own, visits),
        *_decision_rows(workspace.ledger.entries(DECISION), before, now),
    ]
    for each in failed:
        if each["id"] not in before.assumptions:
            rows.append(f"- {quoted(each['message'], LONGEST_REASON)}\n")
    if not rows:
        return ""
    head = _HEAD.format(before.receipt[:12], now.receipt[:12])
    return head + fit_rows(rows, _CHARACTERS - len(head))


def fit_rows(rows: Sequence[str], room: int) -> str:
    """Return the first rows that fit in `room` characters, with a count of the others
    and a blank line.
    """
    room -= len(_MORE.format(len(rows))) + 1
    ends = accumulate(map(len, rows))
    fitting = sum(end <= room for end in ends)
    omitted = len(rows) - fitting
    more = _MORE.format(omitted) if omitted else ""
    return "".join(rows[:fitting]) + more + "\n"


def _file_rows(
    workspace: Workspace,
    before: Given,
    now: Given,
    own: Collection[str],
    visits: Sequence[JsonView],
) -> Iterator[str]:
    """Yield a row for each file that others changed, and for each file that the scene
    links now; `own` are the files that the agent itself wrote last.
    """
    linked_before, linked_now = _linked(before), _linked(now)
    known = {}
    for path in [path for path in before.files if path not in own]:
        if path in linked_before or path in now.files:
            known[path] = before.files[path].hash
    hashes = hashes_now(workspace.paths, workspace.tree, known)
    for change in changes_since(workspace.index, known, hashes):
        yield f"- {named(change.path)}: {shorten_line(change.change)}\n"
    reasons = {each["path"]: each["why"] for each in reversed(visits)}
    for path in linked_now:
        if path not in linked_before and path not in own:
            reason = shorten_line(reasons[path])
            yield f"- {named(path)} was added to the scene: {reason}\n"
    for path in linked_before:
        if path not in linked_now and hashes.get(path, path):
            yield f"- {named(path)} is no longer linked\n"
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
    ended = set(before.decisions) - set(now.decisions)
    rows = []
    for each in decisions:
        if each.id in now.decisions and each.id not in before.decisions:
            ended.discard(each.supersedes)
            line = quoted(DECISION.line(each), LONGEST_REASON)
            address = named(f"decision:{each.id}")
            rows.append(f"- decision: {line} ({address})\n")
    for identity in sorted(ended):
        rows.append(f"- decision {named(identity)} is no longer in force\n")
    return rows


def entries_in(text: str) -> tuple[str, ...]:
    """Return the ids of the ledger entries whose addresses a text contains."""
    return tuple(dict.fromkeys(_ENTRY.findall(text)))


LONGEST_REASON = 300
"""Maximal number of characters of a match reason or a change."""
_NOT_BY_HOOKS = (f"{HOME}/active", f"{HOME}/config.toml", EXPERIENCES)
"""Files that no hook writes."""
_JOURNAL = ledger_path("assumptions")
_SESSION_SUFFIXES = (".json", ".json.lz4")


def current_scene(workspace: Workspace, *, writes: bool = True) -> BuiltScene:
    """Return the scene, or the one for no active card; with `writes` update
    SCENE.md.
    """
    made = make_or_idle(workspace)
    if writes:
        write_scene(workspace, made.text)
    return made


def check_assumptions(workspace: Workspace) -> Sequence[JsonView]:
    """Update the index, check all assumptions and return the failing ones."""
    workspace.refresh()
    return failing_assumptions(workspace)


def scene_snapshot_of(
    index: Index, ledger: Ledger, made: BuiltScene, failed: Iterable[JsonView]
) -> Given:
    """Return the state of a scene that was just built, with its failing assumptions."""
    files: dict[str, Shown] = {}
    for each in made.report["visits"]:  # explicitly linked files come first
        if each["kind"] not in ("folder", *ENTRY_KINDS):
            files.setdefault(
                each["path"], Shown(each["tier"], index.hash(each["path"]))
            )
    decisions = tuple(each.id for each in accepted_decisions(ledger.entries(DECISION)))
    failing_ids = tuple(each["id"] for each in failed)
    return Given(
        made.report["receipt"], made.report["card"] or "", files, decisions, failing_ids
    )


def shorten_line(text: str) -> str:
    """Return a text on one line, cut to `LONGEST_REASON` characters; `…` marks the
    cut.
    """
    line = plain_line(text)
    if len(line) <= LONGEST_REASON:
        return line
    return line[: LONGEST_REASON - 1].rstrip() + "…"


def stat_shared_files(paths: WorkspacePaths) -> dict[str, StatRow]:
    """Return the stat rows of the files that others write. Call it before building a
    scene, so no change is lost.
    """
    ledgers = [path for path in LEDGERS if path != _JOURNAL]
    root = paths.root
    files = map(paths.from_root, (*_NOT_BY_HOOKS, *ledgers))
    return {path: stat_now(root, path) for path in (*files, *_head_files(root))}


def stat_all_files(
    workspace: Workspace,
    before: Mapping[str, StatRow],
    visits: Sequence[JsonView],
) -> dict[str, StatRow]:
    """Return the stat rows of SCENE.md and of the files of a scene as they were when it
    was built, and of those that hooks write; `before` are those that others write.
    """
    paths, root = workspace.paths, workspace.paths.root
    rows = dict(before)
    # Without a row for SCENE.md the next event continues to read an unfinished history
    # or memory.
    rows[SCENE] = None if workspace.is_unfinished else stat_now(root, SCENE)
    for each in visits:
        path = each["path"]
        if each["kind"] not in ENTRY_KINDS:
            rows[path] = print_as_indexed(workspace.index, paths, path)
        elif each["kind"] == CORTEX_KIND:
            path = paths.from_root(path)
            rows[path] = stat_now(root, path)
    return {**rows, **_stat_own_files(paths, workspace.sessions)}


def _stat_own_files(
    paths: WorkspacePaths, sessions: SessionFiles
) -> dict[str, StatRow]:
    """Return the stat rows of the journal, the memory, the pointer to the open session
    and its possible files.
    """
    names = [OPEN_SESSION, MEMORY]
    identity = sessions.pointed()
    if identity:
        names += [f"{SESSIONS}/{identity}{suffix}" for suffix in _SESSION_SUFFIXES]
    files = [_JOURNAL, *map(paths.from_root, names)]
    return {path: stat_now(paths.root, path) for path in files}


def with_own_writes(
    workspace: Workspace, known: HostSession, more: Mapping[str, StatRow] | None = None
) -> HostSession:
    """Return the agent session with current stat rows of the files that hooks write,
    and the rows `more`.

    Therefore writes of a hook are not reported to the agent as changes.
    """
    own = _stat_own_files(workspace.paths, workspace.sessions)
    rows = {**known.prints, **own, **(more or {})}
    return known._replace(prints=rows)


def stat_now(root: str, path: str) -> StatRow:
    """Return the current stat row of a file."""
    return print_at(os.path.join(root, path))


def _head_files(root: str) -> list[str]:
    repository = find_repository(root)
    if repository is None:
        return []
    names = (
        *follow_head(repository).refs,
        "packed-refs",
        "shallow",
        "reftable/tables.list",
    )
    paths = [os.path.join(repository.private, "HEAD")]
    paths += [os.path.join(repository.common, name) for name in names]
    inside = os.path.join(root, "")
    return [path.removeprefix(inside) for path in paths]
