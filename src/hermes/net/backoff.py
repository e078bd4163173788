"""How long to wait before a call is tried again. Pure: the dice and the sleep are the caller's."""

from dataclasses import dataclass

from hermes.net.faults import EndpointError, Fault


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a call is tried, and how long the waits grow.

    `unheard_attempts` is how often where nobody listens at all; None: as often as else.
    """

    attempts: int = 4
    unheard_attempts: int | None = None
    first_s: float = 0.5
    growth: float = 2.0
    longest_s: float = 20.0
    patience_s: float = 60.0


USUAL_RETRY = RetryPolicy()


def next_delay_s(
    policy: RetryPolicy, error: EndpointError, *, attempt: int, roll: float
) -> float | None:
    """Seconds until the next try, or None where none should follow.

    `attempt` counts from 1; `roll`, from 0 to 1, spreads callers that failed together.
    """
    attempts = policy.attempts
    if error.fault is Fault.NO_CONNECTION and policy.unheard_attempts is not None:
        attempts = min(attempts, policy.unheard_attempts)
    if not error.is_passing or attempt >= attempts:
        return None
    grown = min(policy.longest_s, policy.first_s * policy.growth ** (attempt - 1))
    spread = grown * (0.5 + roll / 2)
    if error.retry_after_s is None:
        return spread
    if error.retry_after_s > policy.patience_s:
        return None
    return max(spread, error.retry_after_s * (1 + roll / 10))
