"""What keeps memory clean: origin and trust, secrets, invisible text, keys."""
