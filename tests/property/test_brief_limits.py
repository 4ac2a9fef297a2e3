"""A brief is within its limits and has the essentials, for any content and memory."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cuedeck.agents.hooks.session_brief import MOST_BYTES, MOST_TOKENS, make_brief
from cuedeck.engine.open_workspace import workspace_at
from cuedeck.store.workspace_paths import WorkspacePaths

words = st.sampled_from(
    [
        "token ",
        "def f():\n    return 1\n",
        "登录",
        "🦊",
        "x" * 70,
        "`",
        "```\n",
        "- [ ] box\n",
        "\t",
        "ﷺ",
    ]
)
texts = st.lists(st.tuples(words, st.integers(1, 120)), max_size=8).map(
    lambda runs: "".join(word * times for word, times in runs)
)
lines = texts.map(lambda text: " ".join(text.split())[:900])


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(
    title=lines,
    body=texts,
    files=st.dictionaries(
        st.sampled_from(["a.py", "b.py", "docs/c.md", "d.go", "e.txt"]),
        texts,
        max_size=5,
    ),
    linked=st.integers(0, 5),
    decided=st.lists(lines, max_size=6),
    user=texts,
    changes=st.lists(lines, max_size=9),
)
def test_brief_is_within_its_limits(
    tmp_path_factory: object,
    title: str,
    body: str,
    files: dict[str, str],
    linked: int,
    decided: list[str],
    user: str,
    changes: list[str],
) -> None:
    root = Path(tmp_path_factory.mktemp("brief"))  # type: ignore[attr-defined]
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    cards = root / ".cuedeck/cards"
    cards.mkdir(parents=True)
    refs = json.dumps(sorted(files)[:linked])
    goal = json.dumps(f"Goal {title}", ensure_ascii=False)
    front = f"---\ntitle: {goal}\nstatus: active\nrefs: {refs}\n---\n\n"
    (cards / "aaaaaa.md").write_text(front + body, "utf-8")
    rows = [
        {
            "id": f"d{at}",
            "timestamp": "2026-05-04T09:00:00Z",
            "decision": f"choice {text}",
            "card": "aaaaaa",
        }
        for at, text in enumerate(decided)
    ]
    (root / ".cuedeck/decisions.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), "utf-8"
    )
    (root / ".cuedeck/USER.md").write_text(user, "utf-8")
    changed = [{"path": f"{at}.md", "change": text} for at, text in enumerate(changes)]
    workspace = workspace_at(WorkspacePaths(str(root)), {})
    try:
        text = make_brief(workspace, changed).text
        tokens = workspace.counter().count(text)
    finally:
        workspace.close()
    assert tokens <= MOST_TOKENS
    assert len(text.encode("utf-8", "replace")) <= MOST_BYTES
    assert "“Goal" in text
    assert text.count("choice") >= min(len(decided), 2)
    assert f" · {tokens} tokens " in text.rpartition("## Receipt")[2]
