"""Checks of a connected host, one module per subject."""
