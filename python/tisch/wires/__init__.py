"""The games' own network protocols: one package each, between bytes and moves."""
