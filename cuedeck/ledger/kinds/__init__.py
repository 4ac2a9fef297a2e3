"""Kinds of entries, one file each."""
