"""Background work with a lease."""
