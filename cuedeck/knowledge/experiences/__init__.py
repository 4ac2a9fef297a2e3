"""Experiences: extract them from records, add, query, list and delete them."""
