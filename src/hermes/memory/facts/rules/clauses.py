"""A message as the short assertions its writer makes, each with its place in the text.

Rules match at the start of a clause, so the work here is to bring what is asserted to the start:
greetings and markers are dropped (and remembered), a subject left out after "and" is put back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes.memory.facts.rules.ellipsis import completed
from hermes.memory.facts.rules.markers import AFTERTHOUGHT, HEARSAY, LEAD_IN, strip_markers

LONGEST_CLAUSE = 300

_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie dr mr mrs ms vs approx st no inc ltd jr sr u.s u.k a.m p.m prof dept".split()
)
_END = re.compile(
    r"!+(?!\s+(?:to|with|from|for|in|at)\s)(?=\s|$)|"
    r"[.?…]+[!?.]*[\"')\]]*(?=\s|$)|\n+|;(?=\s)|(?<!\S)\d\)(?=\s)|\s(?:-{1,2}|–|—)\s|—"
)

_SPEAKERS = (
    r"i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|we'll|our|he|he's|she|she's|they|"
    r"they're|it|it's|"
    r"his|her|their|please|the|this|that's|there|there's|can|could|do|does|is|are|how|what|which|"
    r"where|why|who|should|would|will|any|let's|don't|always|never|also|remember|but|everything|"
    r"anyways?|any idea|any tips|thoughts|nobody|everyone|everybody|nothing|someone|prod|"
    r"production|staging|same|tell|"
    r"give|write|make|keep|here|so|then|even though|or"
)
_NAMED_VERB = (
    r"(?-i:[A-Z])[\w.-]*(?:\s(?-i:[A-Z])[\w.-]*)?\s+(?:is|are|was|uses|runs|has|leads|"
    r"owns|will|lives|works)\b"
)
_SPLIT = re.compile(
    rf"(?:,?\s+(?P<joint>and|but|so|plus|because|since|cuz|cause|though|although|while|whereas|"
    rf"then|yet)\s+(?:also\s+|then\s+|now\s+|honestly\s+|btw\s+)?|[,:]\s+)"
    rf"(?=(?:{_SPEAKERS})\b|{_NAMED_VERB})|\s+and\s+(?=(?:if|when|once)\b)",
    re.I,
)
_ELIDED = re.compile(
    r"(?:,\s+|,?\s+(?:and|but|then)\s+)(?:also\s+|currently\s+|now\s+|mostly\s+|mainly\s+|just\s+)?"
    r"(?=(?:work|works|working|live|lives|living|use|uses|using|prefer|love|like|hate|"
    r"run|runs|moved|"
    r"switched|migrated|started|quit|left|decided|chose|went with|going with|dropping|ditched|"
    r"am|have|has|report|"
    r"reports|lead|leads|"
    r"manage|manages|"
    r"study|studies|speak|speaks|deploy|deploys|host|based in|joined|became|own|owns|"
    r"can't stand|don't|"
    r"do not|never|always|from|originally from|need|write|writes|maintain|maintains)\b)",
    re.I,
)
_SUBJECT = re.compile(
    r"(?:i|we|he|she|they|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)\b(?!')(?: am\b| are\b)?"
)
_NEEDS_BE = re.compile(r"(?:working|living|using|based|from|originally|going|dropping)\b", re.I)

_CORRECTING = re.compile(r"\bcorrection\b", re.I)
_CLOSING = re.compile(
    r"[\s,]+(?:if (?:that|it) (?:helps|matters)|in case (?:that|it) (?:helps|matters)|lol|haha+|"
    r"btw|"
    r"by the way|fwiw|tbh|though|:\)|;\)|:D|xD|:\(|thanks|thx|i guess you know)$",
    re.I,
)
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+|!{2,}")
_PARENTHESIS = re.compile(r"\s*\(([^()]{1,120})\)")
_CONTRACTIONS = (
    (re.compile(r"\b(i)'?m\b", re.I), r"\1 am"),
    (re.compile(r"\b(we|they|you)'re\b", re.I), r"\1 are"),
    (re.compile(r"\b(i|we|they|you)'?ve\b", re.I), r"\1 have"),
    (re.compile(r"\b(he|she|it|that|there|name)'s\b", re.I), r"\1 is"),
    (re.compile(r"\b(\w+)'s (?=(?:in|on|at|written|called|built|running|hosted) )"), r"\1 is "),
    (
        re.compile(
            r"\b(birthday|stack|front-?end|back-?end|db|database|deadline|time ?zone|editor|"
            r"setup)'s "
            r"(?=[A-Z\d])",
            re.I,
        ),
        r"\1 is ",
    ),
    (re.compile(r"\b(do|does|did|is|are|was|were|has|have)n'?t\b", re.I), r"\1 not"),
    (re.compile(r"\bcan'?t\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\b(i|we|they|you|he|she|it)'ll\b", re.I), r"\1 will"),
)


# A circumstance before the assertion: "after 6 years on AWS we finally migrated to OVH".
_OPENING = re.compile(
    r"(?:after|since|during|in|on|at|for|with|given|thanks to|until|till|as of|from|over|due to|"
    r"eventually|because of|now that|last|this|every|we agreed (?:with|that)|the (?:good |bad |"
    r"big )?"
    r"(?:news|thing|upshot|result|point) is|what happened is|what matters is|worth knowing:?|"
    r"quick (?:note|update)|the short version:?|tl;?dr:?)\b"
    r"[^,:]{0,50}?(?:that)?[,:]?\s+(?=(?:i|we|my|our|the|all|everything)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One assertion: `text` is what rules match, `quote` the words of the message, from `start`."""

    text: str
    quote: str
    start: int
    sentence: str
    correction: bool = False
    explicit: bool = False
    asks: bool = False
    aside: str = ""
    hearsay: bool = False


def sentences(prose: str) -> Iterator[tuple[int, str, str]]:
    """Start, text and closing mark of every sentence."""
    start = 0
    for end in _END.finditer(prose):
        if end.group().startswith(".") and _abbreviates(prose[start : end.start()]):
            continue
        yield from _sentence(prose, start, end.start(), end.group())
        start = end.end()
    yield from _sentence(prose, start, len(prose), "")


def split_clauses(
    start: int, sentence: str, mark: str, *, after: Clause | None = None
) -> list[Clause]:
    """The clauses of one sentence; only the last of them asks, if the sentence does.

    `after` is a bare marker that stood as a sentence of its own: "Scratch that."
    """
    cuts = _cuts(sentence)
    spans = list(zip([0, *(end for _, end in cuts)], [*(at for at, _ in cuts), None], strict=True))
    clauses = [after] if after else []
    for begin, end in spans:
        quote = sentence[begin:end]
        lead = len(quote) - len(quote.lstrip())
        clauses.append(_clause(quote.strip(), start + begin + lead, sentence, clauses))
    spoken = [clause for clause in clauses if clause.text]
    if len(spoken) > 1 and AFTERTHOUGHT.fullmatch(spoken[-1].quote.strip(" .!")):
        spoken = [replace(clause, explicit=True) for clause in spoken[:-1]]
    if spoken and "?" in mark:
        spoken[-1] = replace(spoken[-1], asks=True)
    return spoken or clauses[-1:]


def assertions(text: str) -> Iterator[str]:
    """The places a clause may start asserting at: as it stands, after a lead-in, after a colon."""
    yield text
    if (lead := LEAD_IN.match(text)) and lead.end() < len(text):
        yield text[lead.end() :]
    if opening := _OPENING.match(text):
        yield text[opening.end() :]
    _, colon, rest = text.rpartition(": ")
    if colon and len(rest.split()) >= 3:
        yield strip_markers(rest)[0]
    yield from completed(text)


def plain(text: str) -> str:
    """Straight apostrophes and contractions written out, for matching."""
    text = text.replace("’", "'").replace("“", '"').replace("”", '"')
    for pattern, full in _CONTRACTIONS:
        text = pattern.sub(full, text)
    return re.sub(r"\s+", " ", text).strip()


def _sentence(prose: str, start: int, end: int, mark: str) -> Iterator[tuple[int, str, str]]:
    text = prose[start:end]
    lead = len(text) - len(text.lstrip(" \t\n-*•#\"'“()"))
    body = text[lead:].rstrip()
    if body and len(body) <= LONGEST_CLAUSE * 3:
        yield start + lead, body, mark.strip()


def _abbreviates(text: str) -> bool:
    word = text.rsplit(None, 1)[-1] if text.split() else ""
    return word.lower().strip("(") in _ABBREVIATIONS or (word.isdigit() and len(word) <= 2)


def _cuts(sentence: str) -> list[tuple[int, int]]:
    straight = sentence.replace("’", "'")
    found = [*_SPLIT.finditer(straight), *_ELIDED.finditer(straight)]
    cuts: list[tuple[int, int]] = []
    for cut in sorted(found, key=lambda match: match.span()):
        inside = _open_quotes(straight[: cut.start()])
        if not inside and (not cuts or cut.start() >= cuts[-1][1]):
            cuts.append(cut.span())
    return cuts


def _open_quotes(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") > text.count("”")


def _clause(quote: str, start: int, sentence: str, before: list[Clause]) -> Clause:
    text, correction, explicit = strip_markers(quote.replace("’", "'"))
    if before:
        correction = (
            correction or before[-1].correction or bool(_CORRECTING.search(before[-1].text))
        )
        explicit = explicit or before[-1].explicit
    hearsay = HEARSAY.match(text)
    text = text[hearsay.end() :] if hearsay else text
    aside = _PARENTHESIS.search(text)
    full = plain(_EMOJI.sub("", _PARENTHESIS.sub("", text)))[:LONGEST_CLAUSE]
    if before and (subject := _SUBJECT.match(before[-1].text)) and _elides(full):
        full = f"{_joined(subject.group(), full)} {full}"
    full = _CLOSING.sub("", full)
    inner = aside.group(1) if aside else ""
    return Clause(
        full,
        quote,
        start,
        sentence,
        correction,
        explicit,
        aside=inner,
        hearsay=hearsay is not None,
    )


def _elides(text: str) -> bool:
    return _ELIDED.match(f" and {text}") is not None


def _joined(subject: str, rest: str) -> str:
    person = subject.split(" am", maxsplit=1)[0].split(" are", maxsplit=1)[0]
    if not _NEEDS_BE.match(rest):
        return person
    return (
        f"{person} {'am' if person.lower() == 'i' else 'are' if person.lower() == 'we' else 'is'}"
    )
