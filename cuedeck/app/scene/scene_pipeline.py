"""Steps from the index to the text of a scene. Each step is one call and returns one
value.

walk_refs ─► ledger_blocks ─► rank_related ─► open_long_visits ─► ranked_parts ─►
render_scene
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.scene.blocks.assumptions_block import assumptions_block
from cuedeck.app.scene.blocks.blocks_fingerprint import EXPERIENCES, MEMORY
from cuedeck.app.scene.blocks.decisions_block import decisions_block
from cuedeck.app.scene.blocks.experiences_block import experiences_block
from cuedeck.app.scene.blocks.proximity import VisitProximity
from cuedeck.app.scene.blocks.session_block import session_block
from cuedeck.app.scene.related_files import RelatedFiles, rank_related, session_files
from cuedeck.app.sessions.workflow_steps import step_budget
from cuedeck.graph.neighbourhood import neighbourhood
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.paths import ASSUMPTIONS, OPEN_SESSION, ledger_path
from cuedeck.model.scene_values import Scene, Span, Target, Unresolved, Visit
from cuedeck.ranking.candidates import candidate_pool
from cuedeck.ranking.chunk_scores import is_focused, score_inputs
from cuedeck.ranking.memo import Memo
from cuedeck.ranking.occurrences import find_occurrences
from cuedeck.ranking.passages import open_parts
from cuedeck.scene.frame import receipt
from cuedeck.scene.ledger_blocks import Content, Fitted, fit_blocks
from cuedeck.scene.occurrences_section import OccurrencesSection
from cuedeck.scene.related_tier import RelatedTier
from cuedeck.scene.render import RankedParts, render_scene
from cuedeck.scene.visit_heading import Labels
from cuedeck.scene.visit_views import Views
from cuedeck.scene.walk import walk
from cuedeck.store.fs.disk import present_paths

if TYPE_CHECKING:
    from cuedeck.app.scene.history_sections import HistorySections
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.ports import Count, Lookup, Texts
    from cuedeck.scene.mask import Mask
    from cuedeck.scene.render import Front
    from cuedeck.store.index import Index


DECISIONS, ATTEMPTS = ledger_path("decisions"), ledger_path("attempts")
LEDGERS = (ASSUMPTIONS, DECISIONS, ATTEMPTS, OPEN_SESSION, MEMORY, EXPERIENCES)
"""Files from which the blocks of a scene are built."""
OPENED_SHARE = 0.3
"""Share of the budget for a long source: its outline and the parts that the related
query opens.
"""


OVERVIEWS_SHARE = 0.25
"""Share of the budget for the overviews of linked folders."""


class Walked(NamedTuple):
    """The visits of a scene, root first, with the refs that lead nowhere."""

    visits: tuple[Visit, ...]
    unresolved: Sequence[Unresolved]


MakeFront = Callable[[Walked, "Mask"], "Front"]
"""Makes the front of a brief from the walk of its scene, with the mask of the scene."""
_STATED = ("decision", "attempt")
"""Kinds of visits that the front of a brief states."""


def build_scene(
    workspace: Workspace,
    root: Target,
    request_budget: int | None,
    *,
    related: bool,
    make_front: MakeFront | None = None,
) -> Scene:
    """Build the scene of a root from an up-to-date index.

    `request_budget` overrides the budget of the card, the workflow and the settings;
    `related` allows the related tier. `make_front` makes the scene a brief: a front
    takes the place of the ledger blocks. Raises: Stale if a file changes meanwhile.
    """
    settings, index, texts = workspace.settings.scene, workspace.index, workspace.texts
    mask, count = workspace.mask(), workspace.counter()
    present = present_paths(workspace.paths.root, LEDGERS)
    budget = scene_budget(
        workspace, root, request_budget, has_session=OPEN_SESSION in present
    )
    related_most = related_limit(workspace, budget) if related else 0

    walked, front = walk_with_front(workspace, root, mask, make_front)
    walked = walked._replace(visits=with_overviews(workspace, walked.visits, budget))
    linked = {visit.address for visit in walked.visits if visit.kind in ENTRY_KINDS}
    blocks = (
        front.notes
        if front
        else ledger_blocks(workspace, walked, present, mask, budget, linked)
    )
    used = session_files(workspace, root.path) if OPEN_SESSION in present else {}
    ranked = rank_related(workspace, walked.visits, used) if related_most else None
    views = views_of(workspace, walked, ranked, budget, mask, front)
    long = [visit for visit in walked.visits if views.is_long(visit)]
    pointing = ranked or (
        rank_related(workspace, walked.visits, used) if long else None
    )
    visits = open_long_visits(walked.visits, long, pointing, texts, views, budget)
    missing = missing_inputs(workspace, uses_history=pointing is not None)

    parts = ranked_parts(workspace, ranked, visits[0], budget, mask, views.labels)

    def assemble(blocks: Sequence[Fitted]) -> Scene:
        choices: dict[str, object] = {
            "budget": budget,
            "depth": settings.depth,
            "encoding": count.encoding,
        }
        choices["secrets"] = workspace.secret_rules
        choices |= optional_choices(blocks, ranked, related_most, missing, parts, index)
        if front is not None:
            choices["front"] = front.text
        proof = receipt(
            choices, content_hashes(index, visits, ranked), visits, walked.unresolved
        )
        return render_scene(
            title_of(index, root),
            visits,
            walked.unresolved,
            views=views,
            mask=mask,
            count=count,
            budget=budget,
            receipt=proof,
            ranked=parts,
            related_most=related_most,
            blocks=blocks,
            missing=missing,
            lacks_history=ranked is not None and parts.history is None and not missing,
            front=front,
        )

    scene = assemble(blocks)
    shown = {each.visit.address for each in scene.visits if each.view == "full"}
    if linked <= shown or front is not None:
        return scene
    # The budget left out the text of a linked entry: the block of its ledger shows it
    # in one line instead.
    return assemble(
        ledger_blocks(workspace, walked, present, mask, budget, linked & shown)
    )


def walk_with_front(
    workspace: Workspace, root: Target, mask: Mask, make_front: MakeFront | None
) -> tuple[Walked, Front | None]:
    """Return the walk from the root, and the front of a brief; visits that the front
    states are left out.
    """
    walked = walk_refs(workspace, root)
    if make_front is None:
        return walked, None
    front = make_front(walked, mask)
    kept = tuple(visit for visit in walked.visits if visit.kind not in _STATED)
    return walked._replace(visits=kept), front


def views_of(
    workspace: Workspace,
    walked: Walked,
    ranked: RelatedFiles | None,
    budget: int,
    mask: Mask,
    front: Front | None,
) -> Views:
    """Return the views of the visits within the budget."""
    return Views(
        workspace.index,
        mask,
        workspace.counter(),
        budget,
        awaited=ranked is not None and bool(ranked.ranking.candidates),
        focused=focused_paths(walked.visits, ranked),
        shown_above=front.root_lines if front else (),
        memo=workspace.cached(Memo),
    )


def scene_budget(
    workspace: Workspace, root: Target, request_budget: int | None, *, has_session: bool
) -> int:
    """Return the token limit: of the request, the card, the step of the workflow or the
    settings, in this order.
    """
    file = workspace.index.file(root.path)
    card = file.card if file is not None else None
    own = int(card.budget or 0) if card is not None else 0
    step = step_budget(workspace) if has_session else 0
    return request_budget or own or step or workspace.settings.scene.budget


def related_limit(workspace: Workspace, budget: int) -> int:
    """Return the maximum tokens of the related files; 0 if the settings turn them
    off.
    """
    settings = workspace.settings.scene
    return int(budget * settings.related_share) if settings.related else 0


def title_of(index: Lookup, root: Target) -> str:
    """Return the title of the root file, or its address."""
    file = index.file(root.path)
    assert file is not None
    return file.title or root.address


def walk_refs(workspace: Workspace, root: Target) -> Walked:
    """Return what the refs of the root lead to.

    An unresolved pinned ref names its source: the settings file or an environment
    variable.
    """
    settings = workspace.settings.scene
    found = neighbourhood(root, workspace.index, settings.depth, settings.pinned)
    unresolved = list(found.unresolved)
    if any(each.form == "pinned" for each in unresolved):
        from cuedeck.parse.settings_file import setter_of

        source = setter_of("scene.pinned", workspace.environ)
        unresolved = [
            each._replace(source=source) if each.form == "pinned" else each
            for each in unresolved
        ]
    return Walked(walk(found), unresolved)


def with_overviews(
    workspace: Workspace, visits: tuple[Visit, ...], budget: int
) -> tuple[Visit, ...]:
    """Return the visits; each folder has its overview as text. The overviews share
    `OVERVIEWS_SHARE` of the budget.
    """
    folders = sum(visit.kind == "folder" for visit in visits)
    if not folders:
        return visits
    from cuedeck.app.layers.workspace_layers import folder_overview

    room = int(budget * OVERVIEWS_SHARE) // folders
    found: list[Visit] = []
    for visit in visits:
        if visit.kind == "folder":
            folder = visit.path.rstrip("/") or "."
            overview = folder_overview(workspace, folder, room)
            visit = replace(visit, text=overview)
        found.append(visit)
    return tuple(found)


def ledger_blocks(
    workspace: Workspace,
    walked: Walked,
    present: Collection[str],
    mask: Mask,
    budget: int,
    shown: Collection[str],
) -> tuple[Fitted, ...]:
    """Return the blocks of the ledgers that exist, with the entries that concern the
    visits.

    `shown` are the addresses of the entries that the scene shows as visits.
    """
    if not present:
        return ()
    contents = block_contents(workspace, walked, present, mask)
    kept = [_without(content, shown) for content in contents]
    return fit_blocks(
        [content for content in kept if content is not None],
        budget,
        workspace.counter(),
    )


def block_contents(
    workspace: Workspace, walked: Walked, present: Collection[str], mask: Mask
) -> tuple[Content, ...]:
    """Return the content of the blocks of the ledgers that exist, before it is
    fitted.
    """
    near = VisitProximity(workspace, walked.visits, walked.unresolved)
    found: list[Content | None] = []
    if ASSUMPTIONS in present:
        found.append(assumptions_block(workspace, near, mask))
    if DECISIONS in present or ATTEMPTS in present:
        found.append(decisions_block(workspace, near, mask))
    if OPEN_SESSION in present:
        found.append(session_block(workspace, mask))
    if MEMORY in present:
        from cuedeck.app.scene.blocks.memory_block import memory_block

        found.append(memory_block(workspace, near, mask))
    if EXPERIENCES in present:
        found.append(_experiences(workspace, walked.visits[0], mask))
    return tuple(content for content in found if content is not None)


def _without(content: Content, shown: Collection[str]) -> Content | None:
    """Return a block without the entries that are shown elsewhere; None if nothing is
    left.

    A failing assumption stays, because its row warns of a change that its own text does
    not mention.
    """
    if not shown or content.name == "assumptions":
        return content
    rows = []
    for row in content.rows:
        is_shown = row.entry is not None and row.entry.address in shown
        if not is_shown and f"record:{row.record}" not in shown:
            rows.append(row)
    if content.rows and not rows and not content.further:
        return None
    return content._replace(rows=tuple(rows))


def _experiences(workspace: Workspace, root: Visit, mask: Mask) -> Content | None:
    card = workspace.index.file(root.path)
    if card is None:
        return None
    body = workspace.texts.text(root.path).split("\n", card.body - 1)[-1]
    with suppress(
        ConfigurationError, StorageError
    ):  # outside the workspace or unreadable; `doctor` reports it
        return experiences_block(workspace, card, body, mask)
    return None


def focused_paths(
    visits: Sequence[Visit], ranked: RelatedFiles | None
) -> frozenset[str]:
    """Return the paths of the linked files in which the words of the task match several
    passages.
    """
    if ranked is None:
        return frozenset()
    paths = (
        visit.path
        for visit in visits[1:]
        if visit.whole and visit.kind in ("doc", "source")
    )
    return frozenset(path for path in paths if is_focused(ranked.context, path))


def open_long_visits(
    visits: tuple[Visit, ...],
    long: Sequence[Visit],
    pointing: RelatedFiles | None,
    texts: Texts,
    views: Views,
    budget: int,
) -> tuple[Visit, ...]:
    """Return the visits; each long one has the parts added that match the related
    query.
    """
    if pointing is None or not long:
        return visits
    opened: list[Visit] = []
    for visit in visits:
        if visit in long:
            visit = open_visit(
                visit,
                pointing,
                texts,
                int(budget * OPENED_SHARE) - views.outline_size(visit),
            )
        opened.append(visit)
    return tuple(opened)


def open_visit(
    visit: Visit, pointing: RelatedFiles, texts: Texts, tokens: int
) -> Visit:
    """Return the visit of a long source with the parts added that match the related
    query, within `tokens`.
    """
    context, history = pointing.context, pointing.ranking.history
    words = context.corpus.words(visit.path)
    if words is None or tokens <= 0:
        return visit

    def choose() -> tuple[Span, ...]:
        lines = texts.text(visit.path).split("\n")
        return open_parts(context, visit.path, words, history, lines, tokens)

    inputs = (tokens, score_inputs(context, visit.path, history))
    parts = context.memo.get("opened parts", visit.address, inputs, choose)
    return replace(visit, parts=tuple(sorted({*visit.parts, *parts})))


def ranked_parts(
    workspace: Workspace,
    ranked: RelatedFiles | None,
    root: Visit,
    budget: int,
    mask: Mask,
    labels: Labels,
) -> RankedParts:
    """Return the parts of a scene that a ranking fills."""
    if ranked is None:
        return RankedParts()
    texts, count, memo = workspace.texts, workspace.counter(), workspace.cached(Memo)
    history = find_history(ranked, texts, mask, count)
    occurrences = occurrences_section(workspace, ranked, budget, mask)
    pool = candidate_pool(ranked.context, ranked.ranking, texts)
    tier = RelatedTier(
        pool,
        root,
        lookup=workspace.index,
        mask=mask,
        count=count,
        labels=labels,
        memo=memo,
    )
    return RankedParts(tier, occurrences, history)


def find_history(
    ranked: RelatedFiles, texts: Texts, mask: Mask, count: Count
) -> HistorySections | None:
    """Return the precedents and companions of a ranked task; None without commits."""
    if not ranked.context.commits:
        return None
    from cuedeck.app.scene.history_sections import history_sections

    return history_sections(ranked, texts, mask, count)


def optional_choices(
    blocks: Sequence[Fitted],
    ranked: RelatedFiles | None,
    related_most: int,
    missing: Sequence[str],
    parts: RankedParts,
    index: Index,
) -> dict[str, object]:
    """Return the inputs of the receipt that only some scenes have."""
    found: dict[str, object] = {}
    if blocks:
        found["blocks"] = [block.text or block.name for block in blocks]
    if ranked is not None:
        found["related"] = [related_most, ranked.fingerprint]
    if missing:
        found["missing"] = missing
    if parts.history is not None:
        found["history"] = parts.history.fingerprint(index)
    if parts.occurrences is not None:
        found["occurrences"] = parts.occurrences.fingerprint
    return found


def missing_inputs(workspace: Workspace, *, uses_history: bool) -> Sequence[str]:
    """Return descriptions of the inputs that git failed to provide for a scene."""
    found: list[str] = []
    if uses_history and workspace.history.fault:
        found.append(f"git history ({workspace.history.problems()[0].message})")
    if workspace.tree.tracked_fault:
        found.append("tracked files that ignore rules hide")
    found += [
        f"{path} (it cannot be read)" for path in sorted(workspace.ledgers.unreadable)
    ]
    return found


def occurrences_section(
    workspace: Workspace, ranked: RelatedFiles, budget: int, mask: Mask
) -> OccurrencesSection:
    """Return the section that lists the identifiers of the task."""
    further = workspace.corpus.unranked()
    found = find_occurrences(ranked.context, ranked.ranking, workspace.texts, further)
    return OccurrencesSection(
        found, budget, mask, workspace.counter(), workspace.cached(Memo)
    )


def content_hashes(
    index: Index, visits: Sequence[Visit], ranked: RelatedFiles | None
) -> dict[str, str]:
    """Return the content hash of each visit and candidate, by path; that of a ledger
    entry by its address.
    """
    hashes = {
        visit.address if visit.text else visit.path: _content_hash(index, visit)
        for visit in visits
    }
    for candidate in ranked.ranking.candidates if ranked is not None else ():
        hashes[candidate.path] = index.hash(candidate.path)
    return hashes


def _content_hash(index: Index, visit: Visit) -> str:
    """Return the hash of the content of a visit: a file, or the text of a folder or a
    ledger entry.
    """
    if visit.text:
        return sha256(visit.text.encode("utf-8", "surrogatepass")).hexdigest()
    return index.hash(visit.path)
