"""The subject a hurried writer leaves out: "based in Lyon", "been at Siemens 3 years"."""

import re
from collections.abc import Iterator

from hermes.memory.facts.rules.lexicon import DIETS

_ADVERBS = (
    r"(?:(?:currently|now|originally|still|also|mostly|recently|officially|just|happily|"
    r"finally|already|mainly|actually|basically|presently|born and|newly)\s+)*"
)
_DIET = "|".join(re.escape(diet) for diet in sorted(DIETS, key=len, reverse=True))
_I_AM = re.compile(
    rf"{_ADVERBS}(?:based\s+(?:in|out\s+of|near|just\s+outside|around)|"
    rf"living\s+(?:in|with|near|alone\s+in|just\s+outside)|located\s+in|"
    rf"working\s+(?:as|at|for|remotely|part|full|nights)|employed\s+(?:at|by|as)|"
    rf"studying|allergic\s+to|married\s+to|engaged\s+to|retired|self-employed|"
    rf"freelanc(?:e|ing)|fluent\s+in|born\s+(?:in|and\s+raised)|raised\s+in|originally\s+from|"
    rf"lactose\s+intolerant|colou?r[- ]?blind|left[- ]handed|back\s+(?:home\s+)?in\s+(?=[A-Z])|"
    rf"reporting\s+to|not\s+a\s+(?:fan|morning)|(?:strictly\s+|strict\s+)?(?:{_DIET})(?=$|[\s,.!]))"
    r"(?!\s+(?:options?|version|recipes?|dish\w*|food|meals?|restaurants?|or)\b)",
    re.I,
)
_I_HAVE = re.compile(r"been\s+(?:at|with|living|working|using|an?|vegan|vegetarian)\b", re.I)
_I = re.compile(
    r"(?:prefer|hate|love|can\s+not\s+(?:stand|do|eat|have)|need\s+to|have\s+to|moved|sold|bought|"
    r"joined|quit|switched|migrated|started|graduated|relocated|adopted|retired|"
    r"got\s+(?:married|engaged|divorced|promoted|hired|laid\s+off)|turned\s+\d\d|grew\s+up\s+in|"
    r"live\s+in|work\s+(?:at|for|as|in)|speak\s+(?=[A-Z])|go\s+by|report\s+to|do\s+not\s+"
    r"(?:eat|drink|smoke|drive))\b",
    re.I,
)
_WE = re.compile(
    r"(?:went\s+with|going\s+with|sticking\s+with|settled\s+on|using|running|standardi[sz]ed\s+on|"
    r"dropping|ditch(?:ed|ing)|mov(?:ed|ing)\s+(?:off|away\s+from|from)|deploy(?:ing)?\s+(?:to|on)|"
    r"switching|migrating)\b",
    re.I,
)
_EVERYTHING_IS = re.compile(
    r"(?:all\s+|mostly\s+)?(?:hosted|deployed|built|written|running)\s+(?:on|in|with|to|at)\b", re.I
)


def completed(text: str) -> Iterator[str]:
    """The clause with the subject it leaves to the reader, in each person that fits."""
    head = f"{text[:1].lower()}{text[1:]}"
    if _I_AM.match(text):
        yield f"I am {head}"
    elif _I_HAVE.match(text):
        yield f"I have {head}"
    elif _EVERYTHING_IS.match(text):
        yield f"everything is {head}"
    if _I.match(text):
        yield f"I {head}"
    if _WE.match(text):
        yield f"we {'are ' if re.match(r'[a-z]+ing', head) else ''}{head}"
