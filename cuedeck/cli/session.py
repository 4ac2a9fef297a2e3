"""`cuedeck session …` and `cuedeck resume`: one stretch of work, from its start through restarts to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cuedeck.cli.command import Group, Shell, common, note
from cuedeck.model.errors import UsageError

if TYPE_CHECKING:
    from cuedeck.model.session import Role


@click.group(cls=Group, epilog="\b\nExample:\n  cuedeck session start --card 2a9 --workflow bug-fix")
def session() -> None:
    """Begin a stretch of work, keep its state, and go on after a restart."""


@session.command("start", epilog="\b\nExample:\n  cuedeck session start --card 2a9 --workflow feature-development")
@click.option("--card", metavar="CARD", help="What it is about; it becomes the active card. Default: the active one.")
@click.option("--workflow", metavar="NAME", help="Steps to go through, of .cuedeck/workflows/NAME.toml.")
@common
def start(shell: Shell, card: str | None, workflow: str | None) -> int:
    """Begin a session."""
    from cuedeck.app.sessions.start import start_session

    answer = shell.masked(start_session(shell.project(), card=card or "", workflow=workflow or ""))
    shell.answer(answer, lambda: _show_start(answer))
    return 0


def _show_start(answer: dict[str, Any]) -> None:
    step = f", step {answer['step']} of {answer['workflow']}" if answer["step"] else ""
    click.echo(f"session {answer['session']}" + (f" on card {answer['card']}" if answer["card"] else "") + step)
    for each in answer["assumptions"]:
        click.echo(each["message"])
    if answer["cleaned"]:
        click.echo(f"archived: {', '.join(answer['cleaned'])}")


@click.command("resume", epilog="\b\nExamples:\n  cuedeck resume\n  cuedeck resume fix-login")
@click.argument("name", metavar="[SESSION]", required=False)
@common
def resume(shell: Shell, name: str | None) -> int:
    """Go on with a session: what changed since, what no longer holds, what was last, what is next."""
    from cuedeck.app.sessions.resume import resume as resume_session

    answer = shell.masked_again(resume_session(shell.project(), name or ""))
    shell.answer(answer, lambda: _show_resume(answer))
    return 0


session.add_command(resume)


def _show_resume(answer: dict[str, Any]) -> None:
    click.echo(answer["summary"])
    for each in answer["assumptions"]:
        click.echo(each["message"])
    if answer["unchanged"]:
        click.echo("Nothing changed since.")
    elif answer["changed"]:
        click.echo("\nChanged since:")
        for each in answer["changed"]:
            where = "" if each["path"] == "." else f"{each['path']}  "
            click.echo(f"  {where}{each['change']}")
    else:
        click.echo("Its files are unchanged; what the scene says is not.")
    if answer["working_set"]:
        click.echo("\nWorking set:")
        from cuedeck.cli.table import Column, table

        rows = [(each["path"], each["role"], "" if each["hash"] else "gone") for each in answer["working_set"]]
        click.echo(table([Column("file"), Column("role"), Column("")], rows))
    for path in answer["set_aside"]:
        note(f"warning: a session file could not be read; it is now {path}, and its backup was used")


@session.command("status", epilog="\b\nExample:\n  cuedeck session status")
@common
def status(shell: Shell) -> int:
    """Show where the open session stands."""
    from cuedeck.app.sessions.listing import status as session_status

    answer = shell.masked(session_status(shell.project()))
    shell.answer(answer, lambda: _show_status(answer))
    return 0


def _show_status(answer: dict[str, Any]) -> None:
    from cuedeck.memory.progress import MARKS

    step = answer["step"]
    rows = [
        ("session", answer["session"]),
        ("card", " ".join(each for each in (answer["card"], answer["title"]) if each)),
        ("workflow", f"{answer['workflow']}, step {step['number']} of {step['of']}: {step['name']}" if step else ""),
        ("branch", answer["branch"] or ""),
        ("last", answer["last_action"] or ""),
        ("next", answer["next"] or ""),
        ("decided", "; ".join(each["title"] for each in answer["decisions"])),
        ("files", ", ".join(f"{each['path']} ({each['role']})" for each in answer["working_set"])),
    ]
    for name, value in rows:
        if value:
            click.echo(f"{name:<9} {value}")
    for each in answer["progress"]:
        click.echo(f"{MARKS[each['state']]} {each['text']}")


@session.command(
    "note", epilog='\b\nExample:\n  cuedeck session note "Added JWT middleware" --next "Integrate with login"'
)
@click.argument("text", metavar="TEXT", nargs=-1)
@click.option("--next", "following", metavar="TEXT", default="", help="What comes next.")
@common
def note_(shell: Shell, text: tuple[str, ...], following: str) -> int:
    """Note what was done last, and what comes next."""
    from cuedeck.app.sessions.notes import add_note

    answer = shell.masked(add_note(shell.project(), " ".join(text), following))
    shell.answer(answer, lambda: click.echo(_noted(answer)))
    return 0


def _noted(answer: dict[str, Any]) -> str:
    said = [answer["note"] or "", f"next: {answer['next']}" if answer["next"] else ""]
    return f"{answer['session']}: {'; '.join(each for each in said if each)}"


@session.command("checkpoint", epilog='\b\nExample:\n  cuedeck session checkpoint "Tests are green"')
@click.argument("text", metavar="[TEXT]", nargs=-1)
@common
def checkpoint(shell: Shell, text: tuple[str, ...]) -> int:
    """Keep what was accomplished: files written, boxes checked, decisions, commits."""
    from cuedeck.app.sessions.checkpoint import checkpoint as make

    answer = shell.masked(make(shell.project(), " ".join(text)))
    counts = ", ".join(f"{len(answer[key])} {key}" for key in ("written", "checked", "decisions", "commits"))
    shell.answer(answer, lambda: click.echo(f"{answer['session']}: {counts}"))
    return 0


@session.command("touch", epilog="\b\nExample:\n  cuedeck session touch src/auth.py --write")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--read", "reads", is_flag=True, help="They were read (default).")
@click.option("--write", "writes", is_flag=True, help="They were written.")
@common
def touch(shell: Shell, files: tuple[str, ...], reads: bool, writes: bool) -> int:
    """Note that files were read or written."""
    from cuedeck.app.sessions.notes import touch as touch_files

    role: Role = "both" if reads and writes else "write" if writes else "read"
    answer = shell.masked(touch_files(shell.project(), shell.start, files, role))
    shell.answer(answer, lambda: click.echo("\n".join(f"{each['path']}: {each['role']}" for each in answer["touched"])))
    return 0


@session.command(
    "step",
    epilog="\b\nExamples:\n  cuedeck session step next\n  cuedeck session step set 3",
    context_settings={"ignore_unknown_options": True},  # `-1` is a number, and a wrong one
)
@click.argument("where", metavar="next|set", type=click.Choice(["next", "set"]))
@click.argument("number", metavar="[N]", required=False)
@common
def step(shell: Shell, where: str, number: str | None) -> int:
    """Go to another step of the workflow."""
    from cuedeck.app.sessions.notes import step as go

    answer = shell.masked(go(shell.project(), _number(where, number)))
    told = f"step {answer['step']} of {answer['of']}: {answer['name']}" + (
        f": {answer['text']}" if answer["text"] else ""
    )
    shell.answer(answer, lambda: click.echo(told))
    return 0


def _number(where: str, number: str | None) -> int | None:
    """Return the step that is asked for; None for the next. Raises: UsageError, Invalid for what is no step."""
    from cuedeck.model.errors import Invalid

    if where == "next":
        if number is not None:
            raise UsageError("`step next` takes no number", hint="cuedeck session step set N")
        return None
    if number is None:
        raise UsageError("`step set` needs a number", hint="cuedeck session step set N")
    if not number.isascii() or not number.isdigit():
        raise Invalid(f"`{number}` is no step", hint="give its number, from 1 on")
    return int(number)


@session.command("close", epilog='\b\nExample:\n  cuedeck session close "Login works"')
@click.argument("text", metavar="[TEXT]", nargs=-1)
@click.option("--session", "name", metavar="SESSION", default=None, help="The session that is meant; it must be open.")
@common
def close(shell: Shell, text: tuple[str, ...], name: str | None) -> int:
    """End the session, with a last checkpoint."""
    from cuedeck.app.sessions.notes import close as end

    answer = shell.masked(end(shell.project(), " ".join(text), name or ""))
    shell.answer(answer, lambda: click.echo(f"{answer['session']}: {answer['status']}"))
    return 0


@session.command("list", epilog="\b\nExample:\n  cuedeck session list")
@common
def list_(shell: Shell) -> int:
    """List the sessions, the one that was used last first."""
    from cuedeck.app.sessions.listing import list_sessions

    answer = shell.masked(list_sessions(shell.project()))
    for fault in answer["faults"]:
        note(f"warning: {fault['path']}: {fault['message']}; {fault['hint']}")
    from cuedeck.cli.table import Column, table

    columns = [Column("session"), Column("status"), Column("card"), Column("last access"), Column("files", right=True)]
    rows = [
        (
            each["session"],
            each["status"],
            each["card"] or "",
            each["last_access"][:16].replace("T", " "),
            str(each["files"]),
        )
        for each in answer["sessions"]
    ]
    shell.answer(answer, lambda: click.echo(table(columns, rows) or "no sessions"))
    return 0


def _minute(timestamp: str) -> str:
    return timestamp[:16].replace("T", " ")


@session.command("show", epilog="\b\nExample:\n  cuedeck session show fix-login")
@click.argument("name", metavar="SESSION")
@common
def show(shell: Shell, name: str) -> int:
    """Show all that is kept of a session."""
    import json

    from cuedeck.app.sessions.listing import show_session

    answer = shell.masked(show_session(shell.project(), name))
    shell.answer(answer, lambda: click.echo(json.dumps(answer, ensure_ascii=False, indent=2)))
    return 0


@session.command("clean", epilog="\b\nExample:\n  cuedeck session clean --dry-run")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@common
def clean(shell: Shell, dry_run: bool) -> int:
    """Move sessions that were left alone for long into one compressed archive."""
    from cuedeck.app.sessions.clean import clean as clean_sessions

    answer = shell.masked(clean_sessions(shell.project(), dry_run=dry_run))
    verb = "would go to" if dry_run else "went to"
    told = f"{', '.join(answer['removed'])} {verb} {answer['archive']}" if answer["removed"] else "nothing to clean"
    shell.answer(answer, lambda: click.echo(told))
    return 0
