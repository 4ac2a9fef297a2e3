"""A workspace with every kind of file that a ref can name."""

from __future__ import annotations

from memory import CARD, Memory, card

FILES: dict[str, str | bytes] = {
    CARD: card(title="Fix the login"),
    ".cuedeck/cards/2b0000.md": card(title="Other work"),
    ".cuedeck/docs/plan.md": "# The Plan\n",
    "README.md": "# Readme\n\n## Install\n",
    "docs/README.md": "# Docs\n",
    "docs/auth.md": "---\naliases: [signin, Sign In]\n---\n# Authentication\n\n## Login\n\n### Errors\n\nx ^b1\n",
    "docs/guide/setup.md": "# Setup\n",
    "notes/setup.md": "# Setup notes\n",
    "docs/a b's & c.md": "# Blanks\n\n## Über uns\n",
    "docs/C#.md": "# Sharp\n\n## Part\n",
    "src/auth.py": "class Login:\n    def verify(self):\n        pass\n",
    "src/auth/token.py": "X = 1\n",
    "logo.png": b"\x89PNG\0",
    "Ünï/cödé.md": "# Unicode\n",
}
MEMORY = Memory(FILES)
