"""The live server: tables where people and agents play, kept alive through cut connections and killed processes.

Five rooms: ``http`` accepts requests and WebSockets, ``net`` holds the protocol and the connections, ``table`` the
tables and the lobby, ``agents`` the processes in which agents decide, and ``store`` the journal.
"""
