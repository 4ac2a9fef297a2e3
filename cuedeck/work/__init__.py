"""The work of a project: cards, sessions, assumptions and decisions."""
