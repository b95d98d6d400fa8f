"""People with a key of their own: their finished games and ratings, in tables of the journal's file."""
