"""How likely a later sentence changes or ends what an earlier statement says.

People tell changes in more ways than a list of patterns holds: "traefik out, we go with envoy
gateway", "Sunita has the raffle from now on". So this weighs a few things at once: how near both
are in meaning, by the bundled embedder, which rare words they share, the words of a change, whether
they give one thing another value of one sort, and what speaks against it. The weights are fitted by
`python -m hermes.bench.fit_turnover`. Nothing here knows a store.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from hermes.embed.base import Embedder, expected_space
from hermes.errors import Corrupt, HermesError, Unavailable
from hermes.memory.facts.compare import stems
from hermes.memory.facts.sorts import sorts_of
from hermes.memory.facts.turnover_signs import (
    STRONG,
    TEMPLATE,
    Earlier,
    Later,
    signs_of,
    tells_turn,
)
from hermes.types import FactKind

WEIGHTS = "turnover.json"
NEAREST = 8  # earlier statements that a sentence is held against
LEANING = 2.0  # how much more has to speak for a change where one side was not sure enough
REMEMBERED = 2048  # texts whose vectors are kept
_FAR = 0.75  # how near, by this embedder, two texts are that have nothing in common

Vector = Sequence[float]
Embed = Callable[[str], Vector]

_ANOTHER = re.compile(r"\b(?:too|as well|another|a second|second|additionally|besides)\b", re.I)
_LASTS = frozenset(
    "name nickname birthday hometown nationality native_language surname ethnicity".split()
)
_KIN = re.compile(
    r"User's (?:\w+ )?(?:mother|father|mum|mom|dad|sister|brother|son|daughter|child|wife|husband|"
    r"aunt|uncle|cousin|nephew|niece|gran\w*|dog|cat|puppy|kitten|pet|baby|kid|lad|friend)\b"
    r"(?: is|['’]s| \w+$)|.* (?:was|were) born\b|"
    r"User has an? (?:\w+ )?(?:sister|brother|son|daughter|dog|cat)\b",
    re.I,
)
_STAYS = re.compile(
    r"\b(?:thinking (?:about|of)|considering|wondering|stays?|"
    r"not (?:replac|switch|mov|chang)ing|tempted)\b",
    re.I,
)
_PARTED = re.compile(r"\b(?:split|broke up|divorc\w+|separated|ex-\w+|not with me)\b", re.I)


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

    def find(
        self, earlier: Sequence[Earlier], later: Later, *, leaning: Set[int] = frozenset()
    ) -> int | None:
        """The place of the statement that a sentence changes or ends; None where it is not sure.

        More has to speak for it where that statement is one of the `leaning`.
        """
        if not earlier or later.is_question or not tells_turn(later.text):
            return None
        try:
            scores = self.score(earlier, later)
        except (Unavailable, Corrupt):
            return None  # the rules alone go on
        best = max(scores, key=scores.__getitem__, default=None)
        if best is None:
            return None
        edge = self._weights.edge + (LEANING if best in leaning else 0.0)
        return best if scores[best] >= edge else None

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


@dataclass(frozen=True, slots=True)
class Row:
    """What is weighed of one earlier statement beside a sentence."""

    signs: frozenset[str]
    measures: Mapping[str, float]


def nearest(earlier: Sequence[Earlier], later: Later, rarity: Mapping[str, float]) -> list[int]:
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
    cues, near = signs & STRONG, "nothing shared" not in signs
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
    return stems(f"{earlier.text} {attribute} {earlier.quote}") - TEMPLATE


def _rare(words: Set[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity.get(each, 1.0) for each in words - TEMPLATE)


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
