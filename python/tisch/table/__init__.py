"""A table: who sits there, who may come, what is played, what time it is allowed, and who thinks for empty seats.

The room is synchronous. It knows no event loop, socket, file or clock: the time is given.
"""
