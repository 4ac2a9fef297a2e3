"""Agent hosts, one module each.

A module of this package that defines `HOST` is registered automatically: no other
product file names a host. A hook imports the module of the named host alone;
`all_hosts` imports all of them.

`edit` contains the edits of host files.
"""

from __future__ import annotations

from functools import cache

from cuedeck.hosts.base import UNLIKELY, Hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from cuedeck.hosts.base import Host
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

    hosts = [find_host(module.name) for module in iter_modules(__path__)]
    found = [host for host in hosts if host is not None]
    found.sort(
        key=lambda host: (host.hooks is None, host.setup.server is None, host.name)
    )
    return tuple(found)


def hook_hosts() -> tuple[str, ...]:
    """Return the names of the hosts that run hooks."""
    return tuple(host.name for host in all_hosts() if host.hooks is not None)


def recognise(request: Mapping[str, object], default: str) -> str:
    """Return the name of the host that sent a request; `default` if none recognises
    it.
    """
    best, certainty = default, UNLIKELY
    for host in all_hosts():
        found = host.hooks.recognise(request) if host.hooks is not None else UNLIKELY
        if found > certainty:
            best, certainty = host.name, found
    return best


@cache
def transcript_format() -> TranscriptFormat:
    """Return the names in the transcripts of all hosts, because a host may run the
    hooks of another one.
    """
    from cuedeck.parse.transcript import TranscriptFormat

    hooks = [host.hooks for host in all_hosts() if host.hooks is not None]
    formats = [each.transcript for each in hooks]
    return TranscriptFormat(
        frozenset(role for each in formats for role in each.agent),
        frozenset(role for each in formats for role in each.user),
        tuple(dict.fromkeys(name for each in formats for name in each.containers)),
        tuple(dict.fromkeys(name for each in formats for name in each.skipped)),
        tuple(dict.fromkeys(tag for each in hooks for tag in each.prompt_wrappers)),
    )


def _respond_nothing(event: str, context: Mapping[str, str] | None) -> object:
    return {}


_NO_HOOKS = Hooks("", "flat", (), _respond_nothing)
