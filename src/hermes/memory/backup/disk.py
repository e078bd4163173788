"""Telling a disk that is full, or says no, from a mistake in Hermes."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from hermes.errors import Unavailable

_FULL = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})


@contextmanager
def on_disk(what: str) -> Iterator[None]:
    """Raise what the system says of a file as Unavailable; `what` was being done."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise Unavailable(
                f"{what}: there is no room left on the disk.",
                "Free some space and try again; what was there is as it was.",
            ) from error
        if error.errno is None:
            raise
        place = f": {error.filename}" if error.filename else ""
        hint = "Check that it is there, who owns it and its mode; what was there is as it was."
        raise Unavailable(f"{what}: {error.strerror}{place}.", hint) from error
