"""The handlers: each parses what was asked, calls the App, and names the page to render."""
