"""Experiences: extracted from records, added by hand, queried, listed and deleted."""
