"""Hook events: file names of agent sessions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.hook_event import HookEvent, file_name, main_name


@given(session=st.text(max_size=100), agent=st.text(min_size=1, max_size=100))
def test_the_file_name_of_a_subagent_contains_that_of_its_session(
    session: str, agent: str
) -> None:
    main = file_name(HookEvent("session-end", "claude", session=session))
    name = file_name(HookEvent("post-tool", "claude", session=session, agent=agent))
    assert main_name(name) == main_name(main) == main != name
    assert len(f".{name}.turn") < 200 and name.isascii()
