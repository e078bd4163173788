"""How likely a later sentence changes or ends what an earlier statement says.

People tell changes in more ways than a list of patterns holds: "traefik out, we go with envoy
gateway", "Sunita has the raffle from now on". So this weighs few things at once: how near both are in
meaning, by the bundled embedder, which rare words they share, the words of a change, whether they
give one thing another value of one sort, and what speaks against it. The weights are fitted by
`python -m hermes.bench.fit_turnover`. Nothing here knows a store.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from hermes.embed.base import Embedder, expected_space
from hermes.errors import Corrupt, HermesError, Unavailable
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import is_unsure
from hermes.memory.facts.compare import is_against, numbers, stems
from hermes.memory.facts.sorts import sorts_of
from hermes.types import FactKind

WEIGHTS = "turnover.json"
NEAREST = 8  # earlier statements that a sentence is held against
REMEMBERED = 2048  # texts whose vectors are kept
_FAR = 0.75  # how near, by this embedder, two texts are that have nothing in common

Vector = Sequence[float]
Embed = Callable[[str], Vector]

_CUES = {
    "now": r"now(?:adays)?|these days|by now|currently|at the moment",
    "since": r"from (?:\w+ ){1,3}?on(?:wards)?|as of|starting|effective|since|from (?:now|today|"
    r"(?:next |this )?(?:week|month|year|semester|term|quarter)|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|"
    r"july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|mon\w*|tue\w*|wed\w*|thu\w*|fri\w*|q[1-4])",
    "no more": r"no longer|any ?more|no more|(?:isn|aren|doesn|don|won|can)['’]?t .{0,30}any",
    "instead": r"instead|rather than|in place of|replac\w+|(?:and|but) not|not \w+(?: \w+)?$",
    "back": r"(?<!hi )(?<!me )(?<!hello )(?<!hey )again|after all|back (?:to|on|with|in)|is back|are back",
    "mended": r"actually|in fact|turns out|correction|wrong|i mean\w*|meant|should be|must be",
    "moved": r"moved?|moving|push(?:ed|es|ing)|shift\w*|slip\w*|slid\w*|postpon\w*|delay\w*|reschedul\w*|brought forward|"
    r"pulled|extend\w*|put back|rebooked|move[sd]? up",
    "changed": r"chang(?:ed?|es|ing)|switch\w*|swapp?\w*|migrat\w*|convert\w*|upgrad\w*|bump\w*|"
    r"rais(?:ed|ing|es)|(?:goes|going|went|gone|go) (?:up|down)|up to|down to|increas\w*|lower(?:ed|s)|cut to|"
    r"took over|takes over|taken over|hand(?:ed|ing)?\b.{0,20}\bover|transferr?\w*|promot\w*|renam\w*|made me",
    "new": r"new|replacement|successor",
    "out": r"out|dropped|dropping|ditch\w*|scrap\w*|cancel\w*|quit|quits|left|leaving|gone|dead|over|done|forget|"
    r"was (?:fun|cute|nice|great)|killed|broke|split|retir\w*|stopp?\w*|gave up|withdr\w+|finish\w*|"
    r"sold|lost|died|fired|resign\w*|clos(?:ed|ing)|ended|expired|off",
    "settled": r"decided|decision|set on|it is|goin[g'] (?:with|for)|we go|go with|went (?:with|for)|picked|chose|settled|"
    r"approved|confirmed|agreed|official\w*|bit the bullet|signed|got|bought|installed|joined|start(?:ed|s)?",
    "allowed": r"allowed|fine again|ok(?:ay)? (?:again|now|after all)|can",
    "ordered": r"make (?:it|that|the)|do (?:it|that)|put|use|keep|give|skip|please|pls|only",
    "became": r"became|becoming|turned|is called|will be|are gonna|gonna",
    "was": r"was|were|used to|had been",
}  # words of a change, by what they tell
_AGAINST = {
    "also": r"also|too|as well|another|second|additionally|besides|other|both|extra",
    "unsure": r"if|maybe|perhaps|might|could|would|should|thinking|considering|wish|hope|hoping|"
    r"unless|suppose|let'?s say|want to|plan(?:ning)? to|may be",
    "once": r"today|tonight|tomorrow|this time|this week|just this|for now|yesterday|this morning",
    "told": r"said|says|told|asks?|asked|claims?|heard|apparently",
    "asks": r"can you|could you|help|write|draft|how (?:do|to|should|can)|what|why|which|explain|"
    r"show me|tell me|list|give me|turn this|translate|rewrite|summari[sz]e|fix",
}
_ALL = {
    name: re.compile(rf"\b(?:{words})\b", re.I) for name, words in {**_CUES, **_AGAINST}.items()
}
_STRONG = frozenset("now since instead back mended moved changed new out".split()) | {"no more"}
_ANOTHER = re.compile(r"\b(?:too|as well|another|a second|second|additionally|besides)\b", re.I)
_LASTS = frozenset(
    "name nickname birthday hometown nationality native_language surname ethnicity".split()
)
_KIN = re.compile(
    r"User's (?:\w+ )?(?:mother|father|mum|mom|dad|sister|brother|son|daughter|child|wife|husband|"
    r"aunt|uncle|cousin|nephew|niece|gran\w*|dog|cat|puppy|kitten|pet|baby|kid|lad|friend)\b(?: is|['’]s|"
    r" \w+$)|.* (?:was|were) born\b|User has an? (?:\w+ )?(?:sister|brother|son|daughter|dog|cat)\b",
    re.I,
)
_STAYS = re.compile(
    r"\b(?:thinking (?:about|of)|considering|wondering|stays?|not (?:replac|switch|mov|chang)ing|tempted)\b",
    re.I,
)
_PARTED = re.compile(r"\b(?:split|broke up|divorc\w+|separated|ex-\w+|not with me)\b", re.I)
_WORD = re.compile(r"[^\W\d_][\w'’.+#-]*")
_VERSION = re.compile(r"\b\d+\.\d+(?:\.\d+)*\b")
_TEMPLATE = frozenset("user wants asks hermes team prefers plans people person".split())
_OTHERS = re.compile(
    r"\bmy (?:sister|brother|mum|mom|dad|father|mother|friend|colleague|boss|wife|husband|partner|"
    r"neighbou?r|daughter|son|flatmate|roommate|cousin|aunt|uncle|client|customer)\b", re.I
)
_FIRST = re.compile(r"\b(?:i|i['’]?m|im|my|me|we|our|we['’]?re|i['’]?ve|ive)\b", re.I)
_NOT = r"(?:not|no longer|no|out|instead of|rather than|forget|was|without|over|isn'?t|from|killed|dropped|scrap|n't)"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A statement that was made before, the words it rests on, and when they were said."""

    text: str
    quote: str
    attribute: str
    value: str
    subject: str
    kind: str
    at: int


@dataclass(frozen=True, slots=True)
class Later:
    """A sentence, its message up to there, and when it was said."""

    text: str
    message: str
    at: int
    is_question: bool = False


@dataclass(frozen=True, slots=True)
class Weights:
    """What was fitted: a weight a sign and a measure; `rarity` of known stems; `edge` to link."""

    bias: float
    signs: Mapping[str, float]
    measures: Mapping[str, float]
    rarity: Mapping[str, float]
    edge: float
    space: str


class Turnover:
    """Judges which of earlier statements a sentence changes; `embed` gives unit vectors.

    A text is embedded once, and of many statements only the few that are nearest in words.
    """

    def __init__(self, embed: Embed, weights: Weights | None = None) -> None:
        self._embed = lru_cache(REMEMBERED)(embed)
        self._weights = weights or load_weights()

    def find(self, earlier: Sequence[Earlier], later: Later) -> int | None:
        """The place of the statement that a sentence changes or ends; None where it is not sure."""
        if not earlier or later.is_question or not tells_turn(later.text):
            return None
        try:
            scores = self.score(earlier, later)
        except (Unavailable, Corrupt):
            return None  # the rules alone go on
        best = max(scores, key=scores.__getitem__, default=None)
        return best if best is not None and scores[best] >= self._weights.edge else None

    def nearest_of(self, texts: Sequence[str], old: str) -> int:
        """The place of the text that is nearest to another; 0 where there is no telling."""
        try:
            near = [_cosine(self._embed(each), self._embed(old)) for each in texts]
        except (Unavailable, Corrupt):
            return 0
        return max(range(len(near)), key=near.__getitem__, default=0)

    def score(self, earlier: Sequence[Earlier], later: Later) -> dict[int, float]:
        """The log of the odds for those that were weighed, by their places."""
        near = nearest(earlier, later, self._weights.rarity)
        rows = weigh([earlier[n] for n in near], later, self._embed, self._weights.rarity)
        return {
            n: self._weights.bias
            + sum(self._weights.signs.get(each, 0.0) for each in row.signs)
            + sum(self._weights.measures[name] * value for name, value in row.measures.items())
            for n, row in zip(near, rows, strict=True)
            if not can_stay(earlier[n], later)
        }


def earlier_of(candidate: Candidate) -> Earlier:
    """A reading, as what was stated."""
    c = candidate
    return Earlier(c.text, c.quote, c.attribute, c.value, c.subject, str(c.kind), c.at or 0)


@dataclass(frozen=True, slots=True)
class Row:
    """What is weighed of one earlier statement beside a sentence."""

    signs: frozenset[str]
    measures: Mapping[str, float]


def nearest(
    earlier: Sequence[Earlier], later: Later, rarity: Mapping[str, float]
) -> list[int]:
    """The places of those that share the most rare words with a sentence, the latest first."""
    said = stems(later.message)
    told = [_rare(_words_of(each) & said, rarity) for each in earlier]
    places = sorted(range(len(earlier)), key=lambda n: (-told[n], -earlier[n].at, -n))
    return places[:NEAREST]


def weigh(
    earlier: Sequence[Earlier], later: Later, embed: Embed, rarity: Mapping[str, float]
) -> list[Row]:
    """Signs and measures of each; how it stands out among the others is one of them."""
    near = [tuple(_cosine(embed(t), embed(later.text)) for t in (e.text, e.quote)) for e in earlier]
    shared = [_shares(each, later, rarity) for each in earlier]
    rows = []
    for place, each in enumerate(earlier):
        others = [max(cosines) for n, cosines in enumerate(near) if n != place]
        told = [each["shared"] for n, each in enumerate(shared) if n != place]
        margin = max(near[place]) - max(others, default=_FAR)
        more = shared[place]["shared"] - max(told, default=0.0)
        measures = {
            "cosine of text": near[place][0],
            "cosine of quote": near[place][1],
            "nearer": margin,
            "more shared": more,
            "gap": math.log1p(max(0, later.at - each.at) / 60_000),
            **shared[place],
        }
        signs = {*signs_of(each, later)}
        signs |= {"nothing shared"} if not shared[place]["rarest"] else set()
        signs |= {"nearest"} if margin >= 0 else set()
        signs |= {"most shared"} if more >= 0 and shared[place]["shared"] else set()
        rows.append(Row(_joined(signs), measures))
    return rows


def _joined(signs: set[str]) -> frozenset[str]:
    """With those that mean more together."""
    cues, near = signs & _STRONG, "nothing shared" not in signs
    told = {"strong cue" if cues else "weak cue"}
    told |= {"two cues"} if len(cues) > 1 else set()
    if cues and near:
        told |= {f"cue, shared, {each}" for each in ("one sort", "numbers differ") if each in signs}
        told.add("cue, shared")
    told |= {"cue, denied"} if cues and "value denied" in signs else set()
    told |= {"most shared, nearest"} if {"most shared", "nearest"} <= signs else set()
    return frozenset(signs | told)


def _shares(earlier: Earlier, later: Later, rarity: Mapping[str, float]) -> dict[str, float]:
    told, said = _words_of(earlier), stems(later.text)
    both = told & said
    weight = _rare(both, rarity)
    before = told & stems(later.message) - said
    return {
        "share of earlier": min(1.0, weight / (_rare(stems(earlier.text), rarity) or 1.0)),
        "share of later": min(1.0, weight / (_rare(said, rarity) or 1.0)),
        "rarest": max((_rare({each}, rarity) for each in both), default=0.0),
        "shared": min(2.0, weight),
        "shared before": max((_rare({each}, rarity) for each in before), default=0.0),
    }


def _words_of(earlier: Earlier) -> frozenset[str]:
    attribute = earlier.attribute.replace("_", " ").replace(":", " ")
    return stems(f"{earlier.text} {attribute} {earlier.quote}") - _TEMPLATE


def _rare(words: AbstractSet[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity.get(each, 1.0) for each in words - _TEMPLATE)


def _cosine(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def can_stay(earlier: Earlier, later: Later) -> bool:
    """Whether both hold, whatever the sentence is like: a name, one's kin, one more of a kind."""
    if earlier.attribute.partition(":")[0] in _LASTS or _ANOTHER.search(later.text):
        return True
    if _STAYS.search(later.text):
        return True
    if _KIN.match(earlier.text):
        return not _PARTED.search(later.text)
    dated = "date" in sorts_of(earlier.text) or "weekday" in sorts_of(earlier.text)
    return earlier.kind == FactKind.EVENT and not dated


def turnover_with(embedder: Embedder | None) -> Turnover | None:
    """A judge of changes by an embedder that the weights fit; none without one."""
    if embedder is None:
        return None
    try:
        if str(expected_space(embedder)) != load_weights().space:
            return None
    except HermesError:
        return None
    return Turnover(lambda text: tuple(embedder.embed_queries([text])[0].tolist()))


@cache
def load_weights() -> Weights:
    """The weights that are shipped."""
    file = resources.files(__package__) / WEIGHTS
    told = json.loads(file.read_text(encoding="utf-8"))
    return Weights(
        told["bias"],
        told["signs"],
        told["measures"],
        told["rarity"],
        told["edge"],
        told["space"],
    )


@lru_cache(1 << 12)
def cues_in(sentence: str) -> frozenset[str]:
    """By name, which words of a change, or against one, stand in a sentence."""
    return frozenset(name for name, pattern in _ALL.items() if pattern.search(sentence))


def tells_turn(sentence: str) -> bool:
    """Whether a sentence has any word of a change: without one, nothing is weighed."""
    return not cues_in(sentence).isdisjoint(_CUES)


def signs_of(earlier: Earlier, later: Later) -> frozenset[str]:
    """What can be seen of both, by name."""
    return frozenset({*cues_in(later.text), *_shapes(later), *_values(earlier, later)})


def _shapes(later: Later) -> Iterable[str]:
    words = _WORD.findall(later.text)
    if later.is_question:
        yield "question"
    if is_unsure(later.text):
        yield "not so"
    if len(words) <= 4:
        yield "few words"
    if len(words) > 25:
        yield "many words"
    if _FIRST.search(later.text):
        yield "first person"


def _values(earlier: Earlier, later: Later) -> Iterable[str]:
    told = f"{earlier.text} {earlier.quote}"
    mine, theirs = sorts_of(later.text), sorts_of(told)
    for sort in mine & theirs:
        yield f"sort:{sort.partition(' of ')[0]}"
    if mine & theirs:
        yield "one sort"
    new, old = set(numbers(later.text)), set(numbers(told))
    if new and old:
        yield "numbers differ" if new - old else "numbers same"
    versions = [set(_VERSION.findall(each)) for each in (later.text, told)]
    if all(versions) and not versions[0] & versions[1]:
        yield "versions differ"
    value, said = stems(earlier.value) - _TEMPLATE, stems(later.text)
    if value and value <= said:
        yield "value repeated"
        if _is_denied(earlier.value, later.text):
            yield "value denied"
    elif value & said:
        yield "value in part"
    if stems(earlier.attribute.replace("_", " ").replace(":", " ")) & said - value:
        yield "attribute named"
    if is_against(earlier.quote) != is_against(later.text):
        yield "polarity differs"
    if (who := _OTHERS.search(later.text)) and who[0].lower() not in told.lower():
        yield "of another"
    if earlier.subject.lower() != "user":
        yield "of other subject"
        if stems(earlier.subject) & said:
            yield "subject named"
    yield f"kind:{earlier.kind}"


def _is_denied(value: str, sentence: str) -> bool:
    first = next(iter(sorted(value.split(), key=len, reverse=True)), "")
    if len(first) < 2:
        return False
    name = re.escape(first)
    pattern = rf"\b{_NOT}\b(?:\W+\w+){{0,2}}\W+{name}|{name}\W+(?:\w+\W+){{0,2}}{_NOT}\b"
    return re.search(pattern, sentence, re.I) is not None
