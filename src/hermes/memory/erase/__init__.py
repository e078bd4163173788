"""Erasing for good: from rows, index, vectors, derived facts, notes, log and free pages.

What was erased stays away: its tombstone is looked at when a backup is restored or a file imported.
"""
