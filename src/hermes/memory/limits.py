"""How many of something may be asked for: one check for every listing and search."""

from hermes.errors import UserError


def check_limit(limit: object) -> None:
    """Refuse what is no whole number from 1 on; of less, an arbitrary part would be given."""
    if isinstance(limit, int) and limit >= 1:
        return
    hint = "Leave it out for the usual number."
    if isinstance(limit, int):
        raise UserError("The limit must be at least 1.", hint)
    raise UserError(f"A limit is a whole number, not {limit!r:.80}.", hint)
