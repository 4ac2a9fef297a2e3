"""What to read: search, text of an address, recall, reasons and suggestions."""

from collections.abc import Iterator
from typing import Annotated, Any

from cuedeck.model.cortex_address import LAYERS
from cuedeck.model.errors import NotFound
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Answer, Call, Note, Raw
from cuedeck.shells.operation import Address, Card, Count, Many, Param, Words, operation
from cuedeck.shells.operations.cards import OnlyAssignee, OnlyPriority, OnlyTags
from cuedeck.shells.text_template import write_lines


@operation(
    "find",
    "cuedeck find print0                 its address, and every line that has it\n"
    "cuedeck find AppContext.push --limit 50\n"
    'cuedeck find "expired token" --kind doc --json',
    takes_folder=True,
    short_ids=True,
)
def find(
    call: Call,
    text: str,
    *,
    kinds: Annotated[Many, Param(choices=("card", "doc", "source"))] = (),
    limit: Count = 0,
) -> Answer:
    """Find files, headings, symbols and lines by name or words.

    TEXT is an address, a name or words. If it is an identifier, every line that
    contains it is listed as `path:line: text`, in all spellings: `dead-link`,
    `dead_link`, `deadLink`, `DeadLink` and `DEAD_LINK`. Text with punctuation or
    in double quotes is searched as written: `0.0.0.0`, `--dry-run`, `"to be"`. If
    no line has it, its words with a digit or punctuation are: `login x86_64`.
    Case and accents do not matter. Words such as `the` or `add` count only if the
    query has no others; an exact name comes first. Of lock files, licences,
    and generated or vendored files, only the names are searched. Secrets are masked.

    Args:
        kinds --kind: Only files of this kind; a doc is a Markdown file or a notebook.
        limit: Print at most N addresses and N lines.  [default: 20]
    """
    from cuedeck.context.search import find_places as work

    found = work.find(call.workspace, text, kinds=kinds, limit=limit or work.LIMIT)
    is_found = bool(found["hits"] or found["occurrences"])

    def show(answer: JsonView) -> Iterator[str]:
        if not is_found:
            without_kind = "; or leave out --kind" if kinds else ""
            raise NotFound(
                f"nothing matches `{answer['query']}`",
                hint=f"{answer['hint']}{without_kind}",
            )
        more = max(0, answer["total"] - len(answer["hits"]))
        lines = max(0, answer["occurrences_total"] - len(answer["occurrences"]))
        yield from write_lines(_HITS, {**answer, "more": more, "lines": lines})

    return Answer(found, show, code=int(not is_found))


_HITS = """?hint {hint}
|hits address | kind | >lines={lines[0]}-{lines[1]} | why~
?more … and {more:,} more; --limit lists them
?occurrences
*occurrences {path}:{line}: {text}
?lines … and {lines:+more line}; --limit lists them"""


def _text(answer: JsonView) -> Iterator[str]:
    text = answer["text"]
    if answer["kind"] == "binary":
        yield Note(f"{answer['path']} is a binary file")
    yield Raw(text + ("" if text.endswith("\n") or not text else "\n"))


@operation(
    "read",
    "cuedeck read docs/auth.md#LoginFlow\n"
    "cuedeck read src/auth.py#L10-L40 --numbers\n"
    "cuedeck read src/auth.py --layer L1",
    _text,
    takes_folder=True,
)
def read(
    call: Call,
    address: Address,
    *,
    numbers: bool = False,
    layer: Annotated[str, Param(choices=LAYERS)] = "L2",
) -> Json:
    """Print the text at an address, or an abstract of it.

    ADDRESS is a path, a path with `#section`, `#symbol` or `#L10-L40`, a card id, or
    the address of a ledger entry such as `decision:ID`. A path that begins with `./` or
    `../` counts from the current folder, any other from the folder that holds
    .cuedeck/, or without one from the top of the git checkout. Secrets are masked.

    Args:
        numbers: Print the number of each line of a file: `42│text`.
        layer: L0: abstract of at most 100 tokens. L1: overview of at most 2,000.
            L2: the text.
    """
    if layer == "L2":
        from cuedeck.context.search.read_address import read_address

        return read_address(call.workspace, address, numbers=numbers)
    from cuedeck.knowledge.layers.read_layer import read_with_layer  # loads all parsers

    wanted: Any = layer
    return read_with_layer(call.workspace, address, wanted, numbers=numbers)


SIGNALS = {
    "path": "task words in the path",
    "stem": "file name shared with a linked file",
    "defines": "defines a name from the task",
    "names": "task words in names of definitions and sections",
    "text": "task words in the text",
    "chunk": "task words close together",
    "sources": "rare words shared with linked files",
    "focus": "words shared with linked passages about the task",
    "imports": "imports from or into linked files",
    "session": "used in the open session",
    "cochange": "changed together with linked files",
    "commits": "changed by commits with a similar message",
    "lines": "lines that similar commits edited",
}
"""Display texts of the ranking signals; `--json` has their names."""


_CHAIN = """\
*chain {depth!i}{address}   {why}
!in_scene not shown: {reason}
?view shown ({view!v}, {tokens:,} tokens), {tier:=related?related file}\
{tier:~related?linked from the card}{reason:?: {reason}}
?in_scene {view:!shown in another part of the scene: {reason}}
|signals signal | >rank
*sources   linked from {path}{line:?:{line}} as {ref}"""


def _chain(answer: JsonView) -> Iterator[str]:
    ranks = sorted(answer["ranks"].items(), key=lambda each: (each[1], each[0]))
    signals = [
        {"signal": SIGNALS.get(name, name), "rank": rank} for name, rank in ranks
    ]
    sources = answer["referred_by"][:20]
    yield from write_lines(_CHAIN, {**answer, "signals": signals, "sources": sources})


@operation("why", "cuedeck why src/auth.py", _chain, short_ids=True)
def why(call: Call, address: Address, *, card: Card = "") -> Answer:
    """Explain why an address is in the scene or not.

    Prints the links that lead to it, or its rank and the file it lost to. Exit code 1
    if it is not in the scene.

    Args:
        card: Use this card instead of the active one.
    """
    from cuedeck.context.scene import explain as work

    found = work.why(call.workspace, address, card or None)
    return Answer(found, code=int(not found["in_scene"]))


@operation(
    "suggest",
    "cuedeck suggest                     refs that the active card lacks\n"
    "cuedeck suggest 2a9 --limit 5 --json\n"
    "cuedeck suggest --apply             add the marked ones to its refs",
)
def suggest(
    call: Call,
    card: Annotated[str, Param("card", "[CARD]")] = "",
    *,
    apply: bool = False,
    limit: Count = 0,
) -> Answer:
    """Suggest refs for a card.

    Lists unlinked files and symbols that the words of the card, imports and git history
    point to.

    Args:
        apply: Add the refs marked `+` to the card.
        limit: List at most N refs.  [default: 10]
    """
    from cuedeck.context.scene import suggest_refs as work

    most = limit or work.LIMIT
    found = work.suggest(call.workspace, card or None, most, apply=apply)
    return Answer(found, lambda answer: _suggestions(answer, apply=apply))


_SUGGESTED = """\
!suggestions nothing to suggest for {card}
|suggestions >rank={number} | apply={clear:?+}{clear:!{linked:?+}} | address | why~
?applied added to {card}: {applied}"""


def _suggestions(answer: JsonView, *, apply: bool) -> Iterator[str]:
    yield from write_lines(_SUGGESTED, answer)
    if answer["applied"] or not answer["suggestions"]:
        return
    clear = sum(each["clear"] for each in answer["suggestions"])
    if apply or not clear:
        outcome = "nothing was added: " if apply else ""
        yield f"{outcome}no suggestion is clear enough; `cuedeck card ref add CARD ADDRESS` adds any ref"
    else:
        yield f"`cuedeck suggest --apply` adds the {clear} marked +, `cuedeck card ref add CARD ADDRESS` any other"


_RESULTS = """\
|results >={number} | kind | address | title~
?more … and {more} more"""


@operation(
    "open",
    "cuedeck open login                  choose one of the matches and edit it\n"
    "cuedeck open login --json           only list the matches",
)
def open_file(
    call: Call,
    query: Words = "",
    *,
    tags: OnlyTags = (),
    priority: OnlyPriority = "",
    assignee: OnlyAssignee = "",
) -> Answer:
    """Find a card, doc or file by words and open it in $EDITOR.

    In a pipe the matches are listed.

    Args:
        tags --tag TAG: Only cards with this tag.
    """
    from cuedeck.context.search import fuzzy_find as work

    workspace = call.workspace
    found = work.find(workspace, query, tags=tags, priority=priority, assignee=assignee)
    results = found["results"]

    def show(answer: JsonView) -> Iterator[str]:
        if not results:
            raise NotFound(
                f"nothing matches `{answer['query']}`",
                hint="`cuedeck open` without a query lists cards and docs",
            )
        more = max(0, answer["total"] - len(answer["results"]))
        yield from write_lines(_RESULTS, {**answer, "more": more})
        number = call.choose(len(results))
        if number:
            from cuedeck.engine.open_in_editor import edit_address

            chosen = results[number - 1]
            edit_address(
                workspace.index,
                workspace.paths,
                chosen["address"],
                chosen["line"],
                call.environ,
            )

    return Answer(found, show, code=int(not results))
