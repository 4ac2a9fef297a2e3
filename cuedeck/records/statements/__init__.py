"""Statements of conversations: extraction, ranking for a prompt, lines of a brief."""
