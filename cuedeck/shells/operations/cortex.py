"""The cortex tree, searches in it, and layers: abstracts and overviews of addresses."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from cuedeck.knowledge.cortex.search_cortex import list_folder
from cuedeck.knowledge.layers import build_layers as layers
from cuedeck.model.cortex_address import LAYERS
from cuedeck.model.errors import NotFound
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Answer, Call, Note, Raw
from cuedeck.shells.operation import Many, Param, operation, topic
from cuedeck.shells.text_template import write_lines

Address = Annotated[str, Param("cortex", "ADDRESS")]
Folder = Annotated[str, Param("cortex", "[ADDRESS]")]
Scope = Annotated[str, Param("cortex", "ADDRESS")]
Layers = Annotated[Many, Param(choices=LAYERS)]
MostEntries = Annotated[
    int, Param(least=1, most=100_000, help="Print at most N entries.")
]
MostResults = Annotated[int, Param(least=1, most=500, help="Print at most N results.")]
topic(
    "cortex",
    """Keep timelines of sessions, and memories of users and agents.

    They are files below .cuedeck/cortex/, with addresses such as
    cortex://user/default/preferences/editor.md.
    """,
    'cuedeck cortex add "We decided to use SQLite"\ncuedeck cortex commit',
)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))


def _entries(answer: JsonView) -> Iterator[str]:
    if not answer["entries"]:
        add = "`cuedeck cortex add TEXT` adds a message"
        yield Note(f"{answer['address']} is empty; {add}")
        return
    yield from write_lines(_ENTRIES, answer)
    for entry in answer["entries"]:
        if entry.get("abstract"):
            yield f"\n{entry['address']}"
            yield _indented(entry["abstract"])
    yield from write_lines(_MORE, answer)


_ENTRIES = "|entries address | >size={kind:=folder?{entries:,} inside}{kind:~folder?{size:,} B}"
_MORE = "?left_out … and {left_out:,} more; --limit shows more"


@operation(
    "cortex ls",
    "cuedeck cortex ls\ncuedeck cortex ls cortex://user/default --abstracts",
    _entries,
)
def ls(
    call: Call,
    address: Folder = "",
    *,
    abstracts: bool = False,
    limit: MostEntries = 1_000,
) -> Json:
    """List the files and folders in a folder of the cortex tree.

    ADDRESS is cortex://user/default or .cuedeck/cortex/user/default; without it, the
    top folders are listed: resources, user, agent, session.

    Args:
        abstracts: Print the abstract of each entry.
    """
    return list_folder(call.workspace, address, limit=limit, abstracts=abstracts)


@operation(
    "cortex tree",
    "cuedeck cortex tree\ncuedeck cortex tree cortex://session --depth 2",
    """\
{address}
*entries {level!i}{name}{kind:=folder?/}
?left_out … and {left_out:,} more; --limit shows more""",
)
def tree(
    call: Call,
    address: Folder = "",
    *,
    depth: Annotated[int, Param(least=0, most=100)] = 0,
    limit: MostEntries = 1_000,
) -> Json:
    """Print the cortex tree, or the part of it below ADDRESS.

    Args:
        depth: Print N levels.  [default: all]
    """
    return list_folder(call.workspace, address, depth=depth, limit=limit)


def _results(results: Sequence[JsonView], layers: Sequence[str]) -> Iterator[str]:
    for number, result in enumerate(results):
        if number:
            yield ""
        shown = (result["address"], result["date"], f"{result['score']:.3f}")
        yield "  ".join(filter(None, shown))
        yield _indented(result["snippet"])
        for layer in layers:
            yield _indented(f"{layer}: {result[layer]}")


@operation(
    "cortex search",
    'cuedeck cortex search "which editor does Ana prefer"\n'
    "cuedeck cortex search token --in session --layer L0",
)
def search(
    call: Call,
    query: str,
    *,
    scope: Scope = "",
    layers: Layers = (),
    limit: MostResults = 10,
) -> Answer:
    """Search messages, memories and resources.

    `cuedeck recall` searches everything.

    The full texts are searched. Each result is a file with the address of its best
    lines, which `cuedeck read` opens. Superseded statements are never found.

    Args:
        scope --in: Only below this address, such as cortex://user/default; also the
            name of a top folder, such as user, or the id of a session.
        layers --layer: Print this layer of each result.
    """
    from cuedeck.knowledge.cortex.search_cortex import search_cortex

    found = search_cortex(
        call.workspace, query, scope=scope, limit=limit, layers=layers
    )

    def text(answer: JsonView) -> Iterator[str]:
        for note in answer["notes"]:
            yield Note(f"note: {note}")
        if not answer["results"]:
            raise NotFound(
                f"nothing in the cortex tree matches `{answer['query']}`",
                hint="use fewer words or other ones; `cuedeck recall WORDS` searches everything",
            )
        yield from _results(answer["results"], layers)

    code = int(not found["results"])
    return Answer(found, text, code=code)


@operation(
    "cortex explore",
    'cuedeck cortex explore "login token"\n'
    'cuedeck cortex explore "login token" cortex://session',
)
def explore(
    call: Call,
    query: str,
    address: Folder = "",
    *,
    layers: Layers = (),
    limit: MostResults = 10,
) -> Answer:
    """Print the matches of a query with the folders above them.

    Begins at ADDRESS, by default at the top of the tree; prints the abstract of each
    folder.

    Args:
        layers --layer: Print this layer of each result.
    """
    from cuedeck.knowledge.cortex.search_cortex import explore_cortex

    layers = layers or ("L0",)
    found = explore_cortex(call.workspace, query, address, limit=limit, layers=layers)

    def text(answer: JsonView) -> Iterator[str]:
        for step in answer["path"]:
            yield f"{step['address']}  {counted(step['matches'], 'result')}"
            yield _indented(step["abstract"])
        if answer["matches"]:
            yield ""
        yield from _results(answer["matches"], layers)

    code = int(not found["matches"])
    return Answer(found, text, code=code)


def _content(answer: JsonView) -> Raw:
    return Raw(answer["text"])


def _read(call: Call, address: str, **options: Any) -> Json:
    from cuedeck.knowledge.cortex.cortex_nodes import read_cortex

    return read_cortex(call.workspace, address, **options)


@operation(
    "cortex abstract", "cuedeck cortex abstract cortex://session/default", _content
)
def abstract(call: Call, address: Address) -> Json:
    """Print the abstract (L0, at most 100 tokens) of an address."""
    return _read(call, address, layer="L0")


@operation("cortex overview", "cuedeck cortex overview cortex://user/default", _content)
def overview(call: Call, address: Address) -> Json:
    """Print the overview (L1, at most 2,000 tokens) of an address."""
    return _read(call, address, layer="L1")


@operation(
    "cortex read",
    "cuedeck cortex read cortex://user/default/preferences/editor.md\n"
    "cuedeck cortex read cortex://resources/guide/intro.md#L3-L9",
    _content,
)
def read(call: Call, address: Address, *, numbers: bool = False) -> Json:
    """Print a file, lines of a file, or the overview of a folder.

    Args:
        numbers: Print the number of each line: `42│text`.
    """
    return _read(call, address, layer=None, numbers=numbers)


def _forgotten(answer: JsonView) -> Iterator[str]:
    deleted, rebuilt = "deleted", "rebuilt"
    if answer["dry_run"]:
        deleted, rebuilt = "would delete", "would rebuild"
    for path in (*answer["files"], *answer["layers"]):
        verb = rebuilt if path in answer["rebuilt"] else deleted
        yield f"{verb} {path}"
    for path in answer["kept"]:
        yield f"kept {path}, which CueDeck did not write; it may contain the text"
    for address in answer["sources"]:
        yield f"kept {address}, which it quotes"
    for address in answer["quoted_by"]:
        yield f"kept {address}, which quotes it"


@operation(
    "cortex forget",
    "cuedeck cortex forget cortex://user/default/preferences/editor.md --dry-run\n"
    "cuedeck cortex forget cortex://session/fix-login",
    _forgotten,
)
def forget(call: Call, address: Address, *, dry_run: bool = False) -> Json:
    """Delete a file or folder of the cortex tree with its layers.

    Backups of layers and the index of recall lose the text, too. The messages that a
    deleted memory quotes are separate files, as are the memories that quote a deleted
    message: the answer lists them.

    Args:
        dry_run: Print what would be deleted.
    """
    from cuedeck.knowledge.cortex.forget_memory import forget_memory

    return forget_memory(call.workspace, address, dry_run=dry_run)


topic(
    "layers",
    """Build and check layers: abstracts (L0) and overviews (L1).

    A layer is computed from the files alone and written below .cuedeck/cortex/. A text
    that fits the limit of a layer (100 and 2,000 tokens) needs no layer file. `cuedeck
    read ADDRESS --layer L0` reads the layer of any address, also before a build.
    """,
    "cuedeck layers status\ncuedeck layers build",
)
_MOST_ROWS = 50
"""Layers that are printed; `--json` has all."""
_KEPT = "delete a kept layer to have it built again"


_ROWS = """\
|rows status | layer | address~ | reason~
?more +{more:,} more; `--json` lists all"""


def _layer_rows(rows: Sequence[JsonView]) -> Iterator[str]:
    more = max(0, len(rows) - _MOST_ROWS)
    yield from write_lines(_ROWS, {"rows": rows[:_MOST_ROWS], "more": more})


def _built(answer: JsonView) -> Iterator[str]:
    verb = "would make" if answer["dry_run"] else "made"
    if answer["outside"] is None:
        made = counted(len(answer["made"]), "layer")
        whole = f"{answer['whole']:,} need no file"
        yield f"{verb} {made}, reused {answer['reused']:,}; {whole}"
    rows = []
    for label in ("removed", "kept"):
        rows += [{**row, "status": label} for row in answer[label]]
    yield from _layer_rows(rows)
    yield from answer["notes"]
    if answer["kept"]:
        yield _KEPT


@operation(
    "layers build",
    "cuedeck layers build\ncuedeck layers build cortex://session/default --dry-run",
    _built,
)
def build_layers(
    call: Call, address: Folder = "", *, rebuild: bool = False, dry_run: bool = False
) -> Json:
    """Build the layers that are stale.

    ADDRESS limits the build to the tree below it. A file or folder outside the cortex
    tree needs no build: `cuedeck read ADDRESS --layer L0` computes its layers.

    Layers that were edited by hand or written by another program are kept and listed.

    Args:
        rebuild: Write fresh layers again, for example by a new summariser command.
        dry_run: Print the changes; write no file.
    """
    receipt = layers.build_layers_of(
        call.workspace, address, rebuild=rebuild, dry_run=dry_run
    )
    return {"dry_run": dry_run, **asdict(receipt)}


_COUNTS = """\
{files:+file} in {folders:+folder}
{fresh:?{fresh:,} fresh, }{stale:?{stale:,} stale, }{kept:?{kept:,} kept, }{whole:,} need no file"""


def _layer_status(answer: JsonView) -> Iterator[str]:
    yield from write_lines(_COUNTS, answer)
    yield from _layer_rows(answer["layers"])
    yield from write_lines(
        f"?stale `cuedeck layers build` builds stale layers\n?kept {_KEPT}", answer
    )


@operation(
    "layers status",
    "cuedeck layers status\ncuedeck layers status --json",
    _layer_status,
)
def layer_status(call: Call) -> Json:
    """Count the layers by status, and list those that are not fresh.

    A layer is fresh, stale (it is missing, or its text has changed) or kept (edited by
    hand, or written by another program).
    """
    return layers.layer_status(call.workspace)


@operation("layers verify", "cuedeck layers verify", _layer_status)
def verify_layers(call: Call) -> Answer:
    """Compute every layer again and compare it with its file.

    Exit code 1 if a layer is not fresh or differs.
    """
    found = layers.verify_layers(call.workspace)
    return Answer(found, code=int(not found["verified"]))
