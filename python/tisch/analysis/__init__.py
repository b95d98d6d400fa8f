"""``tisch analyse``: judges every decision of recorded games, and tells it as values, as text and as a page."""
