"""Statements put together out of units: each completed by what stands before it.

A pronoun is told by what it means, a fragment by the statement, label or question that it follows.
Nothing here judges whether a statement is worth keeping.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from hermes.memory.facts.candidate import USER
from hermes.memory.facts.clauses.ellipsis import asked_in, capital
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.freed import CLAUSE, FRAGMENT, ORDER, UNRESOLVED
from hermes.memory.facts.clauses.referents import NEARBY
from hermes.memory.facts.clauses.riders import whose
from hermes.memory.facts.clauses.telling import (
    as_worded,
    in_third,
    of_user,
    resolved,
    with_asides,
)
from hermes.memory.facts.clauses.units import Unit, content, said_words
from hermes.memory.facts.clauses.verbs import of_many
from hermes.memory.facts.clauses.wording import others

LONGEST_HEAD = 14  # words of a statement that a fragment follows
LONGEST_LABEL = 8

_STANDING = re.compile(
    r"(?i)\b(?:always|never|every|each|from now on|in (?:the )?future|future|by default|all|any|"
    r"when(?:ever)?|call me|no|only|not|don'?t|instead|everywhere|anything|until|stop|keep|"
    r"remember)\b"
)
_REQUEST = re.compile(r"(?i)\b(?:can|could|would|will) (?:you|u)\b|\b(?:please|pls|plz)\b")
_SEALS = re.compile(  # "that's decided": of what was said before, and no thing
    r"(?i)(?:that|it|this)(?:'?s| is) (?:all |now )?"
    r"(?:settled|final|decided|official|agreed|fixed)\b"
)
_OPENS_LIST = re.compile(r"[ )*_]*:[ *_]*\n")
_NO_LABEL = frozenset(
    "question update note edit ps tldr correction reminder news quick one two three thing things q "
    "summary context y t".split()
)
_SAYING = frozenset({"NOUN", "NAME", "NUM", "ADDR", "ADJ"})


class Known(Protocol):
    """Knows what has been told already."""

    def says(self, unit: Unit) -> bool: ...


@dataclass(frozen=True, slots=True)
class Said:
    """A statement put together: its text, the words it rests on, and why it is only proposed."""

    text: str
    value: str
    first: Unit
    last: Unit
    sign: str
    frame: Frame
    subject: str = USER


@dataclass(frozen=True, slots=True)
class Before:
    """What stood before a message: the user's own earlier ones, the nearest first, and what was
    asked."""

    said: Sequence[str] = ()
    asked: str = ""

    def texts(self, prose: str, start: int) -> tuple[str, ...]:
        """What stood before a place of the message, the nearest first."""
        return (prose[max(0, start - NEARBY) : start], *self.said)


class Statements:
    """The statements of a message, unit by unit; a label heads all that follows it."""

    def __init__(self, units: Sequence[Unit], prose: str, before: Before) -> None:
        self._units = [unit for unit in units if not _is_number(unit, prose)]
        self._prose, self._before = prose, before
        self._label, self._head = "", -1

    def read(self, known: Known) -> Iterator[Said]:
        place = 0
        while place < len(self._units):
            end = self._run_end(place)
            run = self._units[place:end]
            self._label = self._label if self._is_headed(place) else ""
            if label := self._as_label(run):
                self._label, self._head = label, end - 1
            elif _says_something(run) and not self._is_told(place, end, known):
                if (said := self._said(place, end)) is not None:
                    yield self._labelled(said)
            if not label and _OPENS_LIST.match(self._prose, run[-1].end):
                self._label, self._head = self._before_colon(run[-1]), end - 1
            place = end

    def _is_told(self, place: int, end: int, known: Known) -> bool:
        """Whether readers told it; of a condition and of two people they tell the half."""
        unit = self._units[place]
        if unit.sort == "supposed" or (place and are_two(self._units[place - 1], unit)):
            return False
        return all(known.says(unit) for unit in self._units[place:end])

    def _run_end(self, place: int) -> int:
        """Fragments in one line go together, and so does an order with what follows it."""
        units, end = self._units, place + 1
        first = units[place]
        if first.sort == "supposed":
            while end < len(units) and units[end].body is first.body:
                end += 1
        while (
            first.sort in {"fragment", "order"}
            and end < len(units)
            and units[end].sort == "fragment"
            and (first.sort == "fragment" or units[end].body is first.body)
            and not set(self._gap(end)) & {"\n", ":"}
        ):
            end += 1
        if end - place > 1 and first.sort == "fragment" and self._gap(end).startswith(":"):
            end -= 1  # the last of them is the label of what follows
        return end

    def _gap(self, place: int) -> str:
        """What stands between a unit and the one before it."""
        if not 0 < place < len(self._units):
            return self._prose[self._units[-1].end :].lstrip() if place else ""
        return self._prose[self._units[place - 1].end : self._units[place].start].lstrip(" *_")

    def _as_label(self, run: Sequence[Unit]) -> str:
        last = run[-1]
        if last.sort != "fragment" or len(run) > 1 or not self._follows_colon(last):
            return ""
        words = [t for t in last.words if t.tag not in {"CONJ", "ADV"}]
        if len(words) > LONGEST_LABEL or not any(t.low not in _NO_LABEL for t in content(words)):
            return ""
        return of_user(others(words, of_user=False))

    def _follows_colon(self, unit: Unit) -> bool:
        return self._prose[unit.end : unit.end + 3].lstrip(" )*_").startswith(":")

    def _is_headed(self, place: int) -> bool:
        """Whether the label still holds: in its sentence, or line by line below it."""
        head = self._units[self._head]
        if not self._label or self._units[place].body is head.body:
            return True
        between = self._prose[head.end : self._units[place].start]
        return between.lstrip(": *_").startswith("\n") and "\n\n" not in between

    def _labelled(self, said: Said) -> Said:
        if not self._label or said.text.startswith("Asked"):
            return said
        text = said.text.removeprefix("User says: ")
        return replace(said, text=f"{self._label}: {text}")

    def _said(self, place: int, end: int) -> Said | None:
        unit, run = self._units[place], self._units[place:end]
        if unit.sort in {"asked", "supposed"}:
            return self._standing(run)
        if unit.sort == "order":
            return self._made("User asks: ", run, ORDER)
        if unit.sort == "you":
            return self._made("User says: ", run, CLAUSE)
        if unit.sort == "fragment":
            return self._fragment(place, end)
        if unit.sort == "points":
            return self._pointing(unit)
        return self._told(place) if unit.sort == "told" else None

    def _told(self, place: int) -> Said | None:
        unit = self._units[place]
        frame = unit.frame
        if not frame.rest and not _is_done(frame):
            return None
        text = in_third(unit)
        beside = self._units[place - 1] if place else None
        if beside is not None and are_two(beside, unit):
            text = f"User and {others(beside.words)} {of_many(text.removeprefix('User '))}"
            return Said(text, unit.text, beside, unit, CLAUSE, frame)
        return Said(text, unit.text, unit, unit, CLAUSE, frame, _holder(frame))

    def _pointing(self, unit: Unit) -> Said | None:
        """ "he's called Kevin", "it's on 3 December": of whom or what was named before."""
        if _SEALS.match(unit.text) or not (unit.frame.rest or _is_done(unit.frame)):
            return None
        if text := resolved(unit, self._before.texts(self._prose, unit.start)):
            return Said(text, unit.text, unit, unit, CLAUSE, unit.frame)
        text = with_asides(capital(as_worded(unit)), unit)
        return Said(text, unit.text, unit, unit, UNRESOLVED, unit.frame)

    def _fragment(self, place: int, end: int) -> Said | None:
        run, head = self._units[place:end], self._units[place - 1] if place else None
        words = content([t for unit in run for t in unit.words])
        names = any(t.tag in {"NAME", "ADDR"} for t in words)
        many = len(words) > 1
        if self._gap(end).startswith(("and i ", "and I ")) and run[-1].words[0].tag == "POSS":
            return None  # "my wife and I": who they are is told with what they do
        if head is not None and self._gap(place).startswith(":") and not self._label:
            return self._made(f"{self._before_colon(head)}: ", run, FRAGMENT, first=head)
        if head is not None and self._heads(head, run[0]):
            own = head.body is run[0].body or many or names or any(t.tag == "NUM" for t in words)
            return self._made(f"{in_third(head)}: ", run, FRAGMENT, first=head) if own else None
        if place == 0 and (asked := asked_in(self._before.asked)):
            return self._made(f'Asked "{asked}?", User answered: ', run, FRAGMENT)
        if not many and not names:
            return None
        return self._made("User is " if _describes(run[0]) else "User says: ", run, FRAGMENT)

    def _heads(self, head: Unit, unit: Unit) -> bool:
        """Whether a fragment goes on from the statement before it."""
        if head.sort not in {"told", "points"} or len(head.words) > LONGEST_HEAD:
            return False
        return "\n" not in self._prose[head.end : unit.start]

    def _before_colon(self, head: Unit) -> str:
        """All that its sentence says before the colon, or its last clause where that is long."""
        whole = said_words(self._prose[head.body.start : head.end])
        alone = head.start == head.body.start
        if (head.sort == "told" and alone) or len(whole) > LONGEST_HEAD:
            return in_third(head)
        return of_user(others(whole, of_user=False))

    def _standing(self, run: Sequence[Unit]) -> Said | None:
        """An order for good, however it is put: "can you always …", "when I ask …, put …"."""
        text = self._prose[run[0].start : run[-1].end]
        orders = any(unit.sort == "order" for unit in run) or bool(_REQUEST.search(text))
        if not orders and _is_rule(run):
            return self._made("User says: ", run, CLAUSE)
        return self._made("User asks: ", run, ORDER) if orders and _STANDING.search(text) else None

    def _made(
        self, opening: str, run: Sequence[Unit], sign: str, *, first: Unit | None = None
    ) -> Said:
        text = self._prose[run[0].start : run[-1].end]
        words = said_words(text)
        value = others(words)
        own = opening == "User says: " and bool(words) and words[0].low in {"my", "our"}
        said = of_user(others(words, of_user=False)) if own else f"{opening}{value}"
        return Said(said, value, first or run[0], run[-1], sign, run[0].frame)


def _is_rule(run: Sequence[Unit]) -> bool:
    """ "when I ask for a plan put the hard part first": what holds each time."""
    first = run[0]
    whole = first.start == first.body.start and not first.body.is_question
    long = sum(len(unit.words) for unit in run) > LONGEST_LABEL
    return whole and long and first.words[0].low in {"when", "whenever"}


def _describes(unit: Unit) -> bool:
    """ "allergic to shellfish", "fluent in Welsh": of who says it."""
    words = unit.words
    return len(words) > 2 and words[0].tag == "ADJ" and words[1].tag == "PREP"


def _is_number(unit: Unit, prose: str) -> bool:
    """Of an item in a list: "2." at the start of a line."""
    lead = prose[max(0, unit.start - 8) : unit.start].rstrip(" *-")
    item = unit.text.isdigit() and prose[unit.end : unit.end + 1] in {".", ")"}
    return item and lead.endswith("\n")


def _holder(frame: Frame) -> str:
    """Whom it is filed under; "Opposing counsel" is nobody's name."""
    named = frame.subject.kind == "name" and any(t.tag == "NOUN" for t in frame.subject.words)
    return USER if named else whose(frame.subject)


def _is_done(frame: Frame) -> bool:
    """ "Henning left", "we launched": an event needs no more words, but someone who did it."""
    done = frame.tense in {"past", "perfect"} or frame.passive or frame.verb in {"stay", "remain"}
    return done and bool(frame.subject.words) and frame.verb not in {"be", "have", "do", ""}


def _says_something(run: Sequence[Unit]) -> bool:
    words = [t for unit in run for t in unit.words]
    return any(t.tag in _SAYING for t in words) or any(t.tag == "VERB" for t in words)


def are_two(beside: Unit, unit: Unit) -> bool:
    """ "my gf | and I got the keys"."""
    opens = beside.words[0].low in {"my", "our"} or beside.words[0].tag == "NAME"
    joined = unit.joint == "and" and beside.body is unit.body
    return joined and opens and beside.sort == "fragment" and unit.frame.subject.kind == "user"
