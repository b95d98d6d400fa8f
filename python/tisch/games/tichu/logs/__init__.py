"""The logs of Brettspielwelt: a database of the games of people, and our own games written in the same form.

``tisch logs`` runs them (:mod:`tisch.logs`); the format and the replay stand in the core (``rust/core/src/tichu/log``).
"""
