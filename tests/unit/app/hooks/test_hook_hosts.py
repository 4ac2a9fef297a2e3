"""What is known of hosts in several places is the same in all of them."""

from __future__ import annotations

from cuedeck.model import host_table
from cuedeck.model.hook_event import CONTEXT_EVENTS


def test_hooks_listen_to_the_hosts_that_can_be_set_up() -> None:
    """Nothing held the two lists of names together."""
    assert {host.name for host in host_table.HOSTS if host.hooks} == set(CONTEXT_EVENTS)
