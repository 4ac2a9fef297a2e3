"""Whether a scene contains the content that its task needs, on 180 commits of six
public repositories chosen by hash.
"""
