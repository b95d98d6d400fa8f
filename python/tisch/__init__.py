"""tisch: five table games under one roof, for researchers, friends and programs."""
