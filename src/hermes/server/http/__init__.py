"""The doors of the daemon: REST, the dashboard's frame, MCP over HTTP, and what guards them."""
