"""What changed in a scene since a session of a host was last told of it, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.decisions.decision_repository import decisions_of
from cuedeck.app.hooks.watched_files import print_now
from cuedeck.app.sessions.session_working_set import hashes_now, speakable
from cuedeck.parse.plain_text import plain_line
from cuedeck.records.decision_text import decision_line
from cuedeck.records.working_set import compare
from cuedeck.scene.fence import named, quoted
from cuedeck.store.cache.file_versions import lines_of

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.agent_session import Given, HostSession

LONGEST_REASON = 300
"""Characters of why a file is named, or of what became of it."""
_CHARACTERS = 3_000
_MOST_RELATED = 5
_HEAD = "Changed in this project since the last prompt (scene {} → {}, in `.cuedeck/SCENE.md`):\n\n"


def tell_news(
    project: Workspace,
    known: HostSession,
    now: Given,
    visits: Sequence[Mapping[str, Any]],
    failed: Sequence[Mapping[str, Any]],
) -> str:
    """Return what is different from what a session was given; empty where nothing is that it does not know itself.

    The index is up to date; `visits` and `failed` belong to the scene of `now`.
    """
    before = known.given
    if before is None:
        return ""
    own = _own(project, known)
    rows = [*_files(project, before, now, visits, own), *_decisions(project, before, now)]
    rows += [
        f"- {quoted(each['message'], LONGEST_REASON)}\n" for each in failed if each["id"] not in before.assumptions
    ]
    if not rows:
        return ""
    from cuedeck.app.mask_answers import mask_value
    from cuedeck.scene.brief_plan import Part, fit_parts

    head = _HEAD.format(before.receipt[:12], now.receipt[:12])
    return mask_value(fit_parts([Part(head, rows)], _CHARACTERS), project)


def _own(project: Workspace, known: HostSession) -> set[str]:
    """Return the files that are as the agent itself left them."""
    return {path for path, each in known.touched.items() if each.print == print_now(project, path)}


def _files(
    project: Workspace, before: Given, now: Given, visits: Sequence[Mapping[str, Any]], own: set[str]
) -> list[str]:
    """Say which files changed, came and went; of files that nobody linked only what is worth a line."""
    of_interest = {path for path, each in before.files.items() if each.tier == "explicit" or path in now.files}
    known = {path: before.files[path].hash for path in before.files if path in of_interest and path not in own}
    held = hashes_now(project, known)
    elsewhere: dict[str, str] = {}
    if not all(held.values()):
        elsewhere = {path: project.index.hash(path) for path in project.index.paths() if path not in known}
    changes = compare(known, held, elsewhere, lambda hash_: lines_of(project.index, hash_))
    why = {each["path"]: each["why"] for each in reversed(visits)}
    linked, fresh = _linked(now), [path for path in now.files if path not in before.files]
    came = [path for path in linked if path not in _linked(before) and path not in own]
    gone = {each.path for each in changes if not held[each.path]}
    went = [path for path in _linked(before) if path not in linked and path not in gone]
    may = set(speakable(project, dict.fromkeys([*known, *fresh, *came, *went])))
    rows = [f"- {named(each.path)}: {cut(each.change, LONGEST_REASON)}\n" for each in changes if each.path in may]
    rows += [f"- {named(path)} came into the scene: {cut(why[path], LONGEST_REASON)}\n" for path in came if path in may]
    words = {path: "is no longer linked, but related" if path in now.files else "left the scene" for path in went}
    rows += [f"- {named(path)} {said}\n" for path, said in words.items() if path in may]
    related = [path for path in fresh if path not in linked and path not in own and path in may]
    if related:
        more = f" and {len(related) - _MOST_RELATED} more" if len(related) > _MOST_RELATED else ""
        rows.append(f"- related, and new in it: {', '.join(map(named, related[:_MOST_RELATED]))}{more}\n")
    return rows


def _linked(given: Given) -> list[str]:
    return [path for path, each in given.files.items() if each.tier == "explicit"]


def _decisions(project: Workspace, before: Given, now: Given) -> list[str]:
    """Say what was decided, and what no longer stands without anything in its place."""
    known = {each.id: each for each in decisions_of(project)}
    fresh = [known[identity] for identity in now.decisions if identity not in before.decisions]
    rows = [
        f"- decision: {quoted(decision_line(each), LONGEST_REASON)} ({named(f'decision:{each.id}')})\n"
        for each in fresh
    ]
    replaced = {each.supersedes for each in fresh}
    ended = [identity for identity in before.decisions if identity not in now.decisions and identity not in replaced]
    return rows + [f"- decision {named(identity)} no longer stands\n" for identity in ended]


def cut(text: str, most: int) -> str:
    """Return a text on one line, its end shown by `…` where it is too long."""
    line = plain_line(text)
    return line if len(line) <= most else line[: max(0, most - 1)].rstrip() + "…"
