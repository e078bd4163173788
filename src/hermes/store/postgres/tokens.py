"""The words of a text exactly as the other store's index sees them: by SQLite's own tokenizer."""

import threading
from collections.abc import Iterable
from typing import cast

import apsw

from hermes.store.text import index_form

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
_local = threading.local()
# ASCII as the tokenizer takes it: in lower case, and all but letters and digits part words.
_ASCII = bytes(ord(chr(n).lower()) if chr(n).isalnum() else 32 for n in range(128)).ljust(256)


def split(formed: str) -> list[str]:
    """The tokens of a text that is in index form."""
    encoded = formed.encode("utf-8", "replace")
    kind = apsw.FTS5_TOKENIZE_DOCUMENT
    found = _tokenizer()(encoded, kind, None, include_offsets=False, include_colocated=False)
    return cast("list[str]", found)


def cut(formed: str) -> list[bytes] | None:
    """The words of a text in index form, not yet brought to their stems: many times as fast as
    `split`. None for a text that only the tokenizer can cut.
    """
    return formed.encode().translate(_ASCII).split() if formed.isascii() else None


def stem(words: Iterable[bytes]) -> list[str]:
    """What `split` makes of words that `cut` gave, in their order."""
    return split(b" ".join(words).decode())


def tokens(text: str) -> list[str]:
    return split(index_form(text))


def _tokenizer() -> apsw.FTS5Tokenizer:
    """One of its own for each thread: a connection of SQLite belongs to one."""
    if not hasattr(_local, "tokenizer"):
        _local.connection = apsw.Connection(":memory:")
        _local.tokenizer = _local.connection.fts5_tokenizer(*_TOKENIZER)
    return cast(apsw.FTS5Tokenizer, _local.tokenizer)
