"""A fuse: an endpoint that fails again and again is left alone for a while."""

from datetime import datetime

from hermes.clock import SECOND_MS, Clock
from hermes.net.faults import EndpointError, EndpointUnavailable, Fault

LONGEST_S = 60.0
WAITED_FOR = 2  # times in a row that who waits may wait in vain, before nobody does for a while
WAITED_PAUSE_S = 30.0
WAITED_LONGEST_S = 600.0
LIMITED = "The provider limits how often this key may call."


class Breaker:
    """Stops calls to an endpoint that failed again and again, and lets one through now and then.

    The pause doubles each time that the try after it fails: a person who asks again soon after an
    outage is answered, and a server that stays away is not bothered. Calls that were under way when
    the pause began say nothing new, however many fail.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        threshold: int = 5,
        cooldown_s: float = 5.0,
        longest_s: float = LONGEST_S,
    ) -> None:
        self._clock = clock
        self._longest_ms = round(longest_s * SECOND_MS)
        self._threshold = threshold
        self._first_ms = round(cooldown_s * SECOND_MS)
        self._failures = 0
        self._failed_tries = 0
        self._is_tried = False
        self._opened_at = 0
        self._last = self._advice = ""

    def require_closed(self, name: str, *, asked: bool = False) -> None:
        """Raise `Unavailable` at once while the endpoint is given up on.

        Where a person `asked` and waits, theirs is the call that tries it: people do not storm.
        """
        if not self.is_open:
            return
        if asked or self._left_ms <= 0:
            # This caller tries it; the others wait for its luck, or for one more cooldown.
            self._opened_at = self._clock.now()
            self._is_tried = True
            return
        raise self.describe(name)

    @property
    def is_open(self) -> bool:
        return self._failures >= self._threshold

    def describe(self, name: str) -> EndpointUnavailable:
        """What to tell of a pause: until when it is, why, and what to look at."""
        ends_s = (self._clock.now() + max(0, self._left_ms)) / SECOND_MS
        until = f"{datetime.fromtimestamp(ends_s):%H:%M:%S}"
        many = "failure" if self._failures == 1 else "failures"
        return EndpointUnavailable(
            f"{name} is paused until {until} after {self._failures} {many} in a row; "
            f"the last was: {self._last}.",
            f"It is tried once more then. {self._advice}".rstrip(),
            fault=Fault.CUT_OFF,
            retry_after_s=max(0, self._left_ms) / SECOND_MS,
        )

    @property
    def _left_ms(self) -> int:
        return self._opened_at + self._cooldown_ms - self._clock.now()

    @property
    def _cooldown_ms(self) -> int:
        grown = self._first_ms << min(10, self._failed_tries)
        return min(grown, max(self._first_ms, self._longest_ms))

    def note_success(self) -> None:
        self._failures = self._failed_tries = 0
        self._is_tried = False

    def note_slow(self, error: EndpointError) -> None:
        """Count a failure that somebody waited for in vain; of others, what a try came to."""
        if error.fault is Fault.SLOW or self.is_open:
            self.note_failure(error)

    def note_left(self, *, answering: bool) -> None:
        """A call was broken off by its caller: one that was being answered was no failure.

        Where nothing came yet nothing is known of the endpoint, and the next caller may try it.
        """
        if answering:
            self.note_success()
        elif self._is_tried:
            self._is_tried = False
            self._opened_at = self._clock.now() - self._cooldown_ms

    def note_failure(self, error: EndpointError) -> None:
        """Count a failure; an endpoint that answers, even with a refusal, is alive."""
        if not error.is_passing:
            self.note_success()
            return
        self._failures += 1
        self._last = f"{error.fault}: {error.said}" if error.said else str(error.fault)
        # How long to wait is said by the pause; the endpoint's own figure would contradict it.
        self._advice = LIMITED if error.fault is Fault.BUSY else error.hint
        if self._is_tried:
            self._is_tried = False
            self._failed_tries += 1
            self._opened_at = self._clock.now()
        elif self._failures == self._threshold:
            self._opened_at = self._clock.now()


def new_waiting_breaker(clock: Clock) -> Breaker:
    """The fuse of what a question waits for: seconds each time, so that two are enough."""
    return Breaker(
        clock, threshold=WAITED_FOR, cooldown_s=WAITED_PAUSE_S, longest_s=WAITED_LONGEST_S
    )
