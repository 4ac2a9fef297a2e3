"""Precedents of a task, with histories given as values."""

from __future__ import annotations

from memory import CARD, card, commit, ranking_inputs, touched, walk_files

from cuedeck.context.ranking.precedents import Precedent, find_precedents
from cuedeck.context.scene.related_files import rank_related
from cuedeck.model.commit import Commit

FILTERS = """package cli

type Filtering struct {
	Tagless bool `help:"Find notes without tags"`
	Orphan  bool `help:"Find notes without links"`
}

func (f Filtering) opts() Opts {
	if f.Tagless {
		opts = opts.IncludingTagless()
	}
	return opts
}
"""
STORE = """package sqlite

func where(opts Opts) string {
	if opts.Tagless {
		exprs = append(exprs, "tags IS NULL")
	}
	return exprs
}
"""
TESTS = """package sqlite

func TestFindTagless(t *testing.T) {
	expectTagless(t, "a.md", "b.md")
}
"""
FILES = {
    "cli/filtering.go": FILTERS,
    "sqlite/note_dao.go": STORE,
    "sqlite/note_dao_test.go": TESTS,
    "lsp/server.go": "package lsp\n\nfunc serve() {\n\tlisten(port)\n}\n",
}
TASK = card(
    "cli/filtering.go",
    title="Add a flag --missing-backlink to find notes",
    body="Find notes without a backlink, like --tagless finds notes without tags.\n",
)
ADDED = {
    "cli/filtering.go": (
        'Tagless bool `help:"Find notes without tags"`',
        "if f.Tagless {",
        "IncludingTagless()",
    ),
    "sqlite/note_dao.go": (
        "if opts.Tagless {",
        'exprs = append(exprs, "tags IS NULL")',
    ),
    "sqlite/note_dao_test.go": (
        "func TestFindTagless(t *testing.T) {",
        'expectTagless(t, "a.md", "b.md")',
    ),
}
SIBLING = commit(
    "Add a flag --tagless to find notes",
    *(touched(path, *lines) for path, lines in ADDED.items()),
)
OTHER = commit("Serve over TCP", touched("lsp/server.go", "listen(port)"))


def precedents_of(
    *commits: Commit, task: str = TASK, **files: str
) -> tuple[Precedent, ...]:
    here = walk_files({CARD: task, **FILES, **files})
    related = rank_related(ranking_inputs(here, commits), here.visits, {})
    return find_precedents(related.context, related.ranking)


def test_precedent_is_the_commit_of_the_sibling_feature_with_present_line_ranges() -> (
    None
):
    (best,) = precedents_of(OTHER, SIBLING)
    assert (best.id, best.subject) == (SIBLING.id, SIBLING.subject)
    assert {file.path: file.spans for file in best.files} == {
        "cli/filtering.go": ((4, 4), (9, 9)),
        "sqlite/note_dao.go": ((4, 5),),
        "sqlite/note_dao_test.go": ((3, 4),),
    }
    assert {file.path: file.key for file in best.files}["sqlite/note_dao.go"] == 5


def test_precedent_lines_follow_later_moves_and_removals() -> None:
    moved = "// header\n\n" + STORE.replace(
        '\t\texprs = append(exprs, "tags IS NULL")\n', ""
    )
    (best,) = precedents_of(OTHER, SIBLING, **{"sqlite/note_dao.go": moved})
    assert {file.path: file.spans for file in best.files}["sqlite/note_dao.go"] == (
        (6, 6),
    )


def test_renamed_file_has_its_present_name() -> None:
    path = "cli/filtering.go"
    old = commit(
        "Add a flag --tagless to find notes",
        touched("cmd/filters.go", *ADDED[path]),
        *(touched(each, *lines) for each, lines in ADDED.items() if each != path),
    )
    move = commit("Move it", touched(path, before="cmd/filters.go"))
    (best,) = precedents_of(move, old)
    assert best.files[0].path == path


def test_commit_without_a_surviving_line_is_no_precedent() -> None:
    gone = commit(
        "Add a flag --missing-backlink to find notes",
        touched("cli/filtering.go", "lost line of code"),
    )
    assert precedents_of(gone) == ()


def test_commit_unlike_the_task_is_no_precedent() -> None:
    assert precedents_of(OTHER) == ()
    assert precedents_of() == ()


def test_common_word_alone_makes_no_precedent() -> None:
    assert (
        precedents_of(
            OTHER,
            SIBLING,
            task=card("lsp/server.go", title="Upgrade the compiler", body="Now.\n"),
        )
        == ()
    )


def test_binary_and_deleted_files_are_omitted() -> None:
    files = [touched(path, *lines) for path, lines in ADDED.items()]
    mixed = commit(
        SIBLING.subject,
        *files,
        touched("docs/flow.png"),
        touched("cli/gone.go", "if f.Tagless {"),
    )
    (best,) = precedents_of(mixed, **{"docs/flow.png": "\0\1"})
    assert {file.path for file in best.files} == set(ADDED)


def test_at_most_three_precedents_are_returned_in_a_stable_order() -> None:
    again = [SIBLING._replace(id=f"{at:040x}") for at in range(6)]
    first = precedents_of(*again)
    assert [each.id for each in first] == [each.id for each in again[:3]]
    assert precedents_of(*again) == first


def test_no_range_has_more_than_twenty_lines() -> None:
    rows = [f"tagless_notes_{at} = find_notes(tagless, {at})" for at in range(120)]
    text = "\n".join(rows)
    wide = commit("Add a flag --tagless to find notes", touched("cli/wide.py", *rows))
    (best,) = precedents_of(wide, **{"cli/wide.py": text})
    (file,) = (each for each in best.files if each.path == "cli/wide.py")
    ((first, last),) = file.spans
    assert last - first < 20
