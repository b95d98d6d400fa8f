"""The live server: people and programs play at tables that outlive the process."""
