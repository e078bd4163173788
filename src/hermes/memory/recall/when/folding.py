"""Text folded for matching, letter by letter, so that every offset stays what it was."""

import unicodedata


def _fold_table() -> dict[int, str]:
    table = {ord(c): "'" for c in "’‘ʼ`´"} | {ord(c): "-" for c in "–—−‑‐"}
    table |= {ord(c): " " for c in "\u00a0\u2009\u202f\u3000"}
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii():
            table[code] = base.lower()
    return table


_FOLD = _fold_table()


def fold(text: str) -> str:
    """Lower case, without accents, with plain quotes, dashes and spaces; of the same length."""
    lower = text.lower()
    if lower.isascii():
        return lower
    if len(lower) != len(text):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lower.translate(_FOLD)
