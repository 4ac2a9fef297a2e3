"""Watcher: rewrites SCENE.md after every save and every move of HEAD, with the same
bytes as `cuedeck scene`. `engine.server` does the same in an MCP server.

Deleting or editing SCENE.md starts no build; the next build restores it.
"""
