"""Steps from the index to the text of a scene. Each step is one call and returns one
value.

walk_refs ─► ledger_blocks ─► rank_related ─► with_bodies ─► ranked_parts ─►
render_scene
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from cuedeck.context.blocks.collect_blocks import LEDGERS, ledger_blocks
from cuedeck.context.ranking.candidates import candidate_pool
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.occurrences import find_occurrences
from cuedeck.context.scene.frame import receipt
from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.context.scene.occurrences_section import OccurrencesSection
from cuedeck.context.scene.related_files import (
    RelatedFiles,
    rank_related,
    session_files,
    with_bodies,
)
from cuedeck.context.scene.related_tier import RelatedTier
from cuedeck.context.scene.render import RankedParts, render_scene
from cuedeck.context.scene.visit_heading import Labels
from cuedeck.context.scene.visit_views import Views
from cuedeck.context.scene.walk import Walked, walk
from cuedeck.engine.workflow_steps import step_budget
from cuedeck.graph.neighbourhood import neighbourhood
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.paths import OPEN_SESSION
from cuedeck.model.scene_values import Scene, Target, Visit
from cuedeck.store.files.disk import present_paths

if TYPE_CHECKING:
    from cuedeck.context.scene.history_sections import HistorySections
    from cuedeck.context.scene.render import Front
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Count, Lookup, Texts
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index


OVERVIEWS_SHARE = 0.25
"""Share of the budget for the overviews of linked folders."""


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
    settings, index = workspace.settings.scene, workspace.index
    mask, count = workspace.mask(), workspace.counter()
    present = present_paths(workspace.paths.root, LEDGERS)
    budget = scene_budget(
        workspace, root, request_budget, has_session=OPEN_SESSION in present
    )
    related_most = related_limit(workspace, budget) if related else 0

    walked, front = walk_with_front(workspace, root, mask, make_front)
    walked = walked._replace(visits=with_overviews(workspace, walked.visits, budget))
    linked = {visit.address for visit in walked.visits if visit.kind in ENTRY_KINDS}
    blocks = first_blocks(workspace, walked, present, mask, budget, linked, front)
    used = (
        session_files(workspace.paths, workspace.sessions, root.path)
        if OPEN_SESSION in present
        else {}
    )
    ranked = rank_related(workspace, walked.visits, used) if related_most else None
    views = views_of(workspace, budget, mask, front)
    visits, pointing = walked.visits, ranked
    if views.exceed_share(visits):
        pointing = ranked or rank_related(workspace, visits, used)
        visits = with_bodies(visits, pointing, index)
    missing = missing_inputs(workspace, uses_history=pointing is not None)

    parts = ranked_parts(workspace, ranked, visits[0], budget, mask, views.labels)

    choices: dict[str, object] = {
        "budget": budget,
        "depth": settings.depth,
        "encoding": count.encoding,
        "secrets": workspace.secret_rules,
    }
    if front is not None:
        choices["front"] = front.text
    hashes = content_hashes(index, visits, ranked)
    # Whether these are masked does not follow from the contents of the shown files.
    copies = {
        path: workspace.texts.secrets(path)
        for path in index.copy_paths()
        if path in hashes
    }
    if copies:
        choices["copies"] = copies

    def assemble(blocks: Sequence[Fitted]) -> Scene:
        optional = optional_choices(blocks, ranked, related_most, missing, parts, index)
        proof = receipt(choices | optional, hashes, visits, walked.unresolved)
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


def first_blocks(
    workspace: Workspace,
    walked: Walked,
    present: Collection[str],
    mask: Mask,
    budget: int,
    linked: Collection[str],
    front: Front | None,
) -> tuple[Fitted, ...]:
    """Return the blocks of a scene that shows all `linked` entries; those of the front
    of a brief.
    """
    if front is not None:
        return front.notes
    if not present:
        return ()
    return ledger_blocks(workspace, walked, present, mask, budget, linked)


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
    workspace: Workspace, budget: int, mask: Mask, front: Front | None
) -> Views:
    """Return the views of the visits within the budget."""
    return Views(
        workspace.index,
        mask,
        workspace.counter(),
        budget,
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
    step = step_budget(workspace.paths, workspace.sessions) if has_session else 0
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
    from cuedeck.knowledge.layers.read_layer import folder_overview

    room = int(budget * OVERVIEWS_SHARE) // folders
    found: list[Visit] = []
    for visit in visits:
        if visit.kind == "folder":
            folder = visit.path.rstrip("/") or "."
            overview = folder_overview(workspace, folder, room)
            visit = replace(visit, text=overview)
        found.append(visit)
    return tuple(found)


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
    texts = workspace.texts
    count = workspace.counter()
    memo = workspace.cached(Memo)
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
    from cuedeck.context.scene.history_sections import history_sections

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
        f"{path} (it cannot be read)" for path in sorted(workspace.ledger.unreadable)
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
