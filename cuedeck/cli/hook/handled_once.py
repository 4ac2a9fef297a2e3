"""Detection of a hook that does nothing because another hook handles the same event.

A host may run hooks of several files: of the repository, of one checkout, of the user,
and of other hosts. Every event is handled by the first of these that has a hook for it:
the host's own files go before those of other hosts, then the repository before the
checkout before the user.
"""

from __future__ import annotations

import json
import os

from cuedeck.hosts import find_hooks
from cuedeck.hosts.base import POSSIBLE
from cuedeck.store.fs.home_place import HOME, home_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cuedeck.hosts.base import Hooks
    from cuedeck.model.hook_event import HookEvent

LARGEST = 1 << 20
"""Maximum number of bytes of a settings file that is searched."""


def is_handled_elsewhere(root: str, request: HookEvent, form: str, data: bytes) -> bool:
    """Return whether another hook handles the event; `form` names the settings that
    contain this hook, and `data` is the request.
    """
    hooks = find_hooks(request.host)
    if hooks is None:
        return False
    own = {"local": hooks.local_path, "user": hooks.user_path}.get(form, hooks.path)
    for path in _paths_before(hooks, form):
        is_other = _place(root, path) != _place(root, own)
        if is_other and _has_hook(_place(root, path), request.event):
            return True
    for name in hooks.run_by:
        other = find_hooks(name)
        if other is None:
            continue
        places = [_place(root, path) for path in (other.path, other.user_path) if path]
        is_set_up = any(_has_hook(place, request.event) for place in places)
        if is_set_up and _sent(other, data):
            return True
    return False


def _paths_before(hooks: Hooks, form: str) -> Iterator[str]:
    """Yield the files of the same host that go before those of a form."""
    if form in ("local", "user"):
        yield hooks.path
    if form == "user" and hooks.local_path:
        yield hooks.local_path


def _place(root: str, path: str) -> str:
    if path.startswith(HOME):
        return os.path.realpath(home_place(path))
    return os.path.realpath(os.path.join(root, path))


def _has_hook(place: str, event: str) -> bool:
    """Return whether a settings file has a command of CueDeck for an event."""
    try:
        with open(place, "rb") as file:
            text = file.read(LARGEST)
    except OSError:
        return False
    return f"cuedeck hook {event} ".encode() in text


def _sent(hooks: Hooks, data: bytes) -> bool:
    """Return whether a request came from a host with these hooks."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and hooks.recognise(value) > POSSIBLE
