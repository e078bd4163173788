"""What can go wrong with an endpoint, named, so that each error says which setting to look at.

Nothing here knows what the endpoint offers: models, embeddings or anything else.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil

from hermes.errors import HermesError, Refused, Unavailable, UserError

MINUTE_S, HOUR_S = 60, 3_600


class Fault(StrEnum):
    """The reasons a call to an endpoint fails."""

    NO_KEY = "no key"
    WRONG_KEY = "wrong key"
    FORBIDDEN = "not allowed"
    NO_CREDIT = "no credit"
    UNKNOWN_MODEL = "unknown model"
    TOO_LONG = "request too long"
    REJECTED = "request rejected"
    BAD_URL = "wrong address"
    NO_HOST = "unknown host"
    NO_CONNECTION = "no connection"
    TLS = "TLS failed"
    SLOW = "too slow"
    BUSY = "rate limited"
    SERVER = "server error"
    GARBLED = "garbled reply"
    NO_DIRECTION = "vectors without a direction"
    TRUNCATED = "reply cut short"
    TOO_LARGE = "reply too large"
    CUT_OFF = "cut off after repeated failures"


REFUSALS = frozenset({Fault.NO_KEY, Fault.WRONG_KEY, Fault.FORBIDDEN, Fault.NO_CREDIT})
REJECTIONS = frozenset({Fault.UNKNOWN_MODEL, Fault.TOO_LONG, Fault.REJECTED, Fault.BAD_URL})
PASSING = frozenset(
    {
        Fault.NO_HOST,
        Fault.NO_CONNECTION,
        Fault.SLOW,
        Fault.BUSY,
        Fault.SERVER,
        Fault.GARBLED,
        Fault.TRUNCATED,
    }
)
# What may come of one text; a key, an address, a limit or a silent server is another matter.
OF_TEXTS = frozenset({Fault.REJECTED, Fault.TOO_LONG, Fault.GARBLED, Fault.NO_DIRECTION})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a call goes, in the words of the person who configured it."""

    url: str
    subject: str
    setting: str
    key_name: str = ""
    model_hint: str = ""
    secret: str = field(default="", repr=False)

    def scrub(self, text: str) -> str:
        """The text without the key, which some servers repeat in their errors."""
        return text.replace(self.secret, "[key]") if len(self.secret) >= 4 else text


class EndpointError(HermesError):
    """A call to an endpoint failed; `fault` names the reason, `said` what the server said."""

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        fault: Fault = Fault.SERVER,
        said: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.fault = fault
        self.said = said
        self.retry_after_s = retry_after_s

    @property
    def kind(self) -> str:
        """The general kind: callers need not know that an endpoint was involved."""
        return next(
            k.__name__ for k in type(self).__mro__ if k.__module__ == HermesError.__module__
        )

    @property
    def is_passing(self) -> bool:
        """Whether the same call may succeed a little later."""
        return self.fault in PASSING

    @property
    def is_of_texts(self) -> bool:
        """Whether it may be a text's fault that was sent, and others would be answered."""
        return self.fault in OF_TEXTS


class EndpointUnavailable(EndpointError, Unavailable):
    """The endpoint cannot be reached, or does not answer as it should, now."""


class EndpointRefused(EndpointError, Refused):
    """The endpoint does not let this key in."""


class EndpointRejected(EndpointError, UserError):
    """The endpoint cannot do what was asked: the request or a setting is wrong."""


def build_error(
    fault: Fault, endpoint: Endpoint, said: str = "", *, retry_after_s: float | None = None
) -> EndpointError:
    """The error of the right kind, with a message that names the endpoint and a hint."""
    said = endpoint.scrub(said)
    kind = _kind_of(fault)
    message = f"{endpoint.subject} at {endpoint.url}: {fault}" + (f" ({said})" if said else "")
    key = endpoint.key_name
    ref = f" (by {key} in .env)" if key else ""
    hint = _HINTS[fault].format(
        e=endpoint,
        key=key or f"{endpoint.setting}.apiKey",
        ref=ref,
        wait=_render_wait(retry_after_s),
    )
    hint = hint.rstrip()
    return kind(message, hint, fault=fault, said=said, retry_after_s=retry_after_s)


def _render_wait(seconds: float | None) -> str:
    """How long the server asks to be left alone."""
    if seconds is None or seconds < 1:
        return "a little"
    if seconds < 2 * MINUTE_S:
        return f"{ceil(seconds)} s"
    if seconds < 2 * HOUR_S:
        return f"{ceil(seconds / MINUTE_S)} minutes"
    return f"{ceil(seconds / HOUR_S)} hours"


def _kind_of(fault: Fault) -> type[EndpointError]:
    if fault in REFUSALS:
        return EndpointRefused
    return EndpointRejected if fault in REJECTIONS else EndpointUnavailable


_HINTS = {
    Fault.NO_KEY: "No key was sent: set {e.setting}.apiKey{ref}, or choose one that needs none.",
    Fault.WRONG_KEY: "The key that was sent is not accepted: check {e.setting}.apiKey{ref}.",
    Fault.FORBIDDEN: "The key in {key} may not use this; check its rights with the provider.",
    Fault.NO_CREDIT: "Add credit to the account of {key}, or choose another model.",
    Fault.UNKNOWN_MODEL: "Check {e.setting}.model: the endpoint does not offer it. {e.model_hint}",
    Fault.TOO_LONG: "Send less text, or choose a model with a longer context.",
    Fault.REJECTED: "The endpoint refused the request; check the settings under {e.setting}.",
    Fault.BAD_URL: "Check {e.setting}.baseUrl: there is no such service at {e.url}.",
    Fault.NO_HOST: "Check the host name in {e.setting}.baseUrl, and the network.",
    Fault.NO_CONNECTION: "Check that the server at {e.url} runs, and {e.setting}.baseUrl.",
    Fault.TLS: "Check {e.setting}.baseUrl (http or https?) and the certificate of the server.",
    Fault.SLOW: "Try again, choose a faster model, or raise {e.setting}.timeoutS.",
    Fault.BUSY: "Wait {wait}; the provider limits how often this key may call.",
    Fault.SERVER: "Try again later; the fault is on the side of {e.url}.",
    Fault.GARBLED: "Check that {e.setting}.baseUrl is the address of the API, not of a web page.",
    Fault.NO_DIRECTION: "The model fails on a text; a newer server, or another {e.setting}.model, "
    "may take it.",
    Fault.TRUNCATED: "Try again; if it stays so, look at the server or a proxy in between.",
    Fault.TOO_LARGE: "It sent more than any reply should hold: ask again, or check {e.setting}.",
    Fault.CUT_OFF: "It is tried again by itself.",
}
