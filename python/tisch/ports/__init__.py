"""The contracts that a game implements for the rooms around it, and what its faces need to draw."""
