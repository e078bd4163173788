"""Words that are no names: a capital at the start of a sentence says nothing about them.

`plain_words.txt` holds the words that this project's own documents, comments and invented chats
write small more often than large.
"""

from functools import cache
from importlib import resources


@cache
def plain_words() -> frozenset[str]:
    file = resources.files("hermes.memory.entities") / "plain_words.txt"
    return frozenset(file.read_text(encoding="utf-8").split())


def is_plain(word: str) -> bool:
    """Whether a word is written small as a rule."""
    return word.lower() in plain_words()
