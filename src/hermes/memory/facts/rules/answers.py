"""An answer that only says the missing word: "What's your stack?" – "django + htmx".

The question tells what kind of statement the answer completes; the rules then read that statement.
The question itself is never believed, whoever asked it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.rules.clauses import plain
from hermes.memory.facts.rules.grammar import Said, phrase
from hermes.memory.facts.rules.person import identity_fact
from hermes.memory.facts.rules.tables import read_by_rules

LONGEST_ANSWER = 16  # words

_QUESTION = re.compile(r"([^.!?\n]{3,200})\?")
_FRAMES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.I), frames)
    for pattern, frames in (
        (r"\b(?:name|call you|am i (?:speaking|talking) (?:to|with))\b", ("my name is {}",)),
        (r"\btime ?zone\b", ("my timezone is {}", "I live in {}")),
        (
            r"\bwhere (?:are|do) you (?:live|living|based|located|from|at|right now)\b|"
            r"\b(?:which|what) (?:city|country|town)\b|\bwhere (?:is|are) (?:home|you)\b",
            ("I live in {}", "I am {}"),
        ),
        (r"\bwhere do you work\b|\bwho do you work for\b|\bwhich company\b", ("I work at {}",)),
        (
            r"\bwhat do you do\b|\byour (?:job|role|occupation|profession|line of work|title)\b|"
            r"\bwhat kind of work\b|\bfor a living\b",
            ("I am a {}", "I {}", "I work in {}"),
        ),
        (r"\bhow old\b|\byour age\b", ("I am {} years old",)),
        (r"\blanguages? do you speak\b", ("I speak {}",)),
        (
            r"\b(?:diet\w*|allerg\w+|intoleran\w+|restrictions|(?:do not|don't|can't|"
            r"cannot) eat)\b",
            ("I am {}", "I am allergic to {}"),
        ),
        (
            r"\b(?:did|have) you (?:decide|choose|pick|settle|go|chosen|decided|picked)\b|"
            r"\bwhat was decided\b|\bwho won\b|\bdid (?:you|we) go with\b",
            ("we decided on {}",),
        ),
        (
            r"\b(?:which|what)\b.{0,40}\b(?:do you (?:prefer|like)|would you prefer)\b|"
            r"\byour favou?rite\b",
            ("I prefer {}",),
        ),
        (
            r"\bstack\b|\bwhat (?:do|are) you (?:us|runn|work)\w*|\bset-?up\b|"
            r"\b(?:which|what) (?:[\w-]+ ){1,4}(?:do|are) you (?:us|on|runn|work)\w*|"
            r"\bwhere (?:is it|do you|are you) (?:host|deploy)\w*|\bwhat (?:is it|are they) "
            r"(?:written|built|running)\b|\b(?:editor|database|framework|os|distro|shell|browser|"
            r"operating system)\b",
            ("I use {}",),
        ),
    )
)
_WHEN = re.compile(
    r"\bwhen (?:is|are|does|do)\s+(?P<thing>(?:the|your|my|our) [\w -]{2,40})$", re.I
)
_WHOSE = re.compile(
    r"\b(?:what|who)(?:'s| is| are)\s+(?:your|the|its)\s+(?P<thing>[\w-]+(?: [\w-]+){0,2})", re.I
)
_MAIL = re.compile(r"\be-?mail\b", re.I)
_ADDRESS = re.compile(
    r"\b(?<!mail )(?<!ip )address\b|\bwhere (?:should|shall|do) (?:i|we) send\b", re.I
)
_MAILBOX = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_HOUSE = re.compile(r"\d{1,5}[a-z]?,?\s+[A-Z]|[A-Z][\w. -]{3,40}\s\d{1,5}[a-z]?\b")
_FULL = re.compile(
    r"(?:i|i'm|i've|im|we|we're|my|our|it|it's|he|she|they|the|this|that|you|why|what|how|which|"
    r"who|when|where|can|could|do|does|is|are|please|pls|no|nope|not|none|nothing|idk|dunno|maybe|"
    r"depends|both|either|neither|if|let|let's|never|thanks|ok|sure|just|sorry|hm+)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the last message wanted to know, as the statements an answer may complete."""

    frames: tuple[str, ...] = ()
    wants_mail: bool = False
    wants_address: bool = False


def asked(text: str) -> Asked | None:
    """The open question at the end of a message, if its answer can be told by its words."""
    questions = _QUESTION.findall(text[-600:])
    if not questions:
        return None
    question = questions[-1].replace("’", "'").strip()
    frames = next((each for pattern, each in _FRAMES if pattern.search(question)), ())
    if not frames and (when := _WHEN.search(question)):
        frames = (re.sub(r"\byour\b", "my", when["thing"], flags=re.I) + " is on {}",)
    if not frames and (whose := _WHOSE.search(question)):
        frames = (f"my {whose['thing']} is {{}}",)
    wants_mail, wants_address = bool(_MAIL.search(question)), bool(_ADDRESS.search(question))
    return (
        Asked(frames, wants_mail, wants_address) if frames or wants_mail or wants_address else None
    )


def find_answers(question: Asked, answer: str, said: Said) -> Iterator[Candidate]:
    """The facts the answer states once the question's words are put before it."""
    if question.wants_mail and (mail := _MAILBOX.search(answer)):
        yield identity_fact("email", mail.group(), f"User's email is {mail.group()}")
    if not answer or _FULL.match(answer) or len(answer.split()) > LONGEST_ANSWER:
        return
    if question.wants_address and _HOUSE.match(answer):
        where = phrase(answer)
        yield identity_fact("address", where, f"User's address is {where}")
    for frame in question.frames:
        spoken = replace(said.clause, text=plain(frame.format(answer)))
        if found := read_by_rules(Said(spoken, said.at)):
            yield from found
            return
