"""Decisions a team announces as such: "from now on …", "as agreed: …", "that's settled"."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import phrase, points_elsewhere, words
from hermes.types import FactKind

_MARK = re.compile(
    r"(?:^|[\s,:])(?:from (?:now|today|this week|next \w+|\w+day) on(?:wards?)?|going forward|"
    r"as (?:discussed|agreed|decided)|decisions?(?: from [\w ]{2,30}| of [\w ]{2,30}| made)?(?=:)|"
    r"decided(?=:)|agreed(?=:)|(?:the )?outcome(?: of [\w' ]{2,30})?(?=:)|verdict(?=:)|"
    r"conclusion(?=:)|new (?:rule|policy)(?=:| is)|(?:final|settled)(?=:)|"
    r"we (?:have )?(?:agreed|decided|settled)(?=:)|effective (?:immediately|today|monday)|"
    r"it's official|team voted)[\s,:.]*(?:that )?",
    re.I,
)
_SEALED = re.compile(
    r"(?:so )?(?:that's|that is|thats|it's|this is) (?:now )?(?:settled|decided|final|official|"
    r"agreed|the decision)\b|(?:final|decided|settled|period|end of (?:story|discussion))$|"
    r"no more discussion",
    re.I,
)
_NO_DECISION = re.compile(
    r"(?:i|you|he|she|it|this|that|what|who|how|why|if|when|maybe|please|pls|can|could|is|are|do|"
    r"does|let|thanks|nothing surprises|there)\b",
    re.I,
)
_PART = re.compile(r"\s*[,;]\s+(?:and\s+)?")
_VERB = re.compile(
    r"\b(?:is|are|will|must|go|goes|gets?|stays?|needs?|has|have|uses?|runs?|can|should)\b", re.I
)
LONGEST_PART = 7  # words


def is_announced(sentence: str, following: str) -> bool:
    """The sentence is marked as a decision, by itself or by the next one."""
    straight = sentence.replace("’", "'")
    sealed = _SEALED.match(following.replace("’", "'").strip())
    return bool(_MARK.search(straight) or sealed)


def find_announced(sentence: str) -> Iterator[Candidate]:
    """Each thing decided, in the words of the one who announced it."""
    straight = sentence.replace("’", "'")
    found = _MARK.search(straight)
    body = straight
    if found:
        before, after = straight[: found.start()].strip(" ,"), straight[found.end() :].strip()
        body = after or before
    parts = _PART.split(phrase(body))
    if len(parts) > 1 and (
        _VERB.search(parts[0]) or any(words(part) > LONGEST_PART for part in parts)
    ):
        parts = [phrase(body)]
    for part in parts:
        value = part.strip(" .:-")
        refused = _NO_DECISION.match(value) or (
            points_elsewhere(value) and not re.match(r"(?:no|only|not)\s+\w", value, re.I)
        )
        if not refused and 2 <= words(value) <= 18:
            yield Candidate(
                f"User's team decided: {value}",
                FactKind.DECISION,
                USER,
                f"decision:{' '.join(value.lower().split()[:2])}",
                value,
            )
