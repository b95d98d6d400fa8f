"""A table: its seats, its game, its deadlines and what each client is told."""
