"""What a handler is asked, and what it may answer: plain values, so that handlers are functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from hermes.app import App
from hermes.web.door import Visit

CARRIED = ("bank", "entity")


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, taken apart; `is_part` asks for the part of a page that a script swaps in."""

    visit: Visit
    path: str = "/"
    names: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_part: bool = False

    @property
    def app(self) -> App:
        return self.visit.app

    @property
    def carried(self) -> dict[str, str]:
        """What was chosen on one page and holds on the next: a bank, an entity."""
        return {name: self.word(name) for name in CARRIED if self.word(name)}

    def word(self, name: str) -> str:
        """A field of the query, without blanks around it; empty if it is not there."""
        return self.query.get(name, "").strip()

    def number(self, name: str, otherwise: int = 0) -> int:
        text = self.word(name)
        return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else otherwise


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be rendered; `extra_styles` are hashes of styles a library of the page brings.

    `after` is done once the page is sent, for what is likely to be asked next.
    """

    template: str
    values: Mapping[str, object]
    status: int = 200
    extra_styles: tuple[str, ...] = ()
    after: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where to go after a form was dealt with."""

    to: str
    cookies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Download:
    """A file to be sent, and removed once it was."""

    file: Path
    name: str
    media_type: str = "application/json"


Answer = Page | Redirect | Download


def link(path: str, **fields: object) -> str:
    """A link with the fields that say something."""
    told = {name: value for name, value in fields.items() if value not in (None, "", False)}
    return f"{path}?{urlencode(told, doseq=True)}" if told else path
