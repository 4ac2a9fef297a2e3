"""README.md, CONTRIBUTING.md, SECURITY.md, docs/: generated tables, links, commands,
files and settings that they name, and their form.
"""

from __future__ import annotations

import re
import runpy
import shlex
import sys
import tomllib
import types
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command_lines import parse
from sandbox import Sandbox

from cuedeck.model.errors import EXTRAS
from cuedeck.parse.settings_file import keys, parse_settings
from cuedeck.shells.cli.cli_main import cuedeck
from cuedeck.shells.mcp.aliases import SEEDS
from cuedeck.shells.operations.servers import OLDER
from cuedeck.work.decisions.export_adr import export_decisions

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import generate  # noqa: E402

PAGES = generate.pages()
TEXTS = {page: page.read_text("utf-8") for page in PAGES}
DOCS = [page for page in PAGES if page.parent.name == "docs"]
README = TEXTS[ROOT / "README.md"]
_FENCE = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_PLACEHOLDERS = {"HOST": "claude", "IDS": "7f61edd3", "SHELL": "bash", "N": "1"}
_SETTING = re.compile(r"`([a-z]+\.[a-z_]+)(?: = ([^`]+))?`")


def without_code(text: str) -> str:
    """Return a page without fenced and indented code."""
    return re.sub(r"^ {4}.*$", "", _FENCE.sub("", text), flags=re.MULTILINE)


def names(pages: list[Path]) -> list[str]:
    return [page.name for page in pages]


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_generated_tables_are_up_to_date(page: Path) -> None:
    assert generate.renew(TEXTS[page]) == TEXTS[page], "run: python docs/generate.py"


def test_every_table_is_on_exactly_one_page() -> None:
    text = "\n".join(TEXTS.values())
    found = re.findall(r"^<!-- table: (\S+) -->$", text, re.MULTILINE)
    assert sorted(found) == sorted(generate.TABLES)


def test_the_readme_is_short_and_links_every_page() -> None:
    assert len(README.splitlines()) <= 200
    assert {
        target
        for target in _LINK.findall(README)
        if re.fullmatch(r"docs/[a-z]+\.md", target)
    } == {f"docs/{page.name}" for page in DOCS}


@pytest.mark.parametrize("page", DOCS, ids=names(DOCS))
def test_a_page_begins_with_a_sentence_about_its_content(page: Path) -> None:
    title, paragraph, *_ = TEXTS[page].split("\n\n")
    assert re.fullmatch(r"# \S.*", title)
    assert re.fullmatch(
        r"This page (?:covers|lists|shows) [^.]*(?:\.\w[^.]*)*\.",
        paragraph.replace("\n", " "),
    )


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    plain = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return plain.replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {
        slug(heading)
        for heading in _HEADING.findall(_FENCE.sub("", page.read_text("utf-8")))
    }


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_relative_links_have_a_target(page: Path) -> None:
    broken = []
    for link in _LINK.findall(re.sub(r"`[^`\n]*`", "", without_code(TEXTS[page]))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        is_file = target.is_relative_to(ROOT) and target.exists()
        if not is_file or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_a_file_of_the_repository_that_a_page_names_exists(page: Path) -> None:
    folders = "cuedeck|tests|docs|benchmarks|conformance"
    found = re.findall(rf"`((?:{folders})/[\w./-]+)`", without_code(TEXTS[page]))
    example = ROOT / "examples/login"
    assert [
        name
        for name in found
        if not (ROOT / name).exists() and not (example / name).exists()
    ] == []


def shown_commands(text: str) -> Iterator[str]:
    """Yield the command lines in code blocks and in inline code."""
    blocks = [found["body"] for found in _FENCE.finditer(text)]
    blocks += [
        line[4:]
        for line in _FENCE.sub("", text).splitlines()
        if line.startswith("    ")
    ]
    for block in blocks:
        for line in block.replace("\\\n", " ").splitlines():
            found = re.search(r"(?:^|^\$ |\| )(cuedeck [^|]*)", line)
            if found:
                yield re.sub(r"\s+#.*$|> /dev/null$", "", found[1]).strip()
    for span in re.findall(r"`(cuedeck [^`]+)`", without_code(text).replace("\n", " ")):
        yield span.replace(" …", "").replace("\\|", "|")


def parses_or_names(line: str) -> None:
    """Parse a command line, or check that a mention without arguments names a command.
    Raises: click errors.
    """
    words = [_PLACEHOLDERS.get(word, word) for word in shlex.split(line)]
    node: click.Command = cuedeck
    context = click.Context(cuedeck, info_name="cuedeck")
    for word in words[1:]:
        found = (
            node.get_command(context, word) if isinstance(node, click.Group) else None
        )
        if found is None:
            break
        node, context = found, click.Context(found, parent=context, info_name=word)
    options = words[len(context.command_path.split()) :]
    if not options:
        return
    try:
        parse(shlex.join(words))
    except click.MissingParameter:
        if not {name for each in node.params for name in each.opts}.issuperset(options):
            raise


COMMANDS = [
    (page.name, line)
    for page, text in TEXTS.items()
    for line in dict.fromkeys(shown_commands(text))
]


def test_there_are_commands_to_check() -> None:
    assert len(COMMANDS) > 80


@pytest.mark.parametrize(
    ("page", "line"), COMMANDS, ids=[" ".join(each) for each in COMMANDS]
)
def test_a_command_of_a_page_parses(page: str, line: str) -> None:
    parses_or_names(line)


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_a_setting_that_a_page_names_exists(page: Path) -> None:
    known = dict(keys())
    sections = {name.split(".")[0] for name in known}
    text = _FENCE.sub("", TEXTS[page])
    found = {
        name for name, _ in _SETTING.findall(text) if name.split(".")[0] in sections
    }
    assert sorted(found - known.keys() - {"experiences.jsonl", "section.key"}) == []
    for block in re.findall(
        r"^```toml\n(.*?)^```$", TEXTS[page], re.MULTILINE | re.DOTALL
    ):
        assert parse_settings(block)[1] == ()


def test_the_defaults_of_a_new_workspace_are_those_of_the_template() -> None:
    text = (ROOT / ".cuedeck-template/config.toml").read_text("utf-8")
    settings, problems = parse_settings(text)
    assert problems == ()
    page = TEXTS[ROOT / "docs/settings.md"]
    section = page.partition("## Defaults of a new workspace")[2].partition("\n## ")[0]
    stated = {name: value for name, value in _SETTING.findall(section) if value}
    assert len(stated) >= 6
    for name, value in stated.items():
        group, key = name.split(".")
        effective = getattr(getattr(settings, group), key)
        assert effective == tomllib.loads(f"value = {value}")["value"], name
    assert stated["dream.enabled"] == "false"


@pytest.mark.parametrize("path", ["README.md", ".cuedeck-template/config.toml"])
def test_the_choice_of_linked_files_alone_is_named(path: str) -> None:
    assert "related = false" in (ROOT / path).read_text("utf-8")


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield each command that is not a group alone, with its full name."""
    if not isinstance(command, click.Group) or command.name == "scene":
        yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from leaves(found, f"{name} {each}")


def test_every_option_has_a_help_text() -> None:
    silent = []
    for name, command in leaves(cuedeck, "cuedeck"):
        for each in command.params:
            if isinstance(each, click.Option) and not each.help:
                silent.append(f"{name} {each.opts[0]}")
    assert silent == []


def test_the_json_page_names_every_command() -> None:
    page = TEXTS[ROOT / "docs" / "json.md"]
    missing = []
    for name, _ in leaves(cuedeck, "cuedeck"):
        short = name.removeprefix("cuedeck ")
        if not re.search(rf"`(?:cuedeck )?{short}[ `]", page):
            missing.append(name)
    assert missing == []


def test_the_older_names_of_tools_are_listed() -> None:
    assert OLDER.split(", ") == [tool.name for tool in SEEDS]
    assert all(f"`{tool.name}`" in TEXTS[ROOT / "docs/agents.md"] for tool in SEEDS)


def test_the_table_of_dependencies_is_that_of_the_project() -> None:
    workspace = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {re.split(r"[>=<]", each)[0] for each in workspace["dependencies"]}
    extras = workspace["optional-dependencies"]
    assert set(EXTRAS.values()) < set(extras)
    extra = {
        re.split(r"[>=<[]", each)[0]
        for name in set(extras) - {"all", "test"}
        for each in extras[name]
    }
    table = (
        TEXTS[ROOT / "docs/design.md"]
        .partition("| package | why |")[2]
        .partition("\n\n")[0]
    )
    listed: set[str] = set()
    for row in table.splitlines()[2:]:
        names = re.sub("^extras? (`[a-z]+`,? ?)+: ", "", row.split("|")[1].strip())
        first, *others = names.split(", ")
        stem = first.rsplit("-", 1)[0] if others and others[0].startswith("-") else ""
        rest = [f"{stem}{name}" if name[0] == "-" else name for name in others]
        listed |= {first, *rest}
    assert listed == needed | extra


def test_the_pages_of_decisions_are_those_of_the_ledger(sandbox: Sandbox) -> None:
    ledger = (ROOT / ".cuedeck/decisions.jsonl").read_text("utf-8")
    sandbox.write(".cuedeck/decisions.jsonl", ledger)
    export_decisions(sandbox.workspace(), everything=True)
    exported = {
        page.name: page.read_text("utf-8")
        for page in sandbox.place("docs/adr").iterdir()
    }
    assert exported == {
        page.name: page.read_text("utf-8") for page in (ROOT / "docs/adr").iterdir()
    }, "run: cuedeck decision export --all"


def test_the_description_of_the_package_has_no_relative_links(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They lead nowhere on the page of a package."""
    interface = "hatchling.metadata.plugin.interface"
    stub = types.SimpleNamespace(MetadataHookInterface=object)
    monkeypatch.setitem(sys.modules, interface, stub)
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))
    text = hook["package_description"]((ROOT / "README.md").read_text("utf-8"))
    assert not re.findall(r"\]\((?!https?:)", text)
    assert "tutorial (`docs/tutorial.md`)" in text
