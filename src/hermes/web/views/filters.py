"""The filter of a page as its query says it: words, types, kinds, bank, days, entity."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeVar
from zoneinfo import ZoneInfo

from hermes.errors import UserError
from hermes.memory.finding import Sought, Type
from hermes.memory.timeline import end_of, start_of
from hermes.store.base.overview import Window
from hermes.types import FactKind
from hermes.web.asking import Ask

MOST_CHARS = 1_000  # of what is searched for
E = TypeVar("E", Type, FactKind)


@dataclass(frozen=True, slots=True)
class Filter:
    """What a page was asked to show; days are as they were written."""

    query: str = ""
    type: Type | None = None
    kind: FactKind | None = None
    bank: str = ""
    since: str = ""
    until: str = ""
    entity: int | None = None

    @property
    def is_used(self) -> bool:
        return any((self.query, self.type, self.kind, self.since, self.until, self.entity))

    @property
    def narrowings(self) -> int:
        """How many of the fields beside the words are set."""
        return sum(map(bool, (self.type, self.kind, self.bank, self.since, self.until)))

    def window(self, zone: ZoneInfo) -> Window:
        since, until = parse_day(self.since), parse_day(self.until)
        return Window(
            bank=self.bank,
            since_at=start_of(since, zone) if since else None,
            before_at=end_of(until, zone) if until else None,
            entity_id=self.entity,
        )

    def sought(self, zone: ZoneInfo, limit: int) -> Sought:
        return Sought(
            query=self.query,
            window=self.window(zone),
            types=(self.type,) if self.type else (),
            kinds=(self.kind,) if self.kind else (),
            limit=limit,
        )

    def fields(self) -> Mapping[str, object]:
        """The fields as a link carries them."""
        return {
            "q": self.query,
            "type": self.type.value if self.type else "",
            "kind": self.kind.value if self.kind else "",
            "bank": self.bank,
            "since": self.since,
            "until": self.until,
            "entity": self.entity or "",
        }


def read_filter(ask: Ask) -> Filter:
    """What a page is asked to show; NotFound for a bank or entity that would only look empty.

    Parts of a page, fetched as someone types, were asked for by a page that looked.
    """
    bank, entity = ask.word("bank"), ask.number("entity")
    if entity and not ask.is_part:
        ask.app.entities.get(f"entity:{entity}")
    return Filter(
        query=ask.word("q")[:MOST_CHARS],
        type=_choice(Type, ask.word("type")),
        kind=_choice(FactKind, ask.word("kind")),
        bank=ask.app.conversations.get_bank(bank).name if bank else "",
        since=ask.word("since"),
        until=ask.word("until"),
        entity=entity or None,
    )


def parse_day(text: str) -> date | None:
    """A day as a form sends it; none for nothing."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UserError(f"{text[:40]!r} is no day.", "Write it as 2026-01-31.") from None
    if not 1900 <= day.year <= 2099:
        raise UserError(f"{text[:40]!r} is out of reach.", "Give a day from 1900 to 2099.")
    return day


def _choice(kinds: type[E], text: str) -> E | None:
    if not text:
        return None
    try:
        return kinds(text)
    except ValueError:
        known = ", ".join(each.value for each in kinds)
        raise UserError(f"{text[:40]!r} cannot be filtered by.", f"Known: {known}.") from None
