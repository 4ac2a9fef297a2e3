"""Deterministic context for AI coding agents: cards, docs and code as one graph, one
budgeted scene.
"""

__version__ = "0.1.0"
