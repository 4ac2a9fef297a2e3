"""Watcher: after every save and every move of HEAD, SCENE.md is what `cuedeck scene`
would write.

Deleting or editing SCENE.md starts no build; the next build restores it.
"""
