"""Ranking of files for a task: text, structure and history signals, and their fusion
into one ranking.
"""
