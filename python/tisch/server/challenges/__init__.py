"""Challenges: the same deals for everybody who has the link, and what each made of them."""
