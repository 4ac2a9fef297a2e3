"""Ranking by words: how well texts answer a query, and how several rankings become one."""
