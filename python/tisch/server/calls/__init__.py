"""Calls to people for whom others wait: a message to an address outside, such as a channel of their chat."""
