"""The related tier: files that are not linked but likely needed for the task, ranked without a model call."""
