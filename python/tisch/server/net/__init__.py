"""Connections: the protocol, peers, quotas and plain TCP."""
