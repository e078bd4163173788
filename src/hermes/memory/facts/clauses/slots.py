"""The parts after a verb: the object first, then each preposition with its words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes.memory.facts.clauses.tokens import Token

Words = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of what follows the verb: the preposition before it, and its words."""

    prep: str
    words: Words

    @property
    def text(self) -> str:
        return spell(self.words)


def spell(words: Sequence[Token]) -> str:
    """The words as they were written, marks at the edges aside; gaps of other text are closed."""
    text, end = "", None
    for token in words:
        if end is not None and token.start > end:
            text += " "
        text += token.text
        end = token.end
    return text.strip(" ,;:.!?\"'“”`*…-—")


_STOPPING = frozenset(
    "because cause cuz since so but though although while whereas which who if when "
    "where unless whether".split()
)


_TIMES = frozenset(
    "now today tomorrow yesterday tonight nowadays lately recently again too also anymore "
    "instead already soon ago later here there btw lol haha please pls thanks".split()
)


def split_slots(rest: Sequence[Token]) -> tuple[tuple[Slot, ...], Words]:
    """The parts after a verb: the object first, then each preposition with its words; the tail."""
    slots: list[Slot] = []
    prep = ""
    held: list[Token] = []
    rest = _without_times(rest)
    for index, token in enumerate(rest):
        if token.low in {"about", "around", "over", "under", "roughly"} and _is_before_number(
            rest, index
        ):
            continue
        if _ends(rest, index):
            return _closed(slots, prep, held), tuple(rest[index:])
        if token.tag == "PREP" and token.low != "of" and not (token.low == "up" and not held):
            slots = [*_closed(slots, prep, held)]
            prep, held = token.low, []
        elif token.low == "since" and _is_time(rest, index):
            slots = [*_closed(slots, prep, held)]
            prep, held = "since", []
        elif token.low not in _TIMES and token.tag not in {"INTJ", "EMOJI"}:
            held.append(token)
    return _closed(slots, prep, held), ()


_SPANS = frozenset(
    "days day week weeks month months year years night summer winter spring autumn fall weekend "
    "quarter "
    "sprint morning monday tuesday wednesday thursday friday saturday sunday moment end".split()
)


_FIXED = (
    ("in", "the", "end"),
    ("at", "the", "moment"),
    ("for", "now"),
    ("from", "now", "on"),
    ("as", "well"),
    ("any", "more"),
    ("in", "advance"),
    ("so", "far"),
    ("right", "now"),
    ("by", "the", "way"),
    ("for", "good"),
    ("as", "of", "today"),
    ("of", "course"),
)


def _without_times(rest: Sequence[Token]) -> list[Token]:
    """Without "these days", "last week" and the like: they say when, not what."""
    kept: list[Token] = []
    index = 0
    while index < len(rest):
        lows = tuple(t.low for t in rest[index : index + 3])
        fixed = next((f for f in _FIXED if lows[: len(f)] == f), None)
        if fixed:
            index += len(fixed)
        elif lows[0] in {"these", "this", "last", "next"} and len(lows) > 1 and lows[1] in _SPANS:
            index += 2
        else:
            kept.append(rest[index])
            index += 1
    return kept


def _is_before_number(rest: Sequence[Token], index: int) -> bool:
    return index + 1 < len(rest) and rest[index + 1].tag == "NUM"


def _closed(slots: Sequence[Slot], prep: str, held: list[Token]) -> tuple[Slot, ...]:
    while held and (held[-1].tag in {"PUNCT", "CONJ"} or held[-1].tag == "ADV"):
        held = held[:-1]
    if not held and not (prep and not slots):
        return tuple(slots) if not prep else (*slots, Slot(prep, ()))
    return (*slots, Slot(prep, tuple(held)))


def _is_time(rest: Sequence[Token], index: int) -> bool:
    following = rest[index + 1] if index + 1 < len(rest) else None
    return following is not None and following.tag in {"NUM", "NAME", "ADJ", "DET", "NOUN", "ADV"}


def _ends(rest: Sequence[Token], index: int) -> bool:
    token = rest[index]
    if token.low in _STOPPING and not (token.low == "since" and _is_time(rest, index)):
        return True
    if token.text in {";", "—", "–", "-"} and token.tag == "PUNCT":
        return True
    if token.text != ",":
        return False
    return not _is_list_comma(rest, index)


def _is_list_comma(rest: Sequence[Token], index: int) -> bool:
    """A comma between things of one kind: "Python 3.12, FastAPI, SQLAlchemy 2 and Redis"."""
    before, after = rest[index - 1] if index else None, rest[index + 1 : index + 8]
    if before is None or not after:
        return False
    if before.tag not in {"NAME", "NOUN", "NUM", "ADDR"}:
        return False
    if before.tag in {"NAME", "NUM"} and (after[0].tag == "NAME" or after[0].text[:1].isdigit()):
        return True
    if after[0].low in {"no", "not", "and"} or after[0].tag in {"POSS", "PRON"}:
        return after[0].low == "and"
    joins = [n for n, token in enumerate(after) if token.low in {"and", "or"}]
    return bool(joins) and all(
        t.tag in {"NAME", "NOUN", "NUM", "ADJ", "DET"} or t.text == "," for t in after[: joins[0]]
    )


def list_items(words: Sequence[Token]) -> Iterator[Words]:
    """The members of an enumeration, each without its article."""
    item: list[Token] = []
    for token in words:
        if token.text in {",", "+", "&", "/"} or token.low in {"and", "plus", "or"}:
            if item:
                yield tuple(item)
            item = []
        elif item or token.tag not in {"DET"}:
            item.append(token)
    if item:
        yield tuple(item)
