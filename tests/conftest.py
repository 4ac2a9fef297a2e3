"""Puts this folder on the path, so that tests of every package share `memory` and `seed`."""
