"""Commands of declared operations: options, completion, conversion of arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, get_origin

import click

from cuedeck.model.errors import UsageError
from cuedeck.shells.call import Answer, Note, Text, emit
from cuedeck.shells.cli.command_base import (
    Group,
    Shell,
    call_options,
    check_given,
    check_text,
    show_text,
)
from cuedeck.shells.operation import OPERATIONS, TOPICS, Given, Operation, Piped
from cuedeck.shells.text_template import write_lines

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cuedeck.model.ports import Json, JsonView
    from cuedeck.shells.operation import Param

_RESOLVED = ("address", "memory file")
"""Kinds of arguments that may be relative to the current folder."""


def command_of(name: str) -> click.Command | None:
    """Return the command of an operation, or the group of those whose names begin with
    `name`; None if there is neither.
    """
    word = name.rpartition(" ")[2]
    if name not in TOPICS:
        return _command(OPERATIONS[name], word) if name in OPERATIONS else None
    topic = TOPICS[name]
    group = TopicGroup(word, help=topic.about, epilog=_epilog(topic.example))
    if name in OPERATIONS:
        group = _command(OPERATIONS[name], word, TextGroup)
    group.topic = name
    return group


def _command(operation: Operation, word: str, kind: Any = click.Command) -> Any:
    shown = list(filter(_is_shown, operation.params()))
    takes_dashes = any(each.about.dashes for each in shown)
    return kind(
        word,
        context_settings={"ignore_unknown_options": takes_dashes},
        callback=click.pass_context(partial(_run, operation)),
        params=[*map(_param, shown), *call_options()],
        help=operation.about,
        epilog=_epilog(operation.example),
    )


def _is_shown(given: Given) -> bool:
    return given.about.stdin != "always"


def _epilog(example: str) -> str:
    lines, *further = example.split("\n\n")
    title = "Examples" if "\n" in lines else "Example"
    indented = lines.replace("\n", "\n  ")
    return "\n\n".join([f"\b\n{title}:\n  {indented}", *further])


def _param(given: Given) -> click.Parameter:
    about = given.about
    fields = _value_fields(given)
    is_many = get_origin(given.type) is tuple
    if not given.is_option:
        if is_many or about.words:
            fields["nargs"] = -1
        return click.Argument([given.name], required=given.is_required, **fields)
    names = [f"--{given.flag}", given.name]
    if given.type is bool:
        return click.Option(names, is_flag=True, help=given.help)
    fields["help"] = f"{given.help} Repeatable." if is_many else given.help
    if given.is_required:
        fields["required"] = True
    elif given.default and not is_many:
        fields["default"] = given.default
        fields["show_default"] = "[default:" not in given.help
    return click.Option(names, multiple=is_many, **fields)


def _value_fields(given: Given) -> Json:
    about = given.about
    fields: Json = {"metavar": given.metavar or None}
    if about.choices:
        fields["type"] = click.Choice(about.choices)
    elif about.least is not None:
        fields["type"] = click.IntRange(about.least, about.most)
        fields["metavar"] = given.metavar or "N"
    elif given.type is float:
        fields["type"] = float
    if about.kind not in ("", "place"):
        fields["shell_complete"] = completer(about.kind.removeprefix("written "))
    return fields


def _run(operation: Operation, context: click.Context, **options: Any) -> int:
    shell = context.ensure_object(Shell)
    shell.take(options)
    params = tuple(operation.params())
    check_given(context, {each.name for each in params if each.about.may_be_empty})
    for each in filter(_is_shown, params):
        if each.about.kind != "place" and not each.about.is_name:
            check_text(options[each.name])
    shell.takes_folder = operation.takes_folder
    given = {}
    for each in params:
        given[each.name] = _converted(shell, each, options.get(each.name))
    answer = operation.answer(shell, given)
    if isinstance(answer, int):
        return answer
    _show(operation, shell, emit(answer, shell.opened), given)
    return answer.code


def _converted(shell: Shell, given: Given, value: Any) -> Any:
    about = given.about
    if about.words and value is not None:
        value = " ".join(value)
    if about.stdin and value == ("-",):
        return (Piped(read_stdin()),)
    if about.stdin and (about.stdin == "always" or value == "-"):
        return Piped(read_stdin(is_output=about.stdin == "output"))
    if _is_left_out(value, about):
        return value if given.is_required else given.default
    if about.kind in _RESOLVED and isinstance(value, tuple):
        return shell.addresses(value)
    if about.kind in _RESOLVED:
        return shell.address(value)
    if about.kind == "place":
        return shell.place(value)
    return value


def _is_left_out(value: Any, about: Param) -> bool:
    if value == "":
        return not about.may_be_empty
    return value is None or value == ()


def _show(operation: Operation, shell: Shell, answer: Answer, given: JsonView) -> None:
    """Print a masked answer as JSON or for a person, with its notes."""

    def written(text: Text, value: Any) -> str | Iterable[str]:
        if isinstance(text, str):
            return write_lines(text, {**given, **value})
        return text(value)

    show_text(map(Note, answer.notes))
    if operation.notes:
        show_text(map(Note, written(operation.notes, answer.value)))
    text, shown = answer.text or operation.text or "", answer.value
    if operation.short_ids and not shell.json:
        shown = shell.with_short_ids(shown, given.get("profile", ""))
    shell.answer(answer.value, lambda: show_text(written(text, shown)))


def read_stdin(*, is_output: bool = False) -> str:
    r"""Return all of stdin as text with `\n` newlines, without a byte order mark.

    `is_output` is for the output of a program: invalid UTF-8 is replaced. Raises:
    UsageError if stdin cannot be read, or for invalid UTF-8 without `is_output`.
    """
    hint = "pipe the text into the command, or give it as an argument"
    if sys.stdin is None:
        raise UsageError(
            "`-` reads the text from stdin, but stdin is closed", hint=hint
        )
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(
            f"stdin cannot be read: {error.strerror}", hint=hint
        ) from error
    try:
        errors = "replace" if is_output else "strict"
        text = data.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"line {line} of stdin is not valid UTF-8", hint="encode the input as UTF-8"
        ) from None
    return text.replace("\r\n", "\n")


Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def completer(kind: str) -> Completer:
    """Return the completion function for arguments of one kind; on any error it offers
    nothing.
    """

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from cuedeck.context.search.completion import complete as candidates

        try:
            shell = Shell(_directory(context))
            found = candidates(shell.workspace, kind, incomplete)
            shell.close()
        except Exception:  # noqa: BLE001 - an error would be printed into the command line that is being typed
            return []
        return [CompletionItem(each.value, help=each.help or None) for each in found]

    return complete


def _directory(context: click.Context) -> str | None:
    step: click.Context | None = context
    while step is not None:
        given = step.params.get("directory")
        if given is not None:
            return str(given)
        step = step.parent
    return None


class TopicGroup(Group):
    """The operations whose names begin with that of a topic, each built on demand."""

    topic = ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, sorted."""
        above = f"{self.topic} "
        names = [each for each in (*OPERATIONS, *TOPICS) if each.startswith(above)]
        words = {each.removeprefix(above) for each in names}
        return sorted(word for word in words if " " not in word)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one command, or None if it does not exist."""
        return command_of(f"{self.topic} {cmd_name}")


class TextGroup(TopicGroup):
    """An operation that takes a text, with further operations below it.

    Options may follow the text, and after `--` the text may be the name of a subcommand
    or begin with `-`.
    """

    def __init__(self, name: str, *, params: list[click.Parameter], **fields: Any):
        first, *options = params
        super().__init__(
            name,
            params=options,
            invoke_without_command=True,
            subcommand_metavar="[TEXT | diff]",
            **fields,
        )
        self._texts = str(first.name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; the texts are the first parameter of the operation."""
        _, left, _ = self.make_parser(ctx).parse_args(list(args))
        is_marked = bool(left) and args[: -len(left)][-1:] == ["--"]
        if not left or (left[0] in self.list_commands(ctx) and not is_marked):
            ctx.params[self._texts] = ()
            return super().parse_args(ctx, args)
        ctx.allow_interspersed_args = True
        texts = click.Command.parse_args(self, ctx, args)
        ctx.params[self._texts] = tuple(texts)
        return texts

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand, or the operation itself. Raises: UsageError for options
        before a subcommand, which it would ignore.
        """
        if not ctx._protected_args:
            return click.Command.invoke(self, ctx)
        args = [*ctx._protected_args, *ctx.args]
        ctx._protected_args = []
        name, command, args = self.resolve_command(ctx, args)
        assert command is not None
        for option in self.params:
            source = ctx.get_parameter_source(str(option.name))
            is_given = source is click.core.ParameterSource.COMMANDLINE
            if is_given and option.name != "directory":
                raise UsageError(
                    f"{option.opts[0]} is given before `{name}`",
                    hint=f"put options after `{name}`: see `{ctx.command_path} {name} --help`",
                )
        directory = ctx.params["directory"]
        if directory is not None:
            ctx.ensure_object(Shell).directory = directory
        with ctx, command.make_context(name, args, parent=ctx) as inner:
            return command.invoke(inner)
