"""Sentences that put right what was said before: "not Maryam, Mariam", "I was wrong about …"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.correction import correct
from hermes.memory.facts.clauses.cues import Opening
from hermes.memory.facts.clauses.split import Sentence
from hermes.memory.facts.clauses.talk import Talk

_DENIES = re.compile(r"(?i)(?:(?:it|that|(?:his|her|their|its) name)(?:'s|’s| is) )?not \S")
_WRONG_ABOUT = re.compile(
    r"(?i)(?:(?:i|we) (?:was|were) (?:wrong|mistaken) about |i got |correction on )"
    r"(?P<thing>(?:my|our|the) [\w'’ -]{2,40}?)(?: wrong)?\s*[:;,–—-]+\s*(?:actually,? )?"
    r"(?:it|that|he|she|they|(?:his|her|its|their) (?P<of>[\w -]{2,20}?))(?:'s|’s|'re| is| are) "
    r"(?:called |named )?(?P<new>[^,;:]+)"
)


def restate(text: str) -> str:
    """What holds by a sentence that takes back what was said of a thing, or nothing."""
    found = _WRONG_ABOUT.fullmatch(text.strip(" .!"))
    if found is None:
        return ""
    thing = f"{found['thing']}'s {found['of']}" if found["of"] else found["thing"]
    return f"{thing} is {found['new']}"


def settle_on(
    read: Sequence[Candidate], earlier: Sequence[Candidate], quote: str
) -> list[Candidate]:
    """Each as a correction of all that was said; of two sisters nobody knows which is meant."""
    fixed: list[Candidate] = []
    for each in read:
        known = {other.value for other in earlier if other.attribute == each.attribute}
        fixed.append(replace(each, quote=quote, correction=True, single=len(known) <= 1))
    return fixed


def find_corrected(body: Sentence, opening: Opening, talk: Talk) -> list[Candidate]:
    """The whole sentence as a correction of something said before: "Ana, not Anna"."""
    earlier = talk.recent
    short = len(body.text.split()) <= 8
    if not earlier or not short or body.is_question:
        return []
    if not opening.correction and not _DENIES.match(body.text):
        return []
    return correct(body.text, talk.at, earlier, marked=False)
