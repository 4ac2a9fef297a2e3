"""Agent hosts, one module each.

A module of this package that defines `HOST` is registered automatically: no other
product file names a host. A hook imports the module of the named host alone;
`all_hosts` imports all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from operator import attrgetter

from cuedeck.agents.hosts.base import UNLIKELY, Hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cuedeck.agents.hosts.base import Host
    from cuedeck.parse.transcript import TranscriptFormat

DEFAULT_HOST = "claude"
"""Host that is assumed for a request that no host recognises."""


def find_host(name: str) -> Host | None:
    """Return a host by its name, importing only its module; None if it is unknown."""
    if not name.isidentifier():
        return None
    path = f"{__name__}.{name}"
    try:
        # `importlib` would double the time of this function.
        module = __import__(path, fromlist=["HOST"])
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return None
    return getattr(module, "HOST", None)


def find_hooks(name: str) -> Hooks | None:
    """Return the hooks of a host by its name; None for an unknown host and for one
    without hooks.
    """
    host = find_host(name)
    return host.hooks if host is not None else None


def hooks_of(name: str) -> Hooks:
    """Return the hooks of a host; hooks that accept no context if the host has none or
    is unknown.
    """
    return find_hooks(name) or _NO_HOOKS


@cache
def all_hosts() -> tuple[Host, ...]:
    """Return every host: those with hooks first, then those with a server, each by
    name.
    """
    from pkgutil import iter_modules

    modules = [find_host(module.name) for module in iter_modules(__path__)]
    found = [host for host in modules if host is not None]
    return tuple(
        sorted(
            found,
            key=lambda host: (host.hooks is None, not host.setup.server, host.name),
        )
    )


def hook_hosts() -> tuple[str, ...]:
    """Return the names of the hosts that have hooks of their own."""
    own = [host for host in all_hosts() if host.hooks is not None and not host.shares]
    return tuple(host.name for host in own)


def recognise(request: Mapping[str, object], default: str) -> str:
    """Return the name of the host that sent a request; `default` if none recognises
    it.
    """
    best = default
    best_certainty = UNLIKELY
    for host in all_hosts():
        if host.hooks is None or host.shares:
            continue
        certainty = host.hooks.recognise(request)
        if certainty > best_certainty:
            best = host.name
            best_certainty = certainty
    return best


@cache
def transcript_format() -> TranscriptFormat:
    """Return the names in the transcripts of all hosts, because a host may run the
    hooks of another one.
    """
    from cuedeck.parse.transcript import TranscriptFormat

    known = [host.hooks for host in all_hosts() if host.hooks is not None]

    def names(field: str) -> tuple[str, ...]:
        given = map(attrgetter(field), known)
        return tuple(dict.fromkeys(chain.from_iterable(given)))

    return TranscriptFormat(
        frozenset(names("transcript.agent")),
        frozenset(names("transcript.user")),
        names("transcript.containers"),
        names("transcript.skipped"),
        frozenset(names("shells")),
        frozenset(names("writes")),
    )


def _respond_nothing(event: str, context: Mapping[str, str] | None) -> object:
    return {}


_NO_HOOKS = Hooks("", "flat", (), _respond_nothing)
