"""Counts in words: `1 fact`, `2 facts`, `3 entities`. One place, so that nothing is "1 facts"."""

from collections.abc import Mapping


def many(count: int, word: str) -> str:
    """A number of things, of which `word` is one."""
    return f"{count:,} {word if count == 1 else plural(word)}"


def many_of(counts: Mapping[str, int]) -> str:
    """Numbers of things under the names of many of them: `1 fact, 2 entities`."""
    return ", ".join(
        f"{count:,} {singular(name) if count == 1 else name}" for name, count in counts.items()
    )


def plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") and word[-2] not in "aeiou" else word + "s"


def singular(name: str) -> str:
    return name[:-3] + "y" if name.endswith("ies") else name.removesuffix("s")
