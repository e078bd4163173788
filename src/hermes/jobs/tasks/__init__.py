"""What jobs do, one file a kind."""
