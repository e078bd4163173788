"""Backups: everything a profile remembers in one encrypted file, proven by restoring it."""
