"""The block of memory a model gets: dated, attributed snippets, fenced as data, within a budget.

Conversations stand in the order they were had, and what touches in one of them is shown as one, at
the time on the clock of whoever is answered. Of a very long text it is what lies around what the
task asks for. Where the budget is short the least relevant go first, then neighbours, then more of
that. Only what begins at the margin was written by Hermes: further lines of a text are set in.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from functools import cache
from itertools import groupby

from hermes.clock import to_datetime
from hermes.guard.fence import NOTICE, fence
from hermes.memory.recall.evidence import SILENCE
from hermes.memory.recall.focus import excerpt
from hermes.memory.recall.result import Item, Line, is_sure
from hermes.memory.recall.tokens import count_tokens, fits, most_tokens
from hermes.types import Kind, Trust

FOUND_CHARS = 6_000  # of a message that was found: a pasted log would take the room of all else
NEIGHBOUR_CHARS = 280
FENCE_BYTES = 220  # of a fence and its label, but for the session
LINE_BYTES = 24  # of the date of a line
BETWEEN_TOKENS = 14  # the line between two, and a trust that a neighbour brings onto a fence
SHORTEST_CHARS = 40  # of a text that is cut: less says little…
BARE_CHARS = 4  # …and is shown only where nothing else fits, without its session…
BARE_NOTE_TOKENS, BARE_NAME_TOKENS = 20, 8  # …and with so much of its note and of who said it
REFS_CHARS = 80  # of the references on one fence
INDENT = "    "
SILENT = f"{SILENCE.capitalize()}."
UNSURE = "None of it surely answers the task."


def render_context(
    items: Sequence[Item], budget_tokens: int, zone: tzinfo = UTC, *, is_silent: bool = False
) -> str:
    """The block for a model; empty where nothing is remembered or nothing fits. It tells where
    nothing was said in the time asked about: `is_silent`."""
    kept = list(items)
    while kept:
        block = _render(kept, zone, is_silent=is_silent)
        if fits(block, budget_tokens):
            return block
        if len(kept) == 1:
            return render_alone(kept[0], budget_tokens, zone, is_silent=is_silent)
        kept = _without_least(kept)
    return ""


def snippet_tokens(item: Item) -> int:
    """What showing an item takes at most, counted with care."""
    return sum(map(count_tokens, _snippets([item], UTC))) + BETWEEN_TOKENS


def snippet_bytes(item: Item) -> int:
    """About how many bytes an item is shown in: more than its tokens, and quick to tell."""
    spoken = 0
    for place, line in enumerate(item.lines):  # a plain loop: thirty lines a recall
        size = FOUND_CHARS if place == item.hit else NEIGHBOUR_CHARS
        spoken += LINE_BYTES + len(line.by) + _bytes(_shortened(line, size).text)
    told = len(item.session_id) + most_tokens(item.note)
    return FENCE_BYTES + told + (spoken or _bytes(item.text))


def _bytes(text: str) -> int:
    return most_tokens(text) + len(INDENT) * len(text.splitlines())


@cache
def notice_tokens(*, is_silent: bool = False) -> int:
    """What may stand before the first snippet takes."""
    return count_tokens("\n".join([NOTICE, *[SILENT] * is_silent, UNSURE]))


def _without_least(items: list[Item]) -> list[Item]:
    least = min(range(len(items)), key=lambda place: (items[place].relevance, -place))
    return items[:least] + items[least + 1 :]


def _render(
    items: Sequence[Item], zone: tzinfo, *, is_silent: bool = False, doubts: bool = True
) -> str:
    notice = [NOTICE, SILENT] if doubts and is_silent else [NOTICE]
    if doubts and not is_sure(items):
        notice.append(UNSURE)
    return "\n".join([*notice, *_snippets(items, zone)])


def _snippets(items: Sequence[Item], zone: tzinfo) -> Iterable[str]:
    lone = [item for item in items if not item.lines]
    for item in lone:
        yield fence(f"[{_day(item.at, zone)}] {_set_in(item.text)}", _label(item, item.ref, zone))
    spoken = _as_it_went([item for item in items if item.lines])
    for _, group in groupby(_touching(spoken), key=lambda pair: pair[0]):
        yield _passage([item for _, item in group], zone)


def _touching(items: Sequence[Item]) -> Iterable[tuple[int, Item]]:
    """Items with the number of the passage they belong to: those that share a message share it."""
    number, seen = 0, set[int]()
    for item in items:
        ids = {line.message_id for line in item.lines}
        if seen and seen.isdisjoint(ids):
            number, seen = number + 1, set()
        seen |= ids
        yield number, item


def _passage(items: Sequence[Item], zone: tzinfo) -> str:
    """Touching snippets as one: each message once, at length if it was found."""
    lines: dict[int, Line] = {}
    for item in items:
        for place, line in enumerate(_lines(item)):
            if place == item.hit or line.message_id not in lines:
                lines[line.message_id] = line
    said = [_line(lines[key], zone) for key in sorted(lines, key=lambda key: (lines[key].at, key))]
    # The fence vouches for all it holds: a neighbour trusted less lowers it.
    trust = min(*(item.trust for item in items), *(line.trust for line in lines.values()))
    whole = replace(items[0], trust=trust, note=_notes(items))
    return fence("\n".join(said), _label(whole, _refs(items), zone))


def _notes(items: Sequence[Item]) -> str:
    """What must be told of some of them, each named where there are others."""
    if len(items) == 1:
        return items[0].note
    return ", ".join(f"{item.ref} {item.note}" for item in items if item.note)


def _refs(items: Sequence[Item]) -> str:
    """As many references as there is room for, each whole: half a number names something else."""
    room, shown = REFS_CHARS, list[str]()
    for ref in dict.fromkeys(item.ref for item in items):
        room -= len(ref) + 1
        if room < 0 and shown:
            break
        shown.append(ref)
    return ",".join(shown)


def _lines(item: Item) -> list[Line]:
    return [
        _shortened(line, FOUND_CHARS if place == item.hit else NEIGHBOUR_CHARS)
        for place, line in enumerate(item.lines)
    ]


def _shortened(line: Line, size: int) -> Line:
    if len(line.text) <= size:
        return line
    return line._replace(text=excerpt(line.text, line.focus, size))


def _line(line: Line, zone: tzinfo) -> str:
    at = to_datetime(line.at).astimezone(zone).replace(tzinfo=None).isoformat(" ", "minutes")
    return f"[{at}] {_name(line.by)}: {_set_in(line.text)}"


def _name(by: str) -> str:
    return " ".join(by.split())


def _set_in(text: str) -> str:
    """A text whose further lines cannot be taken for lines of their own: those have no indent."""
    return f"\n{INDENT}".join(text.splitlines())


def _label(item: Item, refs: str, zone: tzinfo) -> dict[str, str]:
    trust = "" if item.trust is Trust.HIGH else item.trust.name.lower()
    kind = "conversation" if item.kind is Kind.EPISODE else item.kind.value
    day = _day(item.at, zone)
    label = {"kind": kind, "ref": refs, "date": day, "trust": trust, "note": item.note}
    return label | ({"session": item.session_id} if item.session_id else {})


def _day(at: int, zone: tzinfo) -> str:
    return to_datetime(at).astimezone(zone).date().isoformat()


def _as_it_went(items: Sequence[Item]) -> list[Item]:
    """The items conversation by conversation, the one that was had first before all others."""
    begun: dict[str, int] = {}
    for item in items:
        at = item.lines[0].at
        begun[item.session_id] = min(at, begun.get(item.session_id, at))
    return sorted(items, key=lambda i: (begun[i.session_id], i.session_id, i.lines[0].message_id))


def render_alone(
    item: Item, budget_tokens: int, zone: tzinfo = UTC, *, is_silent: bool = False
) -> str:
    """One item, without neighbours and cut until it fits; empty if nothing sensible does."""
    bare = replace(item, session_id="", note=_cut(item.note, BARE_NOTE_TOKENS))
    for each, least in ((item, SHORTEST_CHARS), (bare, SHORTEST_CHARS), (bare, BARE_CHARS)):
        for size in _halves(min(FOUND_CHARS, len(item.text)), least):
            own = replace(each, lines=(), text=_own_line(item, size))
            block = _render([own], zone, is_silent=is_silent, doubts=least > BARE_CHARS)
            if fits(block, budget_tokens):
                return block
    return ""


def _halves(most: int, least: int) -> Iterator[int]:
    """How much of a text to try, less and less, down to the least."""
    while most > least:
        yield most
        most //= 2
    yield least


def _own_line(item: Item, size: int) -> str:
    """What an item says, as far as there is room for it, and who said it."""
    said = excerpt(item.text, item.focus, size)
    by = _name(item.lines[item.hit].by) if item.lines else ""
    if size <= SHORTEST_CHARS:
        by = _cut(by, BARE_NAME_TOKENS)
    return f"{by}: {said}" if by else said


def _cut(text: str, most: int) -> str:
    """The beginning of a text that takes so many tokens at most."""
    while count_tokens(text) > most:
        text = text[: len(text) // 2]
    return text
