"""Speaking to an endpoint over HTTP: what can go wrong, how long to wait, how much to read."""
