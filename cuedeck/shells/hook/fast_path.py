"""Fast path of hooks: detect from a few files that an event needs no processing, or
that another hook handles it.
"""

from __future__ import annotations

import json
import os
import time

from cuedeck.agents.hosts import all_hosts, find_hooks, hooks_of
from cuedeck.agents.hosts.base import POSSIBLE
from cuedeck.model.errors import StorageError
from cuedeck.model.hook_event import (
    FOLDER,
    MEMORY,
    NOTHING,
    PROGRESS_SECONDS,
    SCENE,
    SCHEMA,
    HookEvent,
    file_name,
    stat_row,
    turn_mark,
)
from cuedeck.store.capture_consent import is_agreed
from cuedeck.store.files import nofollow
from cuedeck.store.files.home_place import HOME, home_place
from cuedeck.store.files.private_folder import private_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cuedeck.agents.hosts.base import Hooks
    from cuedeck.model.ports import JsonView

_HOME = ".cuedeck"
_UNREADABLE = (OSError, StorageError, ValueError, KeyError, TypeError, AttributeError, RecursionError)  # fmt: skip
"""Errors of reading the file of a session that another version may have written."""
_OF_HOME = (".cuedeck/cards/", ".cuedeck/docs/")
_REFUSED = (
    "is not read: it is not below the folder of an agent host; set the variable that"
    " moves this folder, such as CLAUDE_CONFIG_DIR, for hooks, too"
)


def find_root(starts: tuple[str, ...]) -> str:
    """Return the nearest folder with `.cuedeck/` at or above the first start that has
    one; empty if none.
    """
    for start in starts:
        folder = ""
        if start and "\0" not in start:
            folder = os.path.realpath(start)
        while folder:
            if os.path.isdir(os.path.join(folder, _HOME)):
                return folder
            above = os.path.dirname(folder)
            folder = above if above != folder else ""
    return ""


def refuse_transcript(request: HookEvent, hooks: Hooks) -> None:
    """Remove the path of a transcript from a request, unless it is below a folder in
    which its host writes them, or another host, because a host may run the hooks of
    another one.
    """
    try:
        place = os.path.realpath(request.transcript)
    except ValueError:  # a NUL in the path
        place = ""
    if not request.transcript or _is_written_by(hooks, place):
        return
    for host in all_hosts():
        if host.hooks is not None and _is_written_by(host.hooks, place):
            return
    request.problem = f"{request.transcript!r} {_REFUSED}"
    request.transcript = ""


def _is_written_by(hooks: Hooks, place: str) -> bool:
    folders = list(hooks.transcript.folders)
    own = hooks.user_path.removeprefix(HOME).partition("/")[0]
    if own:
        folders.append(f"{HOME}{own}/.")
    for folder in folders:
        above = os.path.realpath(home_place(folder))
        if place.startswith(above + os.sep):
            return True
    return False


def needed_work(root: str, request: HookEvent) -> int:
    """Return the work that an event needs; `SCENE` if this is uncertain."""
    if request.event == "post-tool" and not request.files:
        return NOTHING
    if request.event not in ("post-tool", "prompt"):
        return SCENE
    try:
        place = _session_file(root, request)
        known = json.loads(nofollow.read_file(place))
        if known["schema"] != SCHEMA:
            return SCENE
        find_work = _work_of_tool if request.event == "post-tool" else _work_of_prompt
        work = find_work(root, request, known)
        if work == NOTHING:
            nofollow.touch(place)  # marks the session as alive without writing
    except _UNREADABLE:
        return SCENE
    return work


def begin_turn(root: str, request: HookEvent) -> None:
    """Record that a new turn began, so that the agent's next message is new even if its
    text repeats.
    """
    if request.is_main:
        try:
            handle = nofollow.open_file(
                _turn_mark(root, request), os.O_WRONLY | os.O_CREAT
            )
            with open(handle, "wb") as file:
                # Same length as before: no reader sees a part.
                file.write(os.urandom(8).hex().encode())
        except (OSError, StorageError, ValueError):  # there is no hook state folder yet
            return


def may_keep_prompt(root: str, request: HookEvent) -> bool:
    """Return whether the text of a prompt is recorded: the prompt has words, a person
    wrote it, and the user agreed to record sessions.
    """
    return request.is_main and bool(request.prompt.strip()) and is_agreed(root)


def turn_of_prompt(request: HookEvent) -> str:
    """Return a text that distinguishes a prompt from an earlier one with the same
    words; equal for an event that the host sends twice.

    It is the host's id of the turn, its time of the event, or the size of the
    transcript, which grows between two prompts.
    """
    known = request.turn or request.timestamp
    if known or not request.transcript:
        return known
    try:
        return str(os.stat(request.transcript).st_size)
    except (OSError, ValueError):
        return ""


def turn_of(root: str, request: HookEvent) -> str:
    """Return the id of the current turn: the host's id, and the mark written at the
    last prompt.
    """
    try:
        return request.turn + nofollow.read_file(_turn_mark(root, request)).decode(
            "ascii"
        )
    except (OSError, StorageError, ValueError):
        return request.turn


def files_inside(root: str, request: HookEvent) -> tuple[str, ...]:
    """Return the workspace-relative paths of the files of an event; files outside it
    are omitted.
    """
    paths = (_inside(root, request.folder, file) for file in request.files)
    return tuple(path for path in paths if path)


def _turn_mark(root: str, request: HookEvent) -> str:
    return turn_mark(_session_file(root, request))


def _session_file(root: str, request: HookEvent) -> str:
    """Return the file that is kept for a session of a host. Raises: StorageError."""
    cache = os.path.join(root, _HOME, "cache", private_name(root))
    return os.path.join(cache, FOLDER, file_name(request))


def _inside(root: str, folder: str, file: str) -> str:
    """Return the workspace-relative path of a file; empty if it is outside or an
    internal file.
    """
    named = os.path.join(folder or root, os.path.expanduser(file))
    above, name = os.path.split(named)
    if not name:
        return ""
    folder = os.path.realpath(above)
    place = os.path.join(folder, name)
    is_inside = place.startswith(root.rstrip(os.sep) + os.sep)
    if not is_inside or os.path.isdir(place):
        return ""
    below = place[len(root) :].strip(os.sep)
    path = below.replace(os.sep, "/")
    if path.startswith(_OF_HOME):
        return path
    is_internal = path.startswith((".git/", f"{_HOME}/"))
    return "" if is_internal else path


def _work_of_prompt(root: str, request: HookEvent, known: JsonView) -> int:
    """Return the work of a prompt: a scene if anything has changed since the session
    was last given it.
    """
    if known["given"] is None or known["compacted"] or known["ended"]:
        return SCENE
    for path, mark in known["prints"].items():
        if mark is None or _print(root, path) != mark:
            return SCENE
    if not 0 <= time.time() - known["progress_at"] < PROGRESS_SECONDS:
        return MEMORY
    if not known["asks"] or not request.is_main:
        return NOTHING
    text = request.prompt.strip()
    # A single word, such as `thanks` or a command, names no subject; a text in a script
    # without spaces may.
    if " " in text or not text.isascii():
        return MEMORY
    return NOTHING


def _work_of_tool(root: str, request: HookEvent, known: JsonView) -> int:
    """Return the work of a tool: none if all its files are recorded with this role and
    have not changed, and the statements about them were given.
    """
    is_answered = known["asks"] and hooks_of(request.host).context_name("post-tool")
    for path in request.files:
        role, mark = known["touched"][path]
        if is_answered and f"file {path}" not in known["recalled"]:
            return SCENE
        if role not in (request.role, "both") or _print(root, path) != mark:
            return SCENE
    return NOTHING


def _print(root: str, place: str) -> list[int]:
    try:
        return stat_row(os.stat(os.path.join(root, place)))
    except (OSError, ValueError):
        return []


_LARGEST_SETTINGS = 1 << 20
"""Maximum number of bytes of a settings file that is searched."""


def is_handled_elsewhere(
    root: str, event: str, hooks: Hooks, form: str, data: bytes
) -> bool:
    """Return whether another hook handles an event; `form` names the settings that
    contain this hook, and `data` is the request.

    A host may run hooks of several files. An event is handled by the first that has a
    hook for it: the host's own files go before those of another host, then the
    repository before the checkout before the user.
    """
    forms = {"": hooks.path, "local": hooks.local_path, "user": hooks.user_path}
    own = _place(root, forms.get(form, hooks.path))
    names = list(forms)
    before = names[: names.index(form)] if form in forms else []
    for name in before:
        place = _place(root, forms[name])
        if forms[name] and place != own and _has_hook(place, event):
            return True
    for name, paths in hooks.run_by:
        places = [_place(root, path) for path in paths]
        is_set_up = any(_has_hook(place, event) for place in places)
        if is_set_up and _sent(name, data):
            return True
    return False


def _place(root: str, path: str) -> str:
    if path.startswith(HOME):
        return os.path.realpath(home_place(path))
    return os.path.realpath(os.path.join(root, path))


def _has_hook(place: str, event: str) -> bool:
    try:
        with open(place, "rb") as file:
            text = file.read(_LARGEST_SETTINGS)
    except OSError:
        return False
    return f"cuedeck hook {event} ".encode() in text


def _sent(host: str, data: bytes) -> bool:
    hooks = find_hooks(host)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    if hooks is None or not isinstance(value, dict):
        return False
    return hooks.recognise(value) > POSSIBLE
