"""The workspace that operations receive, and the threads and watchers that keep it up
to date.
"""
