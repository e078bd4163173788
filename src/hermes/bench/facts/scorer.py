"""Scores what an extractor found in the labelled chats: precision, recall, junk, supersession.

Pure: values in, values out. It knows neither how facts are extracted nor how figures are shown.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from hermes.bench.facts.loader import Conversation, Expected
from hermes.bench.facts.match import Extracted, content_words, has_date, is_match
from hermes.bench.facts.rulings import Ruling, Rulings, Word, find_ruling
from hermes.errors import UserError
from hermes.types import FactKind

Link = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found in one conversation.

    Links are positions in `facts`: of a supersession the newer fact first, of a contradiction in
    either order.
    """

    facts: Sequence[Extracted] = ()
    supersessions: Sequence[Link] = ()
    contradictions: Sequence[Link] = ()


class Verdict(StrEnum):
    CORRECT = "correct"
    OPTIONAL = "optional"
    JUNK = "junk"


@dataclass(frozen=True, slots=True)
class Judged:
    """An extracted fact, the labels it matches, and what that makes of it."""

    conversation: str
    fact: Extracted
    labels: tuple[Expected, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one kind, or of all. A ratio without cases is None, never a flattering 1."""

    expected: int = 0
    found: int = 0
    correct: int = 0
    optional: int = 0
    junk: int = 0

    @property
    def extracted(self) -> int:
        return self.correct + self.optional + self.junk

    @property
    def precision(self) -> float | None:
        """Of the extracted facts that are not optional, the share that a label asks for."""
        return _ratio(self.correct, self.correct + self.junk)

    @property
    def recall(self) -> float | None:
        """Of the facts asked for, the share that was found."""
        return _ratio(self.found, self.expected)

    @property
    def junk_rate(self) -> float | None:
        """Of all extracted facts, the share that matches nothing or says again what is there."""
        return _ratio(self.junk, self.extracted)


@dataclass(frozen=True, slots=True)
class LinkTally:
    """`expected` links asked for and `done` of them; `made` by the extractor, `wrong` of them.

    A link that touches an optional fact is asked for by none and wrong for none.
    """

    expected: int = 0
    done: int = 0
    made: int = 0
    wrong: int = 0

    @property
    def accuracy(self) -> float | None:
        return _ratio(self.done, self.expected)

    @property
    def wrong_rate(self) -> float | None:
        return _ratio(self.wrong, self.made)


@dataclass(frozen=True, slots=True)
class Score:
    """All figures, and the cases behind them for whoever must mend an extractor.

    Of `by_kind`, recall counts by the label's kind, precision and junk by the extracted one's.
    """

    overall: Tally
    by_kind: Mapping[FactKind, Tally]
    by_reach: Mapping[str, Tally]
    supersession: LinkTally
    contradiction: LinkTally
    dates: Tally
    junk: tuple[Judged, ...] = field(default=(), repr=False)
    missed: tuple[Expected, ...] = field(default=(), repr=False)


def score(
    conversations: Iterable[Conversation],
    extractions: Mapping[str, Extraction],
    rulings: Rulings | None = None,
) -> Score:
    """The figures over all conversations; each needs an extraction, if an empty one.

    With `rulings`, what a person said of a reading counts instead of the matching rule.
    """
    judged: list[Judged] = []
    labels: list[Expected] = []
    supersessions, contradictions = LinkTally(), LinkTally()
    for conversation in conversations:
        extraction = extractions.get(conversation.id)
        if extraction is None:
            raise UserError(
                f"No extraction for {conversation.id}.",
                "Give every conversation one; where nothing was found, an empty one.",
            )
        verdicts = judge(conversation, extraction.facts)
        closed = frozenset(older for _, older in extraction.supersessions)
        judged += rule(conversation, verdicts, rulings or {}, closed)
        labels += conversation.facts
        supersessions = _add(
            supersessions, _count_supersessions(conversation, extraction, verdicts)
        )
        contradictions = _add(
            contradictions, _count_contradictions(conversation, extraction, verdicts)
        )
    return _summarise(judged, labels, supersessions, contradictions)


def judge(conversation: Conversation, facts: Sequence[Extracted]) -> tuple[Judged, ...]:
    """A verdict for each fact, in order.

    A fact is a copy, and junk, when every label it matches was matched before by a fact of the same
    kind with the same content words in its value: what adds the missing half is welcome.
    """
    judged: list[Judged] = []
    seen: set[tuple[str, str, frozenset[str]]] = set()
    for fact in facts:
        labels = _matching(conversation, fact)
        claims = {(label.id, fact.kind, content_words(fact.value)) for label in labels}
        verdict = _decide(labels, is_copy=bool(claims) and claims <= seen)
        judged.append(Judged(conversation.id, fact, labels, verdict))
        seen |= claims
    return tuple(judged)


def rule(
    conversation: Conversation,
    judged: Sequence[Judged],
    rulings: Rulings,
    closed: frozenset[int] = frozenset(),
) -> tuple[Judged, ...]:
    """The same, where a person judged a reading by what they said of it.

    What a later message ended was right if the extractor `closed` it, and is junk if not.
    """
    labels = {label.id: label for label in conversation.facts}
    return tuple(
        _ruled(each, labels, find_ruling(rulings, each.conversation, each.fact), place in closed)
        for place, each in enumerate(judged)
    )


def _ruled(
    each: Judged, labels: Mapping[str, Expected], ruling: Ruling | None, is_closed: bool
) -> Judged:
    if ruling is None:
        return each
    named = tuple(labels[name] for name in ruling.labels if name in labels)
    if ruling.verdict is Word.OVER:
        was_right = _decide(named, is_copy=False) if named else Verdict.OPTIONAL
        kept = (named, was_right) if is_closed else ((), Verdict.JUNK)
        return Judged(each.conversation, each.fact, *kept)
    verdict = {
        Word.FINE: Verdict.OPTIONAL,
        Word.COPY: Verdict.JUNK,
        Word.JUNK: Verdict.JUNK,
    }.get(ruling.verdict, _decide(named, is_copy=False))
    return Judged(each.conversation, each.fact, named, verdict)


def _matching(conversation: Conversation, fact: Extracted) -> tuple[Expected, ...]:
    return tuple(
        label
        for label in conversation.facts
        if is_match(fact, label, speaker=conversation.messages[label.message].speaker)
    )


def _decide(labels: Sequence[Expected], *, is_copy: bool) -> Verdict:
    if not labels or is_copy:
        return Verdict.JUNK
    if all(label.optional for label in labels):
        return Verdict.OPTIONAL
    return Verdict.CORRECT


def _summarise(
    judged: Sequence[Judged],
    labels: Sequence[Expected],
    supersession: LinkTally,
    contradiction: LinkTally,
) -> Score:
    hits = {label.id for item in judged for label in item.labels}
    wanted = [label for label in labels if not label.optional]
    return Score(
        overall=_tally(wanted, judged, hits),
        by_kind={
            kind: _tally(
                [label for label in wanted if label.kind is kind],
                [item for item in judged if item.fact.kind == kind],
                hits,
            )
            for kind in FactKind
        },
        by_reach={
            reach: _tally([label for label in wanted if label.reach == reach], (), hits)
            for reach in sorted({label.reach for label in wanted})
        },
        supersession=supersession,
        contradiction=contradiction,
        dates=_tally_dates(judged),
        junk=tuple(item for item in judged if item.verdict is Verdict.JUNK),
        missed=tuple(label for label in wanted if label.id not in hits),
    )


def _tally(labels: Sequence[Expected], judged: Sequence[Judged], hits: set[str]) -> Tally:
    verdicts = Counter(item.verdict for item in judged)
    return Tally(
        expected=len(labels),
        found=sum(label.id in hits for label in labels),
        correct=verdicts[Verdict.CORRECT],
        optional=verdicts[Verdict.OPTIONAL],
        junk=verdicts[Verdict.JUNK],
    )


def _tally_dates(judged: Sequence[Judged]) -> Tally:
    """Of the found facts other than deadlines that have a day, how many were tied to it."""
    dated = [
        has_date(item.fact, label)
        for item in judged
        for label in item.labels
        if label.day is not None and label.kind is not FactKind.DEADLINE
    ]
    return Tally(expected=len(dated), found=sum(dated))


def _count_supersessions(
    conversation: Conversation, extraction: Extraction, judged: Sequence[Judged]
) -> LinkTally:
    wanted = {(label.id, label.supersedes) for label in conversation.facts if label.supersedes}
    made = [_pairs(judged, link) for link in extraction.supersessions]
    return _count_links(conversation, wanted, made)


def _count_contradictions(
    conversation: Conversation, extraction: Extraction, judged: Sequence[Judged]
) -> LinkTally:
    wanted = {(label.id, label.contradicts) for label in conversation.facts if label.contradicts}
    made = [
        _pairs(judged, link) | _pairs(judged, (link[1], link[0]))
        for link in extraction.contradictions
    ]
    return _count_links(conversation, wanted, made)


def _pairs(judged: Sequence[Judged], link: Link) -> set[tuple[str, str]]:
    newer, older = judged[link[0]], judged[link[1]]
    return {(new.id, old.id) for new in newer.labels for old in older.labels}


def _count_links(
    conversation: Conversation,
    wanted: set[tuple[str, str]],
    made: Sequence[set[tuple[str, str]]],
) -> LinkTally:
    optional = {label.id for label in conversation.facts if label.optional}
    required = {pair for pair in wanted if not optional & set(pair)}
    counted = [pairs for pairs in made if not _is_free(pairs, optional)]
    return LinkTally(
        expected=len(required),
        done=sum(any(pair in pairs for pairs in counted) for pair in required),
        made=len(counted),
        wrong=sum(not pairs & required for pairs in counted),
    )


def _is_free(pairs: set[tuple[str, str]], optional: set[str]) -> bool:
    return bool(pairs) and all(optional & set(pair) for pair in pairs)


def _add(left: LinkTally, right: LinkTally) -> LinkTally:
    return LinkTally(
        expected=left.expected + right.expected,
        done=left.done + right.done,
        made=left.made + right.made,
        wrong=left.wrong + right.wrong,
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
