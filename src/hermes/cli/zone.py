"""The person's time zone by its name, so that "yesterday" means theirs."""

from hermes.cli.context import current_environ
from hermes.memory.recall.when.zone import find_zone


def local_zone() -> str:
    """The zone of TZ, else the machine's; UTC where neither has a name."""
    return find_zone(current_environ())
