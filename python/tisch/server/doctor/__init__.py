"""``tisch doctor``: what stands between this machine and an evening without trouble, and what to do about it."""
