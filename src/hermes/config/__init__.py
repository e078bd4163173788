"""Where Hermes lives on disk and what it was told to do."""
