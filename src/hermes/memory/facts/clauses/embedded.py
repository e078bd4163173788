"""What the user was told by others and passes on: "my boss said we are dropping Angular".

Hearsay is no fact. But what one's own people say of "us" counts, and so does a day that anybody
brings word of: who passes it on goes by it.
"""

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.apply import read_by_table
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.dated import read_dates
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.stance import can_speak, is_doubtful

_BRINGS_WORD = frozenset("tell say confirm announce mention write".split())
_TO_US = frozenset({"me", "us", "that", ",", "everyone"})


def read_embedded(frame: Frame, setting: Setting) -> list[Candidate] | None:
    """What is passed on, or None where the clause itself is to be read."""
    if dated := _read_word(frame, setting):
        return dated
    words = frame.rest
    begins = next(
        (
            n
            for n, t in enumerate(words)
            if (t.tag == "PRON" and t.low in {"we", "i"})
            or (t.tag == "POSS" and t.low in {"my", "our"})
        ),
        -1,
    )
    if begins < 0 or begins > 2 or not frame.subject.owner:
        return None
    if not can_speak(frame.subject):
        return []  # "my code says my name is test"
    inner = parse(tuple(words[begins:]))
    if inner.modal or is_doubtful(" ".join(t.text for t in words)):
        return []
    return read_by_table(inner, setting)


def _read_word(frame: Frame, setting: Setting) -> list[Candidate]:
    """ "Adaeze just told me the readout moved to 10 April"."""
    if frame.verb not in _BRINGS_WORD or frame.negated or frame.modal:
        return []
    if frame.subject.kind not in {"person", "name"} and not can_speak(frame.subject):
        return []
    words = frame.rest
    begins = next((n for n, t in enumerate(words) if t.low not in _TO_US), len(words))
    inner = parse(tuple(words[begins:]))
    text = spell(inner.words)
    if inner.subject.kind not in {"own", "thing", "name"} or is_doubtful(text):
        return []
    return read_dates(inner, setting, text)
