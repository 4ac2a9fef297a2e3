"""Hook events: file names of agent sessions, and the hosts with hooks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model import host_table
from cuedeck.model.hook_event import CONTEXT_EVENTS, HookEvent, file_name, main_name


@given(session=st.text(max_size=100), agent=st.text(min_size=1, max_size=100))
def test_the_file_name_of_a_subagent_contains_that_of_its_session(session: str, agent: str) -> None:
    main = file_name(HookEvent("session-end", "claude", session=session))
    name = file_name(HookEvent("post-tool", "claude", session=session, agent=agent))
    assert main_name(name) == main_name(main) == main != name
    assert len(f".{name}.turn") < 200 and name.isascii()


def test_every_host_with_hooks_has_context_events() -> None:
    assert {host.name for host in host_table.HOSTS if host.hooks} == set(CONTEXT_EVENTS)
