"""The person's time zone by its name, so that "yesterday" means theirs."""

import os
from pathlib import Path

from hermes.cli.context import current_environ


def local_zone() -> str:
    """The zone of TZ, else the machine's; UTC where neither has a name."""
    named = current_environ().get("TZ", "").removeprefix(":")
    if named and "/" in named and not named.startswith("/"):
        return named
    _, found, name = os.path.realpath(Path("/etc/localtime")).partition("zoneinfo/")
    return name if found else "UTC"
