"""`cuedeck decide`: note a decision and why it was made."""

from __future__ import annotations

import click

from cuedeck.cli import complete
from cuedeck.cli.command import Shell, common, note, say

EPILOG = """\b
Examples:
  cuedeck decide "Use bcrypt for password hashing" --because "Industry standard, proven secure" \\
      --alternative "argon2 (slower)" --file src/auth.py --impact "user model"
  cuedeck decide "Use argon2" --because "bcrypt cuts long passwords" --supersedes k3f"""


@click.command(epilog=EPILOG)
@click.argument("text", nargs=-1, required=True)
@click.option("--because", metavar="TEXT", default="", help="The reason.")
@click.option(
    "--alternative", "alternatives", multiple=True, metavar="TEXT", help="Alternative that was not chosen. Repeatable."
)
@click.option(
    "--file", metavar="ADDRESS", shell_complete=complete.address, help="File that the decision is mainly about."
)
@click.option(
    "--affects",
    multiple=True,
    metavar="ADDRESS",
    shell_complete=complete.address,
    help="Doc, file or symbol that the decision applies to. Repeatable.",
)
@click.option("--impact", multiple=True, metavar="WORDS", help="Consequence of the decision, in words. Repeatable.")
@click.option("--subject", metavar="WORDS", default="", help="Topic of the decision.  [default: its text]")
@click.option(
    "--card", metavar="CARD", shell_complete=complete.card, help="Card it belongs to.  [default: the active card]"
)
@click.option("--supersedes", metavar="ID", shell_complete=complete.decision, help="Decision that this one replaces.")
@click.option("--status", type=click.Choice(["accepted", "rejected"]), default="accepted", show_default=True)
@common
def decide(
    shell: Shell,
    text: tuple[str, ...],
    because: str,
    alternatives: tuple[str, ...],
    file: str | None,
    affects: tuple[str, ...],
    impact: tuple[str, ...],
    subject: str,
    card: str | None,
    supersedes: str | None,
    status: str,
) -> int:
    """Record a decision with its reason."""
    from cuedeck.app.decisions.decide import NewDecision
    from cuedeck.app.decisions.decide import decide as write

    wanted = NewDecision(
        " ".join(text), because, alternatives, file, affects, impact, subject, card or "", supersedes, status
    )
    answer = shell.masked(write(shell.project(), wanted))
    for warning in answer["warnings"]:
        note(warning)
    instead = f" (supersedes {answer['supersedes']})" if answer["supersedes"] else ""
    shell.answer(answer, lambda: say(f"{answer['id']}  {answer['decision']}{instead}"))
    return 0
