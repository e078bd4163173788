"""What may be kept of a text, and of what a tool was called with: nothing unseen, no secret.

Arguments are JSON. In its text a line's end is two signs, `\\n`, and the letter would stand before
a token as if it were part of it: so each string is read as what it means, under the name it is
given by, as what stands behind `"password":` is one whatever it looks like.
"""

import json
from typing import Any

from hermes.guard.ordinary import is_ordinary
from hermes.guard.redact import REDACTED, redact
from hermes.guard.text import clean

LONGEST_NAMED = 5_000  # characters


def kept_text(text: str) -> str:
    """A text without what cannot be seen and without secrets."""
    return text if is_ordinary(text) else redact(clean(text).text).text


def kept_arguments(written: str) -> str:
    """Arguments as they may be kept; without a secret in them they stay byte for byte.

    What is no JSON, as of a call that was cut off, is looked through as text.
    """
    if is_ordinary(written) and "\\u" not in written:
        return written
    try:
        read = json.loads(written, object_pairs_hook=_only_once)
        kept = _kept(read)
    except (ValueError, RecursionError):
        return kept_text(written)
    return written if kept == read else json.dumps(kept, ensure_ascii=False)


def _only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are all different: of two that are the same, one would not be seen."""
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("a name is given twice")
    return read


def _kept(value: Any, name: str = "") -> Any:
    """A value without secrets, those told by its name included."""
    if isinstance(value, dict):
        return {kept_text(key): _kept(each, key) for key, each in value.items()}
    if isinstance(value, list):
        names = [each if _is_flag(each) else name for each in ("", *value)]
        return [_kept(each, before) for each, before in zip(value, names, strict=False)]
    if isinstance(value, str):
        return _kept_under(name, kept_text(value))
    if isinstance(value, bool) or value is None:
        return value
    kept = _kept_under(name, kept_text(str(value)))
    return value if kept == str(value) else kept


def _is_flag(value: Any) -> bool:
    """Whether what follows in a list is named by it: `["--password", "…"]`."""
    return isinstance(value, str) and value.startswith("-")


def _kept_under(name: str, text: str) -> str:
    """A text without what its name says is a secret: read as `"name": "text"`.

    A name tells of what stands right behind it, so that of a long text the beginning will do.
    """
    if not name:
        return text
    before, told, rest = f'"{name}": "', text[:LONGEST_NAMED], text[LONGEST_NAMED:]
    found = [each for each in redact(f'{before}{told}"').findings if each.end > len(before)]
    for each in reversed(found):
        start, end = max(0, each.start - len(before)), min(len(told), each.end - len(before))
        told = f"{told[:start]}{REDACTED}{each.format}]{told[end:]}"
    return told + rest
