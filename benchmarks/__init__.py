"""Benchmarks of the scene: every figure beside a floor measured on the same machine in the same run."""
