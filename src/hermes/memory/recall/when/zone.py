"""Whose "yesterday" is meant: the time zone of whoever runs Hermes, by its name."""

import os
from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def find_zone(environ: Mapping[str, str]) -> str:
    """The time zone of TZ, else the machine's; UTC where neither has a name that is known."""
    named = environ.get("TZ", "").removeprefix(":")
    if named and "/" in named and not named.startswith("/") and _is_zone(named):
        return named
    _, found, name = os.path.realpath(Path("/etc/localtime")).partition("zoneinfo/")
    return name if found and _is_zone(name) else "UTC"


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
