"""Secrets that were written as `${NAME}`: they know the name, so that errors can say it.

One whose variable is not set stops what needs the secret, and nothing else.
"""

from pydantic import SecretStr

from hermes.errors import UserError

HINT = "Put it into .env or the environment."


class NamedSecret(SecretStr):
    """A secret and the variable it was read from."""

    def __init__(self, secret: str, variable: str) -> None:
        super().__init__(secret)
        self.variable = variable


class UnsetSecret(SecretStr):
    """Stands for a secret that is not known; asking for it says why, and what to do."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)  # not empty: an empty one would pass for no secret at all
        self.reason = reason

    def get_secret_value(self) -> str:
        raise UserError(self.reason, HINT)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnsetSecret) and self.reason == other.reason

    def __hash__(self) -> int:
        return hash(self.reason)


def variable_of(secret: SecretStr | None) -> str:
    """The variable a secret was read from; "" where it was not."""
    return secret.variable if isinstance(secret, NamedSecret) else ""
