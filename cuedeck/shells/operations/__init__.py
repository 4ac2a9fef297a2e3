"""Declared operations, by subject."""
