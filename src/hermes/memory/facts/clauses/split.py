"""Sentences out of a message, and clauses out of a sentence, each knowing where it stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hermes.memory.facts.clauses.joints import past_time, tail_joint
from hermes.memory.facts.clauses.lexicon import ENVIRONMENTS, KIN_PLURAL, RELATIONS
from hermes.memory.facts.clauses.openings import (
    begins_clause,
    begins_predicate,
    begins_question,
    is_finite,
)
from hermes.memory.facts.clauses.tokens import Token, tokenize

LONGEST_SENTENCE = 600

_END = re.compile(
    r"(?P<mark>[.!?…]+)[\"'”’)*]*(?=\s(?!(?:to|with|for) )|$)|\n+|;\s|\s[—–-]{1,3}\s|—|"
    "[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+"
    r"|\s(?=\d\)\s)|(?<=[:;!?])\s(?=\d\.\s)|(?<=\s)(?::-?[()D]|:'\()(?=\s|$)"
)
_ABBREVIATED = re.compile(
    r"(?:(?<!['’])\b(?:dr|mr|mrs|ms|prof|st|vs|etc|approx|ca|nr|inc|ltd|co|e\.g|i\.e|ie|eg|max|min|"
    r"fig|dept|est|tel|resp|incl|[A-Z]))$",
    re.I,
)


_LETTER = re.compile(r"\b[a-z]+ [A-Z]$")
_OPENS = re.compile(
    r"\s+(?:I|I'm|We|My|Our|No|Not|It|It's|The|This|And|But|So|Also|Please|She|He|They|You|Can|Do|"
    r"Don't|Never|Always|That|That's|What|How)\b"
)
_NUMBER = re.compile(r"(?i)\bno\. ?\d")


_QUOTED = re.compile(r"(['\"])[\w.-]+(?: [\w.-]+)?\1 (?=\w)")
_LIST_MARK = re.compile(r"[\s\-*•·>)'\"]*(?:\d{1,2}[).]\s+)?")


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    start: int
    mark: str = ""

    @property
    def is_question(self) -> bool:
        return "?" in self.mark


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a sentence that says one thing.

    `asides` are what stood in parentheses; `joint` is the word it was joined to the last one by.
    """

    tokens: tuple[Token, ...]
    joint: str = ""
    asides: tuple[tuple[Token, ...], ...] = field(default=())

    @property
    def start(self) -> int:
        return self.tokens[0].start if self.tokens else 0

    @property
    def end(self) -> int:
        return self.tokens[-1].end if self.tokens else 0


def split_sentences(prose: str) -> Iterator[Sentence]:
    start = 0
    for found in _END.finditer(prose):
        mark = found["mark"] or ""
        listed = not mark and prose[start : found.start()].count("(") > prose[
            start : found.start()
        ].count(")")
        if listed and not found.group().strip():
            continue
        if mark == "." and _ABBREVIATED.search(prose[start : found.start()]):
            if not (_LETTER.search(prose[: found.start()]) and _OPENS.match(prose, found.end())):
                continue  # but "in base R. No pipes"
        if mark == "." and _NUMBER.search(prose[max(start, found.start() - 4) : found.end() + 3]):
            continue
        yield from _sentence(prose, start, found.start(), mark)
        start = found.end()
    yield from _sentence(prose, start, len(prose), "")


def _sentence(prose: str, start: int, end: int, mark: str) -> Iterator[Sentence]:
    text = prose[start:end]
    lead = _LIST_MARK.match(text).end()  # type: ignore[union-attr]
    lead -= bool(lead and _QUOTED.match(text, lead - 1))  # "'otter' runs proxmox": no list item
    body = text[lead:].rstrip()
    if any(map(str.isalnum, body)):
        yield Sentence(body[:LONGEST_SENTENCE], start + lead, mark)


def split_clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, in order; nothing is lost but commas and joining words."""
    tokens, asides = _without_asides(_quoted(tokenize(sentence.text)))
    tokens = _joined_names(tokens)
    cuts = [(0, "")]
    depth = 0
    for index, token in enumerate(tokens):
        depth ^= token.text in {'"', "“", "”"}
        if not depth and index > cuts[-1][0]:
            joint = _joint(tokens, index, cuts[-1][0]) or tail_joint(tokens, index)
            if joint:
                cuts.append((index, joint))
    ends = [start for start, _ in cuts[1:]] + [len(tokens)]
    found = []
    for (start, joint), end in zip(cuts, ends, strict=True):
        part = _trimmed(tokens[start:end])
        if part:
            inside = tuple(a for at, a in asides if part[0].start <= at <= part[-1].end + 2)
            found.append(Clause(tuple(part), joint, inside))
    return found


def _quoted(tokens: list[Token]) -> list[Token]:
    """What stands in quotation marks is a thing that is spoken of, not something said."""
    found: list[Token] = []
    inside = False
    for token in tokens:
        if token.text in {'"', "“", "”"}:
            inside = not inside
        spoken = inside and token.tag not in {"NAME", "PUNCT"}
        found.append(replace(token, tag="NOUN", form="") if spoken else token)
    return found


def _without_asides(tokens: list[Token]) -> tuple[list[Token], list[tuple[int, tuple[Token, ...]]]]:
    plain: list[Token] = []
    asides: list[tuple[int, tuple[Token, ...]]] = []
    inner: list[Token] | None = None
    for token in tokens:
        if token.text == "(" and inner is None:
            inner, at = [], token.start
        elif token.text == ")" and inner is not None:
            asides.append((at, tuple(inner)))
            inner = None
        else:
            (plain if inner is None else inner).append(token)
    return plain + (inner or []), asides


def _joined_names(tokens: list[Token]) -> list[Token]:
    """ "our PM, Salma, wants": the commas around a name say no more than their absence."""
    kept: list[Token] = []
    for index, token in enumerate(tokens):
        if token.text == "," and _is_beside_name(tokens, index):
            continue
        kept.append(token)
    return kept


def _is_beside_name(tokens: list[Token], index: int) -> bool:
    before, after = tokens[index - 1] if index else None, tokens[index + 1 : index + 4]
    if before is None or not after or (_is_predicate(tokens, index) and _acts(after)):
        return False
    if after[0].tag == "NAME" and not is_relation(before.low) and len(after) > 2:
        return (
            after[1].text == "," and is_finite(after[2]) and before.tag in {"NOUN", "NUM", "PRON"}
        )
    if is_relation(before.low) and after[0].tag == "NAME":
        end = next((n for n, t in enumerate(after) if t.tag != "NAME"), len(after))
        stop = after[end].text if end < len(after) else ""
        return stop in {",", "", "and", "("} or (end < len(after) and after[end].tag != "NAME")
    back = index - 1
    while back >= 0 and tokens[back].tag == "NAME":
        back -= 1
    opens = back >= 1 and tokens[back].text == "," and is_relation(tokens[back - 1].low)
    closes = back >= 1 and tokens[back].text == "," and back > 1 and is_finite(after[0])
    return before.tag == "NAME" and (opens or closes)


def _is_predicate(tokens: list[Token], index: int) -> bool:
    """ "I'm the CEO, Anselm is my cofounder": what stands before the comma is said of someone."""
    back = index - 1
    while back >= 0 and tokens[back].tag in {"NOUN", "NAME", "ADJ", "DET", "POSS"}:
        back -= 1
    return back > 0 and tokens[back].tag == "BE" and tokens[back - 1].tag == "PRON"


def _acts(after: list[Token]) -> bool:
    """ "Anselm is …", "Ana Berg runs …": a name that is the subject of a clause."""
    end = next((n for n, t in enumerate(after) if t.tag != "NAME"), len(after))
    return 0 < end < len(after) and is_finite(after[end])


def is_relation(word: str) -> bool:
    return word in RELATIONS or word in KIN_PLURAL or word in {"name"}


_COORDINATING = frozenset(
    "and but so or because cause cuz since though although while whereas plus then yet".split()
)


def _joint(tokens: list[Token], index: int, begin: int) -> str:  # noqa: C901, PLR0911 - one case after the other
    """The word or mark by which a new clause begins at `index`, or nothing."""
    token = tokens[index]
    if token.text == ":" and index + 1 < len(tokens) and token.end < tokens[index + 1].start:
        return ":"
    is_comma = token.text == ","
    is_word = token.low in _COORDINATING and not _joins_names(tokens, index)
    if token.low == "that" and index > begin + 1 and tokens[index - 1].tag not in {"DET", "PREP"}:
        return "that" if begins_clause(tokens, index + 1) else ""
    if not (is_comma or is_word or token.low in {"which", "who", "where", "when", "if"}):
        return ""
    after = _past_fillers(tokens, index + 1)
    joint = (
        token.low
        if not is_comma
        else next((t.low for t in tokens[index + 1 : after] if t.low in _COORDINATING), ",")
    )
    if token.low in {"which", "who"}:
        relative = index > begin and after < len(tokens) and is_finite(tokens[after])
        return token.low if relative else ""
    if token.low in {"when", "where", "if"}:
        alone = (
            index > begin
            and tokens[index - 1].low not in _COORDINATING
            and tokens[index - 1].text != ","
        )
        return token.low if alone and begins_clause(tokens, after) else ""
    if (
        after < len(tokens)
        and tokens[after].low in {"when", "if"}
        and begins_clause(tokens, after + 1)
    ):
        return joint
    if is_comma and after < len(tokens) and tokens[after].low in {"which", "who"}:
        return ""  # the word itself will cut
    asks = is_comma or token.low in {"so", "but", "and"}
    if begins_clause(tokens, after) or (asks and begins_question(tokens, after)):
        return joint
    if joint in {"and", ",", "but", "so", "then"} and begins_predicate(tokens, after):
        return joint
    if is_comma and after < len(tokens) and _is_order(tokens, after):
        return ","
    if (
        is_comma
        and after + 1 < len(tokens)
        and tokens[after].low in ENVIRONMENTS
        and tokens[after + 1].tag == "PREP"
    ):
        return ","
    return ""


def _joins_names(tokens: list[Token], index: int) -> bool:
    """ "my cats Miso and Ponzu have decided": two of one kind, not two clauses."""
    names = [*tokens[index - 1 : index], *tokens[index + 1 : index + 2]]
    if len(names) < 2 or any(t.tag != "NAME" for t in names):
        return False
    return any(t.low in KIN_PLURAL for t in tokens[max(0, index - 4) : index - 1])


def _past_fillers(tokens: list[Token], index: int) -> int:
    while index < len(tokens):
        beyond = past_time(tokens, index)
        token = tokens[index]
        if beyond > index:
            index = beyond
        elif token.text == "," or token.low in _COORDINATING or token.tag in {"ADV", "INTJ"}:
            index += 1
        else:
            break
    return index


_REFUSING = frozenset({"never", "no", "not"})


def _is_order(tokens: list[Token], index: int) -> bool:
    token, following = tokens[index], tokens[index + 1 : index + 2]
    if token.low in {"please", "pls", "don't"} or (following and token.low in _REFUSING):
        return True
    done = token.tag == "NOUN" and token.text.islower()
    return done and [t.low for t in following] in (["it"], ["them"])  # ", block it if you plan"


def _closes_quote(tokens: list[Token]) -> bool:
    """Whether the last mark closes what an earlier one of these words opened: "with 'best'"."""
    if tokens[-1].text == ">":
        return tokens[-2].tag == "NOUN" and any(t.text == "<" for t in tokens)
    opening = {"'": {"'"}, "`": {"`"}, "’": {"‘", "’"}, "”": {"“"}}.get(tokens[-1].text, set())
    return sum(token.text in opening for token in tokens[:-1]) % 2 == 1


def _trimmed(tokens: list[Token]) -> list[Token]:
    """Without the marks and joining words at its edges."""
    start, end = 0, len(tokens)
    while start < end and (
        (tokens[start].text in {",", ":", '"'} and tokens[start].tag == "PUNCT")
        or tokens[start].low in _COORDINATING
        or (tokens[start].low == "that" and tokens[start].tag == "WH")
    ):
        start += 1
    while end > start and tokens[end - 1].tag == "PUNCT" and tokens[end - 1].text not in {'"', ")"}:
        if _closes_quote(tokens[start:end]):
            break
        end -= 1
    return tokens[start:end]
