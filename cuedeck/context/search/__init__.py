"""Keyword search of the files of the workspace, and reading of addresses."""
