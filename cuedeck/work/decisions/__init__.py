"""Decisions and failed attempts: create, list, supersede, confirm and export them."""
