"""tisch: five table games with an arena for agents, a live server and a terminal client."""
