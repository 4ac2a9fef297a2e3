"""Does a scene hold what its task needs? 180 commits of six public repositories, chosen
by hash.
"""
