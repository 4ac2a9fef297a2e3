"""Watch: after every save, and after every move of HEAD, SCENE.md is what `cuedeck scene` would write.

A SCENE.md that somebody deletes or edits starts no build; the next build restores it.
"""
