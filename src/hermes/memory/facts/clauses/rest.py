"""What no reader took of a message, proposed all the same: whatever the user says of their own.

Readers know forms. What they leave is told here in the third person, completed by what stands before
it: a pronoun by what it means, a fragment by the statement, label or question that it follows. Most
of it is not worth keeping; each has a sign by which a gate knows that no reader stands for it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.as_said import dated
from hermes.memory.facts.clauses.ellipsis import asked_in, capital
from hermes.memory.facts.clauses.finishing import finished, is_quotable
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.freed import CLAUSE, FRAGMENT, ORDER, UNRESOLVED
from hermes.memory.facts.clauses.referents import POSSESSIVE, find_referent
from hermes.memory.facts.clauses.riders import whose
from hermes.memory.facts.clauses.sentences import LONGEST_TOLD, setting_of, with_signs
from hermes.memory.facts.clauses.split import Clause, Sentence
from hermes.memory.facts.clauses.talk import Talk
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.units import Unit, content, read_units
from hermes.memory.facts.clauses.wording import group_text, others, render

LONGEST = 30  # words of a statement
LONGEST_HEAD = 14  # words of a statement that a fragment follows
FEWEST_TOLD = 0.75  # share of its words by which a unit counts as told
STEM = 5

_STANDING = re.compile(
    r"(?i)\b(?:always|never|every|each|from now on|in (?:the )?future|future|by default|all|any|"
    r"when(?:ever)?|call me|no|only|not|don'?t|instead|everywhere|anything|until|stop|keep|remember)\b"
)
_NAMING = frozenset({"NAME", "NUM", "ADDR"})
_SAYING = frozenset({"NOUN", "NAME", "NUM", "ADDR", "ADJ"})


@dataclass(frozen=True, slots=True)
class _Said:
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


def read_rest(
    prose: str,
    sentences: Sequence[Sentence],
    told: Sequence[Candidate],
    talk: Talk,
    before: Before,
) -> list[Candidate]:
    """Statements out of what none of the readings in `told` says."""
    if len(talk.text) > LONGEST_TOLD:
        return []
    units = [unit for sentence in sentences for unit in read_units(sentence)]
    known = _Known(told)
    found: list[Candidate] = []
    for said in _statements(units, prose, known, before):
        found += _candidate(said, prose, talk)
    return found


class _Known:
    """The words that the readings of a message have told already."""

    def __init__(self, told: Sequence[Candidate]) -> None:
        self._told = [(each.quote, _stems(tokenize(each.text))) for each in told]

    def says(self, unit: Unit) -> bool:
        """Whether the readings that rest on these words tell them, all names and numbers."""
        words = content(unit.words)
        text, body = unit.text, unit.body.text
        own = [w for quote, w in self._told if quote in body or text in quote]
        told = frozenset[str]().union(*own)
        if any(_stem(t) not in told for t in words if t.tag in _NAMING):
            return False
        return sum(_stem(t) in told for t in words) >= FEWEST_TOLD * len(words)


def _stems(words: Sequence[Token]) -> frozenset[str]:
    return frozenset(map(_stem, words))


def _stem(token: Token) -> str:
    return (token.lemma or token.low)[:STEM]


def _statements(
    units: Sequence[Unit], prose: str, known: _Known, before: Before
) -> Iterator[_Said]:
    place = 0
    while place < len(units):
        end = _run_end(units, place, prose)
        run = units[place:end]
        if _says_something(run) and not all(known.says(unit) for unit in run):
            said = _said(units, place, end, prose, before)
            if said is not None:
                yield said
        place = end


def _run_end(units: Sequence[Unit], place: int, prose: str) -> int:
    """Fragments in one line go together, and so does an order with what follows it."""
    end = place + 1
    if units[place].sort == "supposed":
        while end < len(units) and units[end].body is units[place].body:
            end += 1
        return end
    if units[place].sort not in {"fragment", "order"}:
        return end
    while end < len(units) and units[end].sort == "fragment":
        own = units[end].body is units[end - 1].body
        if units[place].sort == "order" and not own:
            break
        if "\n" in prose[units[end - 1].end : units[end].start]:
            break
        end += 1
    return end


def _says_something(run: Sequence[Unit]) -> bool:
    words = [t for unit in run for t in unit.words]
    return any(t.tag in _SAYING for t in words) or any(t.tag == "VERB" for t in words)


def _said(
    units: Sequence[Unit], place: int, end: int, prose: str, before: Before
) -> _Said | None:
    unit, run = units[place], units[place:end]
    if unit.sort in {"asked", "supposed"}:
        return _asked(run, prose)
    if unit.sort == "order":
        return _made("User asks: ", run, prose, ORDER)
    if unit.sort == "you":
        return _made("User says: ", run, prose, CLAUSE)
    if unit.sort == "fragment":
        return _fragment(units, place, end, prose, before)
    if unit.sort == "points":
        return _pointing(unit, prose, before)
    return _told(unit) if unit.sort == "told" else None


def _told(unit: Unit) -> _Said | None:
    frame = unit.frame
    if not frame.rest and frame.verb in {"be", "have", "do", ""}:
        return None
    text = f"{_lead(frame)}{render(frame)}"
    return _Said(_with_asides(text, unit), unit.text, unit, unit, CLAUSE, frame, whose(frame.subject))


def _lead(frame: Frame) -> str:
    """What opens the clause and says when or where: "from May", "in the staging env"."""
    lead = [t for t in frame.lead if t.tag not in {"INTJ", "CONJ", "EMOJI"} and t.low != ","]
    if not any(t.tag in _NAMING or t.tag == "NOUN" for t in lead):
        return ""
    return f"{capital(others(lead))}, "


def _with_asides(text: str, unit: Unit) -> str:
    for aside in unit.asides:
        text = text if aside in text else f"{text} ({aside})"
    return text


def _pointing(unit: Unit, prose: str, before: Before) -> _Said | None:
    """ "he's called Kevin", "it's on 3 December": of whom or what was named before."""
    frame = unit.frame
    words = frame.subject.words
    texts = (prose[max(0, unit.start - 400) : unit.start], *before.said)
    meant = find_referent(words[0].low, texts) if words else ""
    if not meant:
        text = capital(others([t for t in unit.words if t.tag != "CONJ"], of_user=False))
        return _Said(_with_asides(text, unit), unit.text, unit, unit, UNRESOLVED, frame)
    owned = words[0].low in POSSESSIVE and len(words) > 1
    who = f"{meant}'s {others(words[1:], of_user=False)}" if owned else meant
    rest = others(frame.rest, of_user=False)
    text = f"{_lead(frame)}{capital(who)} {group_text(frame)} {rest}".strip()
    return _Said(_with_asides(text, unit), unit.text, unit, unit, CLAUSE, frame)


def _fragment(
    units: Sequence[Unit], place: int, end: int, prose: str, before: Before
) -> _Said | None:
    run, head = units[place:end], units[place - 1] if place else None
    if head is not None and _heads(head, run[0], prose):
        text = _third(head)
        return _made(f"{text}: ", run, prose, FRAGMENT, first=head if text else None)
    if place == 0 and (asked := asked_in(before.asked)):
        return _made(f'Asked "{asked}?", User answered: ', run, prose, FRAGMENT)
    return _made("User says: ", run, prose, FRAGMENT)


def _heads(head: Unit, unit: Unit, prose: str) -> bool:
    """Whether a fragment goes on from the statement before it."""
    if head.sort in {"asked", "supposed", "nothing"} or len(head.words) > LONGEST_HEAD:
        return False
    gap = prose[head.end : unit.start]
    return "\n" not in gap or gap.lstrip(" ").startswith(":")


def _third(unit: Unit) -> str:
    if unit.sort == "told":
        return f"{_lead(unit.frame)}{render(unit.frame)}"
    return capital(others([t for t in unit.words if t.tag != "CONJ"]))


def _asked(run: Sequence[Unit], prose: str) -> _Said | None:
    """A standing order, however it is put: "can you always …", "when I ask for a plan, put …"."""
    orders = any(unit.sort == "order" for unit in run) or run[0].sort == "asked"
    text = prose[run[0].start : run[-1].end]
    if not orders or not _STANDING.search(text):
        return None
    return _made("User asks: ", run, prose, ORDER)


def _made(
    opening: str, run: Sequence[Unit], prose: str, sign: str, *, first: Unit | None = None
) -> _Said:
    words = [t for t in tokenize(prose[run[0].start : run[-1].end]) if t.tag != "INTJ"]
    value = others(words)
    return _Said(f"{opening}{value}", value, first or run[0], run[-1], sign, run[0].frame)


def _candidate(said: _Said, prose: str, talk: Talk) -> list[Candidate]:
    quote = " ".join(prose[said.first.start : said.last.end].split())
    if len(said.text.split()) > LONGEST or not is_quotable(prose[said.first.start : said.last.end]):
        return []
    body, opening = said.last.body, said.last.opening
    setting = setting_of(body, "", opening, talk)
    made = dated(said.text, said.value, said.frame, setting, quote, "said")
    whole = Sentence(quote, said.first.start, body.mark)
    done = finished(replace(made, subject=said.subject), Clause(()), whole, opening, talk)
    signed = replace(done, signs=("by:rest", said.sign))
    return with_signs([signed], said.frame, quote, body, setting, talk)
