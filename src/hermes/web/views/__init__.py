"""What pages show, worked out of what the App answers: pure functions, no HTML and no HTTP."""
