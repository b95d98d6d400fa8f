"""Playing a game in a terminal: ``tisch play``.

``session`` plays a game with one person and agents on the other seats; it never names a game. ``face`` is what a game
shows of itself: how it is drawn, named and typed. A game has a face of its own in ``games/NAME/face.py``, or else
the plain one. ``lines`` and ``keys`` are the two shells around a session: a line for each command, which can be
scripted, and single keys on a real terminal. ``text`` holds what both print.
"""
