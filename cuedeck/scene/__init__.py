"""Scene building: walk, views, budget plan and rendering of SCENE.md. Pure functions of
values.
"""
