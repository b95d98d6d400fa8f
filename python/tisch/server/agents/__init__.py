"""Agents at tables: the pool of processes, one process, and the table's side of it."""
