"""Storage and system access: the only package that uses disk, database, git, clock,
processes and environment.
"""
