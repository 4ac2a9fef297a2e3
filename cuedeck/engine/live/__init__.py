"""A live workspace: one thread follows the file events, keeps SCENE.md up to date and
answers calls. `cuedeck watch` and the MCP server share it.

SCENE.md has the same bytes as after `cuedeck scene`. Deleting or editing it starts no
build; the next build restores it.
"""
