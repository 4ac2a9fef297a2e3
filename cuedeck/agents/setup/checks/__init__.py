"""Checks of a connected host (`cuedeck setup HOST --check`), one module per subject;
`run_checks` calls all of them. Health checks of the workspace itself are in `doctor`.
"""
