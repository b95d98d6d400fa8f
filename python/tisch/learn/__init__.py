"""Learning: recorded games become lessons, lessons train a network, and its file of weights plays as an agent."""
