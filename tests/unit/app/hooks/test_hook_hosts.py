"""What is known of hosts in several places is the same in all of them."""

from __future__ import annotations

from cuedeck.app.hooks.occasion import UNABLE
from cuedeck.app.setup import hosts
from cuedeck.cli.hook import hearing
from cuedeck.cli.hook.envelopes import NAMES


def test_hooks_listen_to_the_hosts_that_can_be_set_up() -> None:
    """Nothing held the two lists of names together."""
    assert set(hearing.HOSTS) == {host.name for host in hosts.HOSTS} == set(NAMES)


def test_the_hosts_that_cannot_be_told_anything_are_those_whose_answers_have_no_room_for_it() -> None:
    """It stands twice, where hooks are done and where they are answered."""
    assert UNABLE == {host for host, names in NAMES.items() if not names}
