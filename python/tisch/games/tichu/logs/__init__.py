"""The logs of Brettspielwelt: a database of the games of people, and our own games written in the same form.

``bin/bw_import.py`` calls ``importing``; the format and the replay stand in the core (``rust/core/src/tichu/log``).
"""
