"""The only package that touches disk, database, clock, processes and environment."""
