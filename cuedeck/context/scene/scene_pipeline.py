"""Steps from the index to the text of a scene. Each step is one call and returns one
value.

walk_refs ─► rank_related ─► with_bodies ─► ranked_parts ─► ledger_blocks ─► render
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from cuedeck.context.blocks.collect_blocks import LEDGERS, ledger_blocks
from cuedeck.context.ranking.candidates import candidate_pool
from cuedeck.context.ranking.companions import find_companions
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.occurrences import find_occurrences
from cuedeck.context.ranking.precedents import find_precedents
from cuedeck.context.scene.frame import receipt
from cuedeck.context.scene.related_files import (
    RelatedFiles,
    rank_related,
    session_files,
    with_bodies,
)
from cuedeck.context.scene.related_tier import RelatedTier
from cuedeck.context.scene.render import RankedParts, SceneInputs, render_scene
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.context.scene.visit_views import Views
from cuedeck.context.scene.walk import Walked, walk
from cuedeck.engine.open_session import step_budget
from cuedeck.graph.neighbourhood import neighbourhood
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.paths import OPEN_SESSION
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import TASK, Scene, Target, Visit
from cuedeck.parse.fence import passages_of
from cuedeck.parse.task_names import task_title
from cuedeck.store.files.disk import present_paths

if TYPE_CHECKING:
    from cuedeck.context.scene.ledger_blocks import Fitted, Front
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.ledger import Ledger
    from cuedeck.model.file import Card, File
    from cuedeck.model.ports import Lookup
    from cuedeck.model.scene_values import Shown
    from cuedeck.model.session import Role
    from cuedeck.model.settings_schema import SceneSettings
    from cuedeck.store.files.tree import Tree
    from cuedeck.store.git.commit_log import History
    from cuedeck.store.index import Index


OVERVIEWS_SHARE = 0.25
"""Share of the budget for the overviews of linked folders."""


def build_scene(
    workspace: Workspace,
    root: Target,
    request_budget: int | None,
    *,
    related: bool,
    front: Front | None = None,
) -> Scene:
    """Build the scene of a root from an up-to-date index.

    `request_budget` overrides the budget of the card, the workflow and the settings;
    `related` allows the related tier. `front` makes the scene a brief.
    Raises: Stale if a file changes meanwhile.
    """
    settings = workspace.settings.scene
    index = workspace.index
    present = present_paths(workspace.paths.root, LEDGERS)
    file = index.file(root.path)
    assert file is not None
    step = 0
    used: Mapping[str, Role] = {}
    if OPEN_SESSION in present:
        step = step_budget(workspace.paths, workspace.sessions)
        used = session_files(workspace.sessions, root.path)
    budget = scene_budget(request_budget, file.card, step, settings.budget)
    is_ranked = related and settings.related
    related_most = int(budget * settings.related_share) if is_ranked else 0

    walked = walk_refs(index, settings, workspace.environ, root)
    visits = with_overviews(workspace, walked.visits, budget)
    walked = walked._replace(visits=visits)

    ranked = rank_related(workspace, visits, used) if related_most else None
    renderer = VisitRenderer(index, workspace.mask(), workspace.counter(), budget)
    views = Views(renderer, workspace.cached(Memo))
    pointing = ranked
    if views.exceed_share(visits):
        pointing = ranked or rank_related(workspace, visits, used)
        visits = with_bodies(visits, pointing, index)
    workspace.pause()
    parts = RankedParts()
    if ranked is not None:
        further = workspace.corpus.unranked()
        memo = workspace.cached(Memo)
        parts = ranked_parts(ranked, further, memo, visits[0], renderer)
    workspace.pause()
    plain = SceneInputs(
        title=file.title or root.address,
        visits=visits,
        unresolved=walked.unresolved,
        views=views,
        ranked=parts,
        related_most=related_most,
        front=front.text(renderer.mask) if front is not None else None,
    )

    def render(blocks: Sequence[Fitted]) -> Scene:
        # Only the blocks read the ledgers, and so find those that cannot be read.
        missing = missing_inputs(
            workspace.tree,
            workspace.history,
            workspace.ledger,
            uses_history=pointing is not None,
        )
        inputs = replace(plain, blocks=blocks, missing=missing)
        proof = scene_receipt(workspace, inputs, ranked)
        return render_scene(replace(inputs, receipt=proof))

    if not present and front is None:
        return render(())
    # A linked entry is in the block of its ledger only if the budget left out its text.
    blocks = partial(ledger_blocks, workspace, walked, present, renderer, front)
    linked = {visit.address for visit in visits if visit.kind in ENTRY_KINDS}
    scene = render(blocks(linked))
    shown = {each.visit.address for each in scene.visits if each.view == "full"}
    return scene if linked <= shown else render(blocks(linked & shown))


def scene_receipt(
    workspace: Workspace, inputs: SceneInputs, ranked: RelatedFiles | None
) -> str:
    """Return the hash of the inputs of a scene, and of its resolution results."""
    index = workspace.index
    renderer = inputs.views.renderer
    choices: dict[str, object] = {
        "budget": renderer.budget,
        "depth": workspace.settings.scene.depth,
        "encoding": renderer.count.encoding,
        "secrets": workspace.secret_rules,
    }
    if inputs.front is not None:
        choices["front"] = inputs.front
    hashes = content_hashes(index, inputs.visits, ranked)
    # Whether these are masked does not follow from the contents of the shown files.
    copies = [path for path in index.copy_paths() if path in hashes]
    if copies:
        choices["copies"] = {path: workspace.texts.secrets(path) for path in copies}
    if inputs.blocks:
        choices["blocks"] = [block.text or block.name for block in inputs.blocks]
    if ranked is not None:
        choices["related"] = [inputs.related_most, ranked.fingerprint]
        if ranked.context.commits:
            choices["history"] = history_fingerprint(inputs.ranked, index)
    if inputs.missing:
        choices["missing"] = inputs.missing
    if inputs.ranked.occurrences is not None:
        choices["occurrences"] = inputs.ranked.occurrences.fingerprint
    return receipt(choices, hashes, inputs.visits, inputs.unresolved)


def history_fingerprint(parts: RankedParts, lookup: Lookup) -> Sequence[object]:
    """Return the inputs of the precedents and the companions."""
    precedents = []
    for commit in parts.precedents:
        files = [
            (file.path, lookup.hash(file.path), file.spans, file.key)
            for file in commit.files
        ]
        precedents.append((commit.id, commit.subject, files))
    companions = [
        (each.path, lookup.hash(each.path), each.times, each.scope, each.line)
        for each in parts.companions
    ]
    return precedents, companions


def scene_budget(
    request: int | None, card: Card | None, step: int, default: int
) -> int:
    """Return the token limit: of the request, the card, the step of the workflow or the
    settings, in this order.
    """
    own = int(card.budget or 0) if card is not None else 0
    return request or own or step or default


def walk_refs(
    index: Index, settings: SceneSettings, environ: Mapping[str, str], root: Target
) -> Walked:
    """Return what the refs of the root lead to.

    An unresolved pinned ref names its source: the settings file or an environment
    variable.
    """
    found = neighbourhood(root, index, settings.depth, settings.pinned)
    unresolved = list(found.unresolved)
    if any(each.form == "pinned" for each in unresolved):
        from cuedeck.parse.settings_file import setter_of

        source = setter_of("scene.pinned", environ)
        for at, each in enumerate(unresolved):
            if each.form == "pinned":
                unresolved[at] = each._replace(source=source)
    return Walked(walk(found), unresolved)


def with_overviews(
    workspace: Workspace, visits: tuple[Visit, ...], budget: int
) -> tuple[Visit, ...]:
    """Return the visits; the overviews of folders share a quarter of the budget."""
    folders = [visit.path for visit in visits if visit.kind == "folder"]
    if not folders:
        return visits
    from cuedeck.knowledge.layers.read_layer import folder_overview

    room = int(budget * OVERVIEWS_SHARE) // len(folders)
    shown = []
    for visit in visits:
        if visit.path in folders:
            folder = visit.path.rstrip("/") or "."
            visit = replace(visit, text=folder_overview(workspace, folder, room))
        shown.append(visit)
    return tuple(shown)


def ranked_parts(
    ranked: RelatedFiles,
    further: Sequence[str],
    memo: Memo,
    root: Visit,
    renderer: VisitRenderer,
) -> RankedParts:
    """Return the parts of a scene that a ranking fills."""
    context, ranking = ranked
    found = find_occurrences(context, ranking, further)
    pool = candidate_pool(context, ranking)
    return RankedParts(
        RelatedTier(pool, root, renderer, memo),
        found,
        find_precedents(context, ranking),
        find_companions(context, ranking),
        has_history=bool(context.commits),
    )


def missing_inputs(
    tree: Tree, history: History, ledger: Ledger, *, uses_history: bool
) -> Sequence[str]:
    """Return descriptions of the inputs that git failed to provide for a scene."""
    found: list[str] = []
    if uses_history and history.fault:
        found.append(f"git history ({history.problems()[0].message})")
    if tree.tracked_fault:
        found.append("tracked files that ignore rules hide")
    found += [f"{path} (it cannot be read)" for path in sorted(ledger.unreadable)]
    return found


def content_hashes(
    index: Index, visits: Sequence[Visit], ranked: RelatedFiles | None
) -> dict[str, str]:
    """Return the content hash of each visit and candidate, by path; that of a folder or
    a ledger entry by its address.
    """
    hashes: dict[str, str] = {}
    for visit in visits:
        if visit.text:
            data = visit.text.encode("utf-8", "surrogatepass")
            hashes[visit.address] = sha256(data).hexdigest()
        else:
            hashes[visit.path] = index.hash(visit.path)
    for candidate in ranked.ranking.candidates if ranked is not None else ():
        hashes[candidate.path] = index.hash(candidate.path)
    return hashes


def report_of(scene: Scene, lookup: Lookup, task: str = "") -> Json:
    """Return the documented JSON of a scene, with real addresses and the titles of
    cards.

    `task` is the root of a scene without a card.
    """
    blocks = []
    for block in scene.blocks:
        entries = [each._asdict() for each in block.entries]
        blocks.append(block._asdict() | {"entries": entries})
    unresolved = [
        {
            "ref": each.ref,
            "from": each.source,
            "line": each.line,
            "reason": each.reason,
            "suggestion": each.suggestion or None,
            "candidates": list(each.candidates),
        }
        for each in scene.unresolved
    ]
    return {
        "card": scene.card or None,
        "budget": scene.budget,
        "tokens": scene.tokens,
        "encoding": scene.encoding,
        "receipt": scene.receipt,
        "visits": [_visit_row(shown, lookup) for shown in scene.visits],
        "blocks": blocks,
        "left_out": [each._asdict() for each in scene.left_out],
        "unresolved": unresolved,
        "title": _title(lookup.file(scene.card)) or task_title(task) or None,
        **({"missing": list(scene.missing)} if scene.missing else {}),
    }


def _visit_row(shown: Shown, lookup: Lookup) -> Json:
    """Return the JSON of a visit."""
    visit = shown.visit
    is_task = visit.path == TASK
    ranks = {"ranks": dict(visit.ranks)} if visit.tier == "related" else {}
    return {
        "address": visit.address,
        "path": None if is_task else visit.path,
        "kind": "task" if is_task else visit.kind,
        "tier": visit.tier,
        "depth": visit.depth,
        "via": visit.via,
        "edge": visit.edge,
        "why": visit.why,
        "view": shown.view,
        "tokens": shown.tokens,
        "lines": list(shown.lines),
        "passages": [list(span) for span in passages_of(shown)],
        **ranks,
        "title": _title(lookup.file(visit.path)) or None,
    }


def _title(file: File | None) -> str:
    """Return the title of a card; empty for any other file."""
    return file.card.title if file is not None and file.card is not None else ""
