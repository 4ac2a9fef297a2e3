"""The context of a task: scenes, ranking of related files, search and drawings."""
