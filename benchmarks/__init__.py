"""Speed benchmarks: every figure is compared with a floor measured on the same machine
in the same run.
"""
