"""Where a quote stands in its message: spacing and typographic marks aside, letter for letter."""

import re

_ALIKE = {
    "'": "['’‘]",
    "’": "['’‘]",
    "‘": "['’‘]",
    '"': '["“”]',
    "“": '["“”]',
    "”": '["“”]',
}


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """The first place of a quote in a text, or none."""
    start = text.find(quote)
    if quote and start >= 0:
        return start, start + len(quote)
    words = quote.split()
    if not words:
        return None
    pattern = r"\s+".join("".join(map(_letter, word)) for word in words)
    found = re.search(pattern, text)
    return found.span() if found else None


def _letter(char: str) -> str:
    return _ALIKE.get(char) or re.escape(char)
