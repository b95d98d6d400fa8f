"""A table: its seats, its game, its deadlines and the screens of its clients."""
