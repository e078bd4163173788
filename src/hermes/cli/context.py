"""What a command was called with: which home, which profile, which environment, which flags.

The environment is read at the entry point and nowhere else; commands ask `invocation()`.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass

from hermes.config.paths import Home, ProfilePaths, read_home
from hermes.config.profiles import active_profile, get_profile
from hermes.errors import NotFound, UserError


@dataclass(frozen=True, slots=True)
class Call:
    """The environment and the global options, as given."""

    environ: Mapping[str, str]
    home: str | None = None
    profile: str | None = None
    settings: tuple[str, ...] = ()
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Invocation:
    """Everything a command needs to know of where it runs; `flags` are settings by dotted key."""

    home: Home
    profile: str
    paths: ProfilePaths
    environ: Mapping[str, str]
    flags: Mapping[str, str]


_call: ContextVar[Call] = ContextVar("call")


def enter_call(call: Call) -> None:
    """Make `call` the one that commands see."""
    _call.set(call)


def is_for_program() -> bool:
    """Whether JSON was asked for: then all that stands on stderr is JSON, too."""
    call = _call.get(None)
    return call is not None and call.as_json


def is_home_given() -> bool:
    """Whether the person named a home for this very command."""
    return bool(_call.get().home)


def refuse_missing_home() -> None:
    """For commands that only look: a home that was named and is not there is not made."""
    home = current_home()
    if is_home_given() and not home.root.exists():
        raise NotFound(
            f"There is no home at {home.root}.",
            "Check the path; the first thing recorded there would make one.",
        )


def current_environ() -> Mapping[str, str]:
    """The environment, for commands that start other processes."""
    return _call.get().environ


def current_home() -> Home:
    """The home, for commands that work on profiles rather than in one."""
    call = _call.get()
    return read_home(call.environ, call.home)


def invocation() -> Invocation:
    """The home, profile and flags of the command that is running; the profile exists."""
    call = _call.get()
    home = current_home()
    profile = call.profile or call.environ.get("HERMES_PROFILE") or active_profile(home)
    return Invocation(
        home=home,
        profile=profile,
        paths=get_profile(home, profile),
        environ=call.environ,
        flags=dict(_parse_flag(text) for text in call.settings),
    )


def _parse_flag(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UserError(f"--set {text!r} has no '='", "Write it as --set memory.poolSize=9")
    return key, value
