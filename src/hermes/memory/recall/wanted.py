"""What a question wants to know of the one it names, and whether a fact tells anything of that.

"What did Fumiko study" has one name, and "the teacher is called Fumiko" holds it: of studying it
says nothing. Nor does a price answer what something weighs. Such a fact may stand beside an answer,
but none is surely given by it. Which words lie near each other is a list of everyday ones: it only
keeps a fact from being doubted, so a word too many costs little.
"""

import re
from collections.abc import Collection, Sequence

from hermes.memory.facts.clauses.lexicon import RELATIONS, ROLE_NOUNS
from hermes.memory.facts.sorts import sorts_of
from hermes.memory.recall.lacks import ALIKE, names_in, stem_of
from hermes.memory.recall.task import OF_ANY_TIME, STOP_WORDS, Task

LETTERS = 4  # by which a word is known in whatever form: "study", "studied"
# What nothing is asked with: whom it is of says it all.
_PLAIN = frozenset(
    """name names named call called current currently now nowadays today latest kind type sort
    exactly actually user people person someone everything anything something thing things details
    info information summary last first next new""".split()
)
_NEAR = tuple(
    frozenset(words.split())
    for words in (
        "study learn learnt degree graduate university college major course subject school train "
        "master phd thesis diploma education",
        "buy bought purchase order paid shop",
        "work job employ career profession occupation company role position team colleague boss",
        "live home house flat apartment move address reside stay base city town grew",
        "married marry wedding wife husband spouse engaged single divorced widow partner",
        "born birth birthday age old turn",
        "eat ate food meal diet cook dish vegetarian vegan recipe lunch dinner breakfast",
        "drink drank tea coffee beer wine",
        "drive drove car van vehicle truck bike ride rode cycle commute",
        "play instrument sport game band",
        "like love enjoy prefer favourite favorite fan hate dislike keen hobby interest into",
        "afraid fear scared phobia frighten",
        "allergic allergy intolerant react",
        "sick ill disease diagnose suffer condition health hurt pain wrong injure broke",
        "medicine medication pill tablet drug dose take treat prescribe",
        "come came go went visit travel trip holiday vacation flew fly journey tour",
        "leave left quit resign away gone",
        "start begin began open launch join",
        "end finish close over until expire",
        "say said tell told mention think thought opinion",
        "give gave gift present",
        "make made build built create",
        "see saw watch film movie",
        "read book novel author write wrote",
        "phone number mobile call contact email reach",
        "speak spoke language fluent",
        "teach taught teacher lesson class",
        "sell sold",
        "cost price pay paid spend spent charge rent fee expensive cheap",
        "weigh weight heavy",
        "responsible own maintain owner lead run manage charge",
        "back return away leave",
        "pet dog cat animal",
        "exercise sport run gym train swim jog",
        "children child kid daughter son baby",
        "sibling brother sister twin",
        "parent mother father mum mom dad",
        "appointment meet meeting visit see",
        "race marathon run prepare train practise practice rehearse",
        "nickname call",
        "grow plant garden",
        "sleep bed wake",
    )
)
_GROUPS = tuple(frozenset(stem_of(word)[:LETTERS] for word in group) for group in (*_NEAR, *ALIKE))
_COLOURS = (
    r"red|blue|green|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|teal|turquoise|"
    r"beige|silver|gold(?:en)?|navy|maroon|lilac|mint|cream|blonde?|ginger|copper|olive|crimson"
)
# What is asked of a known sort: how it is asked, and what a value of it looks like.
_SORTS = (
    (r"\bweigh(?:s|ed|t)?\b|\bhow heavy\b", r"\d\s*(?:kg|kilo|g\b|gram|lbs?\b|pound|stone|ton)"),
    (r"\bcolou?rs?\b", rf"\b(?:dark|light|pale)?-?(?:{_COLOURS})\b"),
    (
        r"\bhow tall\b|\bheight\b",
        r"\d\s*(?:m\b|cm\b|metre|meter|ft\b|feet|foot|'|inch)",
    ),
    (r"\bhow old\b", r"\bborn\b|\bbirth|\bturn(?:s|ed|ing)?\b|\b(?:year|month|week)s?\b|\b\d+\b"),
    (r"\b(?:cost|price)s?\b|\bhow expensive\b|\bsalary\b|\bearns?\b", ""),
)
_ASKED = tuple((re.compile(q, re.I), re.compile(a, re.I) if a else None) for q, a in _SORTS)
_PAYS = re.compile(r"\b(?:free|paid|pays?|cents?)\b|\d[\d.,]*\s*(?:a|per)\s+(?:month|year|hour)\b")
_QUANTITY = re.compile(
    r"\bhow (?:much|many) (?:more )?(?!(?:do|does|did|is|was|are|were|has|have|had|will|would|can|"
    r"could|should|may|might|must|of|more|less|time|times|money|longer|they|you|she)\b)(\w{3,})",
    re.I,
)
_ACTS = re.compile(r"\bwhat (?:do|does|did|has|have|had|is|was|will) .*\b(?:do|done|doing)\b", re.I)
# What only tells how it is no more is no answer to how it is.
_ENDED = re.compile(
    r"\b(?:no longer|any ?more|sold|got rid of|dropped|ditched|quit|stopped)\b"
    r"|\b(?:gave|given)\b.* (?:to|away)\b",
    re.I,
)
_OF_NOW = re.compile(r"\b(?:do|does|am|is|are|have|has)\b", re.I)
_OF_ENDS = re.compile(
    r"\b(?:did|was|were|had|used|still|any ?more|longer|not|stop\w*|quit|sold|dropped"
    r"|gave|given|give|won'?t|don'?t|doesn'?t|can'?t|never)\b",
    re.I,
)
_OF_ANY_STATE = frozenset({"yes_no", "why", "when", "how_long"})
_INSTEAD = re.compile(r"\b(?:now|instead|but|for (?=[A-Z]))\b|[,;]")
# What tells something asks nothing of the one it names: "my sister Ola got a new job".
_STATES = re.compile(
    r"(?i)^\W*(?:i|we|my|our)\b[^?]*?\b(?:am|is|are|was|were|have|has|had|got|went|took|made|left|"
    r"bought|sold|met|gave|\w{2,}ed)\b[^?]*$"
)
_HAS = frozenset("has have had own owns owned got".split())
_WORD = re.compile(r"[^\W\d_][\w-]*")


class Wanted:
    """What of a task is asked for beyond whom it names; `known` are words of known names."""

    def __init__(self, task: Task, known: Collection[str] = ()) -> None:
        text, aside = task.text, task.time_words | OF_ANY_TIME | _PLAIN
        self._names = names_in(text, known) | {stem_of(word) for word in known}
        words = {word.casefold() for word in task.terms for word in _WORD.findall(word)}
        relations = {word for word in map(stem_of, words) if word in RELATIONS}
        whom = self._names | relations
        rest = {w for w in words - aside - STOP_WORDS if stem_of(w) not in whom}
        if not rest and self._names:  # "who is Tilda's teacher"
            rest, whom = relations, self._names
        self._whom = whom
        # Why something is so is told in any words.
        self._near = _near(rest) if task.cue != "why" else frozenset()
        self._is_of_now = task.cue not in _OF_ANY_STATE and bool(_OF_NOW.search(text))
        self._is_of_now = self._is_of_now and _OF_ENDS.search(text) is None
        self._is_had = not _HAS.isdisjoint(task.words)
        self._sorts = [(asked, value) for asked, value in _ASKED if asked.search(text)]
        self._counted = [_near({match[1].casefold()}) for match in _QUANTITY.finditer(text)]
        self._is_act = not rest and _ACTS.search(text) is not None

    def is_told_by(self, text: str) -> bool:
        """Whether a fact may tell what is wanted; where in doubt, it may."""
        if self._is_of_now and _ENDED.search(text) and not _INSTEAD.search(text):
            return False
        words = {word.casefold() for word in _WORD.findall(text)}
        starts = _starts(words)
        if any(self._is_of_another_sort(asked, value, text) for asked, value in self._sorts):
            return False
        if self._sorts:
            return True
        if any(counted.isdisjoint(starts) for counted in self._counted):
            return False
        whom = {stem_of(word) for word in words} & self._whom
        if self._is_act:
            return bool({w for w in words - STOP_WORDS - _PLAIN if not self._is_name(w, text)})
        if not self._near or not whom:
            return True
        if self._is_had and not _HAS.isdisjoint(words):
            return True
        return not self._near.isdisjoint(starts) or self._tells_work(words)

    def _is_of_another_sort(
        self, asked: re.Pattern[str], value: re.Pattern[str] | None, text: str
    ) -> bool:
        if asked.search(text):
            return False
        if value is not None:
            return value.search(text) is None
        return "money" not in sorts_of(text) and _PAYS.search(text) is None

    def _tells_work(self, words: set[str]) -> bool:
        """What somebody is tells where they work, and as what."""
        return "job" in self._near and not ROLE_NOUNS.isdisjoint(words)

    def _is_name(self, word: str, text: str) -> bool:
        stem = stem_of(word)
        return stem in RELATIONS or stem in self._whom or stem in names_in(text)


def find_untold(task: Task, texts: Sequence[str], known: Collection[str] = ()) -> list[bool]:
    """Which facts tell nothing of what a task wants to know, but only of whom it names."""
    if _STATES.match(task.text):
        return [False] * len(texts)
    wanted = Wanted(task, known)
    return [not wanted.is_told_by(text) for text in texts]


def _near(words: Collection[str]) -> frozenset[str]:
    """The beginnings of words, and of those that lie near them."""
    starts = _starts(words)
    return starts.union(*(group for group in _GROUPS if not starts.isdisjoint(group)))


def _starts(words: Collection[str]) -> frozenset[str]:
    return frozenset(stem_of(word)[:LETTERS] for word in words)
