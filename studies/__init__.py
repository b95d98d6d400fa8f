"""Studies: what measures strength and learning rather than speed; ``python -m studies`` runs them."""
