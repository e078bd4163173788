"""The few kinds of error Hermes raises, each saying what happened and what to do.

Nothing here knows how an error is shown; one table maps a kind to an exit code and an HTTP status.
"""


class HermesError(Exception):
    """Something went wrong; `message` says what happened, `hint` what to do about it."""

    exit_code = 1
    http_status = 500

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def kind(self) -> str:
        return type(self).__name__


class UserError(HermesError):
    """What was asked for cannot be done as asked; the person can mend it."""

    exit_code = 2
    http_status = 400


class NotFound(HermesError):
    """The named thing does not exist."""

    http_status = 404


class Conflict(HermesError):
    """The thing changed, or is held by someone else, since it was read."""

    http_status = 409


class Refused(HermesError):
    """The guard did not allow it."""

    http_status = 403


class Unavailable(HermesError):
    """A part Hermes needs cannot be reached now; a retry may work."""

    http_status = 503


class Corrupt(HermesError):
    """Stored bytes are not what was written; Hermes stops rather than goes on."""
