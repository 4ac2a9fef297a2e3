"""Write the tables of the documentation from the code.

    python docs/generate.py     rewrite the pages in place

A page marks each region with `<!-- table: NAME -->` and `<!-- /table -->`; NAME is a
key of `TABLES`.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from cuedeck.doctor.examine import CHECKS
from cuedeck.model import errors, memory_record
from cuedeck.model.assumption import SHAPES
from cuedeck.model.settings_schema import Key
from cuedeck.parse.languages import languages
from cuedeck.parse.secrets.formats import RULES
from cuedeck.parse.settings_file import keys
from cuedeck.shells.cli.cli_main import GROUPS, cuedeck
from cuedeck.shells.cli.operation_command import TextGroup
from cuedeck.shells.mcp.tools import TOOLS
from cuedeck.shells.operations.search import SIGNALS

ROOT = Path(__file__).parents[1]
_REGION = re.compile(
    r"(?<=^<!-- table: )([a-z-]+)( -->\n)(.*?)(?=^<!-- /table -->$)",
    re.MULTILINE | re.DOTALL,
)
_COMMON_OPTIONS = ("directory", "as_json", "json", "help")
_UNNAMED_CODES = {
    1000: (
        1,
        "An internal error of CueDeck; `CUEDECK_TRACEBACK=1` prints the traceback.",
    ),
    1004: (1, "Front matter cannot be parsed."),
}
"""Exit code and meaning of codes that no specific error class describes."""


def pages() -> list[Path]:
    """Return the pages of the root and of docs/."""
    root = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [*root, *sorted((ROOT / "docs").glob("*.md"))]


def renew(text: str) -> str:
    """Return the text of a page with all its tables rewritten. Raises: KeyError for an
    unknown table.
    """
    return _REGION.sub(
        lambda found: f"{found[1]}{found[2]}{TABLES[found[1]]()}\n", text
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
        for row in rows
    ]
    return "\n".join(lines)


def _code(values: Iterable[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _first_sentences(text: str) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join(inspect.cleandoc(text).replace("\b", "").split("\n\n")[0].split())


def _leaves(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield every command that can run, in the order of `--help`."""
    if not isinstance(command, click.Group):
        yield command, context
        return
    if command.invoke_without_command:
        yield command, context
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from _leaves(found, click.Context(found, parent=context, info_name=name))


def _option(option: click.Option, context: click.Context) -> str:
    name = max(option.opts, key=len)
    if option.is_flag:
        return f"`{name}`"
    metavar = (
        "N" if isinstance(option.type, click.IntRange) else option.make_metavar(context)
    )
    return f"`{name} {metavar.strip('[]')}`"


def _command_row(command: click.Command, context: click.Context) -> list[str]:
    optional = [each for each in command.params if isinstance(each, click.Option)]
    options = [
        _option(each, context) for each in optional if each.name not in _COMMON_OPTIONS
    ]
    arguments = [
        each.make_metavar(context)
        for each in command.params
        if isinstance(each, click.Argument)
    ]
    if isinstance(command, TextGroup):
        arguments.append("[TEXT]")
    usage = " ".join([context.command_path.removeprefix("cuedeck "), *arguments])
    return [f"`{usage}`", " ".join(options), _first_sentences(command.help or "")]


def _commands(group: str) -> str:
    root = click.Context(cuedeck, info_name="cuedeck")
    rows = []
    for name in GROUPS[group]:
        command = cuedeck.get_command(root, name)
        assert command is not None
        rows += [
            _command_row(*leaf)
            for leaf in _leaves(command, click.Context(command, root, name))
        ]
    return _table(["command", "options", "does"], rows)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _allowed(key: Key) -> str:
    if key.among:
        return _code(f'"{each}"' for each in key.among)
    if isinstance(key.default, tuple):
        return "list of text, not empty" if key.least else "list of text"
    if key.least is not None:
        return f"{key.least:,} to {key.most:,}"
    if isinstance(key.default, bool):
        return "true, false"
    return "text"


def _settings() -> str:
    rows = [(f"`{name}`", f"`{_toml(key.default)}`", _allowed(key), key.doc)
            for name, key in keys()]  # fmt: skip
    return _table(["key", "default", "allowed", "meaning"], rows)


def _error_kinds() -> list[type[errors.CueDeckError]]:
    classes = [each for each in vars(errors).values() if isinstance(each, type)]
    return [each for each in classes if issubclass(each, errors.CueDeckError)]


def _error_codes() -> str:
    meanings: dict[tuple[int, int], list[str]] = {}
    for kind in _error_kinds():
        if kind.code not in _UNNAMED_CODES:
            meanings.setdefault((kind.code, kind.exit_code), []).append(
                _first_sentences(kind.__doc__ or "")
            )
    for code, (exit_code, meaning) in _UNNAMED_CODES.items():
        meanings[code, exit_code] = [meaning]
    rows = []
    for (code, exit_code), texts in sorted(meanings.items()):
        findings = (
            []
            if exit_code != 1
            else sorted(name for name, at in errors.FINDING_CODES.items() if at == code)
        )
        rows.append((str(code), str(exit_code), " ".join(texts), _code(findings)))
    return _table(
        ["code", "exit", "means", "findings of `doctor` with this code"], rows
    )


def _exit_codes() -> str:
    special = {
        kind.exit_code: _first_sentences(kind.__doc__ or "")
        for kind in _error_kinds()
        if kind.exit_code != 1
    }
    rows = {
        0: "Success.",
        1: "Findings, or an error without an exit code of its own.",
        **special,
        130: "Interrupted.",
    }
    return _table(
        ["exit code", "means"],
        ((str(code), text) for code, text in sorted(rows.items())),
    )


def _doctor_checks() -> str:
    return _table(
        ["check", "verifies that"], ((f"`{check.name}`", check.doc) for check in CHECKS)
    )


def _mcp_tools() -> str:
    rows = (
        (f"`{tool.name}`", "yes" if tool.writes else "no", tool.about) for tool in TOOLS
    )
    return _table(["tool", "writes", "description for the model"], rows)


def _record_categories() -> str:
    rows = [
        (
            f"`{name}`",
            "no" if category.is_protected else "yes",
            "yes" if category.becomes_experience else "no",
        )
        for name, category in memory_record.CATEGORIES.items()
    ]
    return _table(["category", "merged by compaction", "becomes an experience"], rows)


def _languages() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    built_in = [re.split(r"[>=<]", each)[0] for each in project["dependencies"]]
    rows: dict[str, list[str]] = {}
    for each in languages().values():
        package = each.grammar.partition(":")[0].replace("_", "-")
        files = (*each.suffixes, *each.file_names)
        rows.setdefault(each.title, [package]).extend(files)
    return _table(
        ["language", "files", "grammar"],
        (
            (
                title,
                _code(names),
                "built in" if package in built_in else "extra `languages`",
            )
            for title, (package, *names) in sorted(rows.items())
        ),
    )


def _signals() -> str:
    return _table(
        ["signal", "ranks files by"],
        ((f"`{name}`", text) for name, text in SIGNALS.items()),
    )


def _assumption_checks() -> str:
    return _table(
        ["check", "example"],
        ((f"`{kind}`", f"`{kind}={shape.example}`") for kind, shape in SHAPES.items()),
    )


def _secret_formats() -> str:
    return _code(sorted({rule.kind for rule in RULES}))


TABLES: Mapping[str, Callable[[], str]] = {
    **{f"commands-{group.lower()}": partial(_commands, group) for group in GROUPS},
    "settings": _settings,
    "error-codes": _error_codes,
    "exit-codes": _exit_codes,
    "doctor-checks": _doctor_checks,
    "mcp-tools": _mcp_tools,
    "record-categories": _record_categories,
    "languages": _languages,
    "signals": _signals,
    "assumption-checks": _assumption_checks,
    "secret-formats": _secret_formats,
}
"""Functions that return the Markdown of each region, by name."""


def main() -> None:
    """Rewrite every page whose tables are out of date."""
    for page in pages():
        text = page.read_text("utf-8")
        renewed = renew(text)
        if renewed != text:
            page.write_text(renewed, "utf-8")
            print(f"renewed {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
