"""The live server: tables where people and agents play, kept alive through cut connections and killed processes.

``app`` is the door (HTTP and WebSocket), ``lobby`` finds tables and sessions, ``table`` is one table, ``peer`` one
connection, ``protocol`` the messages, ``words`` a game's own words in them, ``journal`` what survives, ``thinkers``
the processes in which agents think.
"""
