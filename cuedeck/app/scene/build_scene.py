"""Pipeline from the files of the workspace to SCENE.md.

    files ─► scan ─► parse ─► index ─► graph ─► walk ─► budget ─► render ─► write

`build` runs the pipeline. `make_scene` returns the cached scene if no input has changed since an earlier run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.store.fs.disk import read_text, write_if_changed

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Scene, Target, Unresolved, Visit
    from cuedeck.ranking.memo import Memo
    from cuedeck.scene.related_tier import RelatedTier
    from cuedeck.scene.visit_views import CachedViews, Views
    from cuedeck.store.index import Index

OPENED_SHARE = 0.2
"""Share of the budget for a long source: its outline and the parts that the related query opens."""


class Request(NamedTuple):
    """Options of a scene besides the files and the settings."""

    card: str | None = None
    budget: int | None = None
    related: bool = True


class BuiltScene(NamedTuple):
    """Scene as the app and the shells use it."""

    text: str
    """Exact text of SCENE.md."""
    report: dict[str, Any]
    """JSON with real addresses, for lookups."""
    told: dict[str, Any]
    """JSON for output: every secret in a name or a ref is masked."""


def make_scene(project: Workspace, request: Request, progress: Callable[[int, int], None] | None = None) -> BuiltScene:
    """Return the scene of the workspace as it is on disk now.

    Raises: NoActiveCard, NotFound, Ambiguous for the card; ConfigurationError; StorageError.
    """
    from cuedeck.store.cache.kept_scenes import load_scene, save_scene

    try:
        if request.related and project.index.is_empty and project.settings.scene.related:
            project.history.progress = progress
            project.history.begin()
        project.refresh(progress)
        key = scene_key(project, request)
        kept = load_scene(project.index, key) if key else None
        if kept is not None:
            return BuiltScene(*kept)
        project.history.progress = progress
        made = to_made(project, build(project, request))
    finally:
        if project.opened_history is not None:
            project.opened_history.close()
    # Do not cache after a failure of git, which may work on the next run. A different key means that the index changed
    # during the build, at an unknown moment.
    is_settled = not project.history.fault and not project.tree.tracked_fault and not project.is_unfinished
    if key and is_settled and scene_key(project, request) == key:
        save_scene(project.index, key, made)
    project.counter().save()
    return made


def build(project: Workspace, request: Request) -> Scene:
    """Build the scene from an up-to-date index. Files that change during the build are read again."""
    from cuedeck.app.cards.active_card import find_root

    return project.settled(lambda: _build(project, find_root(project, request.card), request))


def _build(project: Workspace, root: Target, request: Request) -> Scene:
    from cuedeck.app.scene.blocks.collect_blocks import contents
    from cuedeck.app.sessions.workflow_steps import step_budget
    from cuedeck.graph.subgraph import reach
    from cuedeck.scene.ledger_blocks import fit_blocks
    from cuedeck.scene.receipt import receipt
    from cuedeck.scene.render import render
    from cuedeck.scene.visit_label import Labels
    from cuedeck.scene.visit_views import Views
    from cuedeck.scene.walk import walk

    index, settings, mask, count = project.index, project.settings.scene, project.mask(), project.counter()
    card = index.file(root.path)
    assert card is not None
    own = int(card.card.budget or 0) if card.card else 0
    budget = request.budget or own or step_budget(project) or settings.budget
    found = reach(root, index, settings.depth, settings.pinned)
    visits, unresolved = walk(found), _told_of(project, found.unresolved)
    hashes = {visit.path: _proof(index, visit) for visit in visits}
    choices = {"budget": budget, "depth": settings.depth, "encoding": count.encoding, "secrets": project.secret_rules}
    labels = Labels(index, mask, count, budget)
    blocks = fit_blocks(contents(project, visits, found.entries, mask), budget, count)
    if blocks:
        choices["blocks"] = [block.text or block.name for block in blocks]
    most = int(budget * settings.related_share) if settings.related and request.related else 0
    related = None
    uses_history = bool(most)
    if most:
        from cuedeck.app.scene.related_files import find_related

        related = find_related(project, visits, mask, labels)
        choices["related"] = [most, related.proof]
        hashes |= {path: index.hash(path) for path in related.looked_at}
    awaited = related is not None and bool(related.ranking.candidates)
    views = Views(index, mask, count, budget, labels=labels, awaited=awaited, kept=project.cached(_cached_views))
    if any(views.is_long(visit) for visit in visits):
        from cuedeck.app.scene.related_files import find_related

        pointing = related or find_related(project, visits, mask, labels)
        visits = tuple(_opened(visit, pointing, views, budget) for visit in visits)
        uses_history = True
    missing = _missing(project, uses_history)
    if missing:
        choices["missing"] = missing
    return render(
        card.title or root.address,
        visits,
        unresolved,
        views=views,
        mask=mask,
        count=count,
        budget=budget,
        receipt=receipt(choices, hashes, visits, unresolved),
        related=related,
        related_most=most,
        blocks=blocks,
        missing=missing,
    )


def _cached_views() -> Memo[CachedViews]:
    """Return an empty cache of the views of visits, which later scenes reuse."""
    from cuedeck.ranking.memo import Memo
    from cuedeck.scene.visit_views import CachedViews

    return Memo(CachedViews)


def _missing(project: Workspace, uses_history: bool) -> Sequence[str]:
    """Return descriptions of the inputs that git failed to provide for a scene."""
    found: list[str] = []
    if uses_history and project.history.fault:
        found.append(f"git history ({project.history.problems()[0].message})")
    if project.tree.tracked_fault:
        found.append("tracked files that ignore rules hide")
    return found


def _told_of(project: Workspace, unresolved: Sequence[Unresolved]) -> Sequence[Unresolved]:
    """Return unresolved refs. Pinned ones name their source: the settings file or an environment variable."""
    if not any(each.form == "pinned" for each in unresolved):
        return unresolved
    from cuedeck.parse.settings_file import setter_of

    source = setter_of("scene.pinned", project.environ)
    return [each._replace(source=source) if each.form == "pinned" else each for each in unresolved]


def _opened(visit: Visit, related: RelatedTier, views: Views, budget: int) -> Visit:
    """Return a visit of a long source with the parts opened that match the related query; other visits unchanged."""
    if not views.is_long(visit):
        return visit
    return related.opened(visit, int(budget * OPENED_SHARE) - views.outline_size(visit))


def write_scene(project: Workspace, text: str) -> bool:
    """Write SCENE.md if its bytes differ; return whether they did.

    SCENE.md stays unchanged if this process had no time to read the whole history and memory.
    """
    from cuedeck.store.workspace_paths import WorkspacePaths

    if project.is_unfinished:
        return False
    workspace: WorkspacePaths = project.workspace
    return write_if_changed(workspace.scene, text.encode("utf-8", "replace"), workspace.cache, private=True)


def to_made(project: Workspace, scene: Scene) -> BuiltScene:
    """Return the text of a scene with its documented JSON."""
    from cuedeck.app.mask_answers import mask_value
    from cuedeck.app.scene.scene_report import report_of

    report = report_of(scene, project.index)
    return BuiltScene(scene.text, report, mask_value(report, project))


def _proof(index: Index, visit: Visit) -> str:
    """Return the hash of the content of a visit: the content of a file or the names in a folder."""
    if visit.kind != "folder":
        return index.hash(visit.path)
    from hashlib import sha256

    return sha256("\n".join(index.folder(visit.path.rstrip("/"))).encode()).hexdigest()


def scene_key(project: Workspace, request: Request) -> str:
    """Return the cache key of a scene: a hash of all its inputs, so equal keys mean equal bytes.

    Empty if only a call of git could determine the state of the repository. The index must be up to date.
    """
    from hashlib import sha256

    from cuedeck.app.scene.blocks.blocks_fingerprint import state_of
    from cuedeck.store.git.head import find_repository, standing_of

    index = project.index
    active = read_text(project.workspace.active) or ""
    standing = standing_of(find_repository(project.workspace.root))
    if not standing.is_certain:
        return ""
    said = state_of(project)
    depends = (index.meta("generation"), index.meta("rules"), active, tuple(standing), tuple(request), said)
    return sha256(repr(depends).encode("utf-8", "surrogatepass")).hexdigest()  # hashed: no session text in the index
