"""Health checks of a workspace and safe automatic repairs (`cuedeck doctor`).

Checks of a connected host are in `agents.setup.checks`.
"""
