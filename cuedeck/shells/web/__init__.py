"""The web page: shows what an agent receives, why, and what is remembered."""
