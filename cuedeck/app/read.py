"""Read one address, and say why it is in the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.active import find_root
from cuedeck.graph.reach import reach
from cuedeck.graph.resolve import resolve, resolve_address
from cuedeck.model.scene import Target, Unresolved, Visit
from cuedeck.scene.walk import walk

if TYPE_CHECKING:
    from cuedeck.app.project import Project

_FAR = 20
"""Links followed to find out how far away something is that the scene does not reach."""


def read_address(project: Project, text: str) -> dict[str, Any]:
    """Return the masked text behind an address.

    Raises: NotFound with the nearest matches, Ambiguous with the candidates.
    """
    project.refresh()
    return project.settled(lambda: _read(project, text))


def _read(project: Project, text: str) -> dict[str, Any]:
    target = resolve_address(text, project.index)
    if target.kind == "folder":
        body = "".join(f"{path}\n" for path in project.index.folder(target.path.rstrip("/")))
    elif target.kind == "binary":
        body = ""
    else:
        body = project.mask().lines(target.path, [(target.start, target.end)])[0]
    count = project.counter()
    tokens = count.count(body)
    count.save()
    return {
        "address": target.address,
        "path": target.path,
        "kind": target.kind,
        "lines": [target.start, target.end],
        "tokens": tokens,
        "text": body,
    }


def why(project: Project, text: str, card: str | None = None) -> dict[str, Any]:
    """Say by which links the scene comes to an address, how much of it is shown, or why it is not there.

    Raises: NotFound or Ambiguous for the address or the card.
    """
    from cuedeck.app.scene import Request, make_scene

    report = make_scene(project, Request(card)).report
    target = resolve_address(text, project.index)
    root = find_root(project, card)
    settings = project.settings.scene
    visits = walk(reach(root, project.index, settings.depth, settings.pinned))
    visit = _holding(visits, target) or _first_part(visits, target)
    answer: dict[str, Any] = {
        "address": target.address,
        "card": root.address,
        "in_scene": False,
        "view": None,
        "tokens": None,
        "reason": "",
        "chain": [],
        "referred_by": [],
    }
    if visit is None:
        far = _holding(walk(reach(root, project.index, _FAR, settings.pinned)), target)
        answer["referred_by"] = _referrers(project, target)
        answer["reason"] = (
            f"{far.depth} links away, and depth is {settings.depth}"
            if far
            else "no chain of refs leads from the card to it"
        )
        return answer
    answer["chain"] = _chain(visits, visit)
    shown = next((each for each in report["visits"] if each["address"] == visit.address), None)
    if shown:
        inside = _relation(visit, target)
        answer |= {"in_scene": True, "view": shown["view"], "tokens": shown["tokens"], "reason": inside}
    else:
        left = next((each for each in report["left_out"] if each["address"] == visit.address), None)
        if left:
            answer["reason"] = f"{left['reason']}: {left['tokens']} tokens; see it with: {left['show']}"
    return answer


def _first_part(visits: tuple[Visit, ...], target: Target) -> Visit | None:
    """Return the first visit to a part of a file that is asked for as a whole."""
    return next((visit for visit in visits if target.whole and visit.path == target.path), None)


def _relation(visit: Visit, target: Target) -> str:
    if visit.address == target.address:
        return ""
    if target.whole and not visit.whole:
        return f"only this part of it: {visit.address}"
    return f"it is part of {visit.address}"


def _holding(visits: tuple[Visit, ...], target: Target) -> Visit | None:
    """Return the visit that shows the first line of a target."""
    return next(
        (
            visit
            for visit in visits
            if visit.path == target.path and any(start <= target.start <= end for start, end in visit.spans)
        ),
        None,
    )


def _chain(visits: tuple[Visit, ...], visit: Visit) -> list[dict[str, Any]]:
    by_address = {each.address: each for each in visits}
    steps = [visit]
    while steps[-1].via is not None:
        steps.append(by_address[steps[-1].via])
    return [{"address": each.address, "depth": each.depth, "why": each.why} for each in reversed(steps)]


def _referrers(project: Project, target: Target) -> list[dict[str, Any]]:
    """Return the files that hold a link to the target's file."""
    found: list[dict[str, Any]] = []
    mask = project.mask()
    for file in project.index.files():
        for link in file.links:
            there = resolve(link, file.path, project.index)
            if not isinstance(there, Unresolved) and there.path == target.path and file.path != target.path:
                found.append({"path": file.path, "line": link.line, "ref": mask.plain(link.ref)})
    return found
