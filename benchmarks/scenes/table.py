"""The results of a run as Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence

from benchmarks.scenes.interval import Interval, interval
from benchmarks.scenes.result import PRODUCT, Cost, Result, Row

_COLUMNS: tuple[tuple[str, Callable[[Row], float | None]], ...] = (
    ("file", lambda row: row.score.file),
    ("symbol", lambda row: row.score.symbol),
    ("line", lambda row: row.score.line),
    ("MRR", lambda row: row.score.mrr),
)
_ABSENT = "not installed"


def format_result(
    result: Result, systems: Sequence[str], budgets: Sequence[int]
) -> str:
    """Return all tables. Order: systems as given, then CueDeck by repository, then its
    costs.
    """
    cases = len({row.case for row in result.rows})
    repos = list(dict.fromkeys(row.repo for row in result.rows))
    summary = f"{cases} cases of {len(repos)} repositories; mean and bootstrap 95 % interval over the cases.\n\n"
    tables = [
        summary
        + _scores(
            "system",
            systems,
            budgets,
            lambda name, row: row.system == name,
            result.rows,
        )
    ]
    own = [row for row in result.rows if row.system == PRODUCT]
    if own:
        tables.append(
            _scores(
                "CueDeck on",
                sorted(repos),
                budgets,
                lambda name, row: row.repo == name,
                own,
            )
        )
    if result.costs:
        tables.append(_costs(result.costs, systems))
    return "\n".join(tables)


def format_worst(rows: Iterable[Row], most: int) -> str:
    """Return the cases with the lowest scores: the missed files and their ranks."""
    ordered = sorted(
        rows,
        key=lambda row: (
            row.score.file,
            row.score.line or 0.0,
            row.score.mrr,
            row.case,
        ),
    )
    lines = []
    for row in ordered[:most]:
        first = (
            f"first target at rank {row.score.rank}"
            if row.score.rank
            else "no target has a heading"
        )
        lines.append(
            f"- `{row.case}` at {row.budget:,}: file {row.score.file:.2f}, {first}"
        )
        for path, rank in row.score.missed:
            lines.append(
                f"  - missed `{path}`, {f'headed at rank {rank}' if rank else 'without a heading'}"
            )
    return "\n".join(lines) + "\n"


def _scores(
    title: str,
    names: Sequence[str],
    budgets: Sequence[int],
    belongs: Callable[[str, Row], bool],
    rows: Sequence[Row],
) -> str:
    table = [[title, "budget", *(heading for heading, _ in _COLUMNS)]]
    for budget in budgets:
        for name in names:
            own = [row for row in rows if row.budget == budget and belongs(name, row)]
            cells = (
                [_cell(interval(map(figure, own))) for _, figure in _COLUMNS]
                if own
                else [_ABSENT] * len(_COLUMNS)
            )
            table.append([name.replace("+", "/"), f"{budget:,}", *cells])
    return _markdown(table)


def _costs(costs: Sequence[Cost], systems: Sequence[str]) -> str:
    table = [
        [
            "seconds, as floors of the same run",
            "first",
            "second",
            "first in s",
            "second in s",
            "floor in s",
        ]
    ]
    for system in systems:
        own = [cost for cost in costs if cost.system == system]
        if own:
            floor = statistics.median(cost.floor for cost in own)
            first = statistics.median(cost.first for cost in own)
            second = statistics.median(cost.second for cost in own)
            ratios = [f"{value / floor:.1f}x" for value in (first, second)]
            table.append(
                [system, *ratios, *(f"{value:.3f}" for value in (first, second, floor))]
            )
    return _markdown(table)


def _cell(found: Interval | None) -> str:
    return f"{found.mean:.3f} [{found.low:.3f}, {found.high:.3f}]" if found else "–"


def _markdown(table: Sequence[Sequence[str]]) -> str:
    head, *rows = (f"| {' | '.join(row)} |\n" for row in table)
    rule = f"|---|{'---:|' * (len(table[0]) - 1)}\n"
    return "".join([head, rule, *rows])
