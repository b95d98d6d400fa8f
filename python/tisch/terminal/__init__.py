"""Games in a terminal: ``tisch play``.

``session`` plays a game between one person and agents on the other seats; it never names a game. A game's face draws
it, names its moves and parses input; a game has a face of its own in ``games/NAME/face.py``, or the plain one.
``lines`` and ``keys`` are the two shells of a session: one line for each command, which can be scripted, and single
keys in a real terminal.
"""
