"""Which told plans have another day now: "we close on 28 October instead"."""

import re

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.compare import stems
from hermes.types import Fact

_DAY = re.compile(r"\((?:on |due )?(?P<day>\d{4}-\d\d-\d\d)\)")
_INSTEAD = re.compile(r"(?i)\b(?:instead|after all|now|rather)\b")
_WHEN = stems(
    "instead after all now rather monday tuesday wednesday thursday friday saturday sunday january "
    "february march april may june july august september october november december jan feb mar "
    "apr jun jul aug sep sept oct nov dec on the of at by in"
)


def is_redated(fact: Fact, candidate: Candidate) -> bool:
    """Whether both tell the same doing, the later one with a word of change and another day."""
    told, before = _DAY.search(candidate.text), _DAY.search(fact.text)
    if fact.ended or told is None or before is None or told["day"] == before["day"]:
        return False
    same = fact.attribute == candidate.attribute
    same = same and fact.attribute.startswith(("said:", "event:"))
    done = candidate.value.partition(" ")[2]  # the verb is that of the attribute
    said = {stem for stem in stems(done) - _WHEN if not stem[0].isdigit()}
    return same and bool(_INSTEAD.search(candidate.quote)) and said <= stems(fact.text)
