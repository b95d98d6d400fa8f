"""Storage: the journal, snapshots and backups."""
