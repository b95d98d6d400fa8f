"""What is kept: the journal, snapshots and backups."""
