"""Use cases of cards: create, list, edit and select them. `parse.card_file` reads a
card, `parse.frontmatter_edit` changes one.
"""
