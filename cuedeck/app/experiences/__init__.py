"""Experiences: made of records, asked, listed, forgotten."""
