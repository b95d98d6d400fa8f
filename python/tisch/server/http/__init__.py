"""HTTP: the application, its API, its pages and its limits."""
