"""What the operator of a server can do: see who is where, close tables, remove and ban people, and say something."""
