"""What stands for and against a reading, each sign by name; `gate` weighs them.

A sign says what can be seen, not what follows from it. Nothing here decides.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from hermes.clock import DAY_MS
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.certainty import doubts
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import (
    EVENT_NOUNS,
    KIN_PLURAL,
    MOMENTARY,
    NAMES,
    PASSING_NOUNS,
    RELATIONS,
)
from hermes.memory.facts.clauses.prose import asks_for_fiction
from hermes.memory.facts.clauses.split import Sentence
from hermes.memory.facts.clauses.stance import is_brief, is_doubtful, is_reported
from hermes.memory.facts.clauses.talk import Talk
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.types import FactKind, Message, Role

_CODE = re.compile(r"```|`[^`\n]+`|https?://|[{};]\s*$|Traceback", re.M)
_TIMES = {
    "lasting": re.compile(
        r"(?i)\b(?:always|never|usually|every|each|mostly|since|for (?:\d+|years|ages|a decade|\w+ "
        r"years)|these days|anymore|no longer|from now on|by default|permanently|full[- ]time)\b"
    ),
    "decided": re.compile(
        r"(?i)\b(?:decided|agreed|settled|going with|went with|chose|picked|switched|moved|voted|"
        r"signed off|final|official\w*|confirmed|approved|rule|policy)\b"
    ),
    "now": re.compile(
        r"(?i)\b(?:now|currently|today|tonight|this (?:morning|week|afternoon|evening)|right now|"
        r"at the moment|just|still|again|yet|already)\b"
    ),
    "past": re.compile(
        r"(?i)\b(?:yesterday|last (?:week|night|month|year)|ago|back then|used to)\b"
    ),
    "ahead": re.compile(
        r"(?i)\b(?:tomorrow|next (?:week|month|year|\w+day)|soon|later|will|going to|'ll|gonna)\b"
    ),
    "date": re.compile(
        r"(?i)\b(?:\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|"
        r"aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2})"
    ),
    "limit": re.compile(r"(?i)\b(?:by|due|deadline|before|until|no later than|expires?|ends?)\b"),
    "remember": re.compile(
        r"(?i)\b(?:remember|note|fyi|for (?:the|your) (?:record|info|reference)|keep in mind|"
        r"heads[- ]?up|reminder|for context|background|just so you know|btw|by the way)\b"
    ),
    "because": re.compile(r"(?i)\b(?:because|since|so that|cause)\b"),
    "task": re.compile(
        r"(?i)\b(?:can you|could you|please|pls|help|how (?:do|can|to|would)|"
        r"need (?:a|to|some|help)|give me|write|show me|explain|suggest|fix)\b"
    ),
    "feeling": re.compile(
        r"(?i)\b(?:lol|haha|omg|ugh|wow|damn|crazy|insane|awesome|amazing|terrible|awful|annoying|tired|"
        r"exhausted|excited|happy|sad|sorry|thanks|thank you|glad|nervous|stressed)\b"
    ),
    "guess": re.compile(
        r"(?i)\b(?:maybe|perhaps|probably|might|could|would|should|i (?:think|guess|hope|wish)|"
        r"seems?|apparently|if|unless|whether|not sure|sort of|kind of)\b"
    ),
    "said": re.compile(r"(?i)\b(?:said|says|told|tells|asked|claims?|according to|thinks|heard)\b"),
    "story": re.compile(r"(?i)\b(?:then|when|while|after|suddenly|so i|so we)\b"),
}
_OURS = frozenset("i my me i'm i've mine im we our we're us we've".split())
_MANY = 1_000_000
_LENGTHS = ((1, "1"), (2, "2"), (4, "4"), (8, "8"), (14, "14"), (_MANY, "more"))
_MESSAGE = ((8, "8"), (20, "20"), (50, "50"), (120, "120"), (_MANY, "long"))
_SENTENCES = ((1, "1"), (3, "3"), (7, "7"), (_MANY, "many"))
_CLAUSE = ((3, "3"), (6, "6"), (10, "10"), (16, "16"), (_MANY, "long"))
_ITEM = re.compile(r"(?m)^[ \t]*(?:[-*•]|\d+[.)])[ \t]+\S|^[^\n:.!?]{2,40}:[ \t]+\S")
_LISTED = 3  # lines that make a list
_POINTING = frozenset("it this that these those them there here one ones".split())


_NOTED = re.compile(
    r"(?i)(?:ok(?:ay)?[,.!]? )?(?:noted|got it|understood|will do|saved|i(?:'ll| will) "
    r"(?:remember|keep|use|note|give|make|stick|avoid|skip)|good to know|"
    r"thanks for (?:telling|letting|the)|congrat\w+|"
    r"remembered|updated|welcome|nice to meet|done|sorry to hear|lovely)\b|.{0,40}\b(?:it is|noted|"
    r"from now on|i've (?:noted|saved|updated))\b"
)


def with_signs(
    found: Sequence[Candidate],
    frame: Frame,
    text: str,
    body: Sentence,
    setting: Setting,
    talk: Talk,
) -> list[Candidate]:
    """Each with what stood around it."""
    if not found:
        return []
    around = (*talk.signs, *clause_signs(frame, text, body, setting))
    if talk.question:
        around += ("answers",)
    return [
        replace(each, signs=(*each.signs, *around, *candidate_signs(each, talk.at)))
        for each in found
    ]


def chat_signs(messages: Sequence[Message], index: int) -> tuple[str, ...]:
    """What stands before and after a message: who spoke, and whether it was taken as told."""
    message = messages[index]
    found = ["chat:team"] if message.speaker else []
    before = messages[index - 1] if index else None
    after = messages[index + 1] if index + 1 < len(messages) else None
    found.append(f"before:{before.role if before else 'nothing'}")
    found.append(f"after:{after.role if after else 'nothing'}")
    if after is not None and after.role is Role.ASSISTANT and _NOTED.match(after.text):
        found.append("after:noted")
    if after is not None and after.role is Role.ASSISTANT:
        short = len(after.text) < 80 and "\n" not in after.text
        found.append("after:short" if short else "after:long")
    if before is not None and "?" in before.text[-200:]:
        found.append("before:asks")
    if any(asks_for_fiction(each.text) for each in messages[max(0, index - 6) : index]):
        found.append("chat:fiction")
    return tuple(found)


def message_signs(text: str, prose: str, sentences: int) -> tuple[str, ...]:
    """What the whole message shows; `prose` is what of it its writer says of their own."""
    found = [f"message:{_bucket(len(text.split()), _MESSAGE)}"]
    found.append(f"sentences:{_bucket(sentences, _SENTENCES)}")
    if _CODE.search(text):
        found.append("message:code")
    if "?" in text:
        found.append("message:asks")
    if len(prose.split()) < len(text.split()):
        found.append("message:pasted")
    if _TIMES["task"].search(prose):
        found.append("message:task")
    if len(_ITEM.findall(prose)) >= _LISTED:
        found.append("message:list")
    if re.search(r"(?i)\b(?:i|my|me|we|our)\b", text):
        found.append("message:first_person")
    return tuple(found)


def clause_signs(frame: Frame, text: str, sentence: Sentence, setting: Setting) -> Iterator[str]:
    """What the clause and its sentence show."""
    subject = frame.subject
    yield f"subject:{subject.kind}{':' + subject.owner if subject.owner else ''}"
    if frame.verb:
        yield f"tense:{frame.tense}"
        yield f"verb:{frame.verb}"
        yield f"who_when:{subject.kind}:{frame.tense}"
        yield from (f"verbs:{name}" for name in sorted(frame.classes))
    else:
        yield "tense:none"
    if frame.modal:
        yield f"modal:{frame.modal}"
    if frame.negated:
        yield "negated"
    if frame.passive:
        yield "passive"
    if frame.tail:
        yield "tail"
    if frame.lead:
        yield "lead"
    if frame.words and frame.words[-1].tag in {"VERB", "BE", "AUX", "PREP", "DET", "CONJ", "HAVE"}:
        yield f"clause:breaks_off_{frame.words[-1].tag}"
    if is_reported(frame):
        yield "reported"
    yield from _subject_signs(frame)
    yield from (f"object:{sign}" for sign in _phrase_signs(frame.object))
    yield from (f"prep:{slot.prep}" for slot in frame.slots if slot.prep)
    yield from _sentence_signs(text, sentence, setting)


def _subject_signs(frame: Frame) -> Iterator[str]:
    subject = frame.subject
    own = {token.start for token in frame.words}
    if (
        frame.verb
        and subject.kind != "none"
        and not (subject.words and subject.words[0].start in own)
    ):
        yield f"subject:borrowed_{subject.kind}"
    if frame.group and frame.group[0].form == "VG":
        yield "verb:opens_ing"
    if subject.kind not in {"thing", "own", "name", "person"}:
        return
    if subject.noun in PASSING_NOUNS:
        yield "subject:passing"
    if subject.noun in EVENT_NOUNS:
        yield "subject:event"
    if subject.noun in RELATIONS or subject.noun in KIN_PLURAL:
        yield "subject:relation"
    first = subject.words[0] if subject.words else None
    if first is not None:
        yield f"subject:opens_{first.low if first.tag == 'DET' else first.tag}"
    if len(subject.words) > 5:
        yield "subject:long"


def _sentence_signs(text: str, sentence: Sentence, setting: Setting) -> Iterator[str]:
    yield from _whole_signs(sentence)
    for name in ("decided", "explicit", "told", "correction", "laughing"):
        if getattr(setting, name):
            yield f"setting:{name}"
    if is_doubtful(text):
        yield "clause:doubtful"
    if is_brief(text):
        yield "clause:brief"
    yield f"clause:{_bucket(len(text.split()), _CLAUSE)}"
    yield from (f"clause:{name}" for name, words in _TIMES.items() if words.search(text))
    if re.search(r"\b[A-Z]{4,}\b", text) and not text.isupper():
        yield "clause:shouts"
    if re.search(r"\d", text):
        yield "clause:digits"


@lru_cache(64)
def _whole_signs(sentence: Sentence) -> tuple[str, ...]:
    """What the sentence shows, whichever of its clauses is read."""
    text = sentence.text
    found = [f"ends:{sentence.mark[:1]}"] if sentence.mark else []
    if is_doubtful(text):
        found.append("sentence:doubtful")
    found += (f"sentence:{name}" for name, words in _TIMES.items() if words.search(text))
    lows = set(re.findall(r"[a-z']+", text.lower()))
    if lows & _OURS:
        found.append("sentence:first_person")
    if lows & {"you", "your", "you're"}:
        found.append("sentence:you")
    return tuple(found)


def candidate_signs(candidate: Candidate, at: int) -> Iterator[str]:
    """What the fact itself shows, whoever read it."""
    root = "name" if candidate.attribute in NAMES else candidate.attribute.partition(":")[0]
    if candidate.kind is FactKind.RELATIONSHIP:
        root = root.rpartition(" ")[2]  # an eye doctor weighs as a doctor
    yield f"kind:{candidate.kind}"
    yield f"attribute:{root}" if len(root) < 16 else "attribute:long"
    yield "about:user" if candidate.subject == USER else "about:other"
    yield from (f"doubt:{name}" for name in doubts(candidate, at))
    yield from (f"value:{sign}" for sign in _phrase_signs(tokenize(candidate.value)))
    yield f"value:{_bucket(len(candidate.value.split()), _LENGTHS)}"
    if candidate.valid_from is not None and candidate.valid_from != at:
        yield f"day:{_distance(candidate.valid_from - at)}"
    if candidate.ended:
        yield "ended"
    if candidate.replaces:
        yield "replaces"


def _distance(ahead: int) -> str:
    if ahead < 0:
        return "past"
    return "soon" if ahead < 8 * DAY_MS else "ahead" if ahead < 60 * DAY_MS else "far"


def word_signs(text: str) -> Iterator[str]:
    """The words themselves."""
    for token in tokenize(text):
        if token.tag not in {"PUNCT", "NUM", "NAME", "ADDR", "EMOJI"} and len(token.low) > 1:
            yield f"word:{token.lemma or token.low}"


def _phrase_signs(words: Sequence[Token]) -> Iterator[str]:
    """The shape of a phrase: how it opens, its head, and what stands in it."""
    if not words:
        yield "none"
        return
    inner = values.core(words)
    yield f"opens_{words[0].low if words[0].tag in {'DET', 'POSS'} else words[0].tag}"
    yield from _head_signs(_head(inner))
    lows, tags = {token.low for token in words}, {token.tag for token in words}
    shown = {
        "pointing": bool(lows & _POINTING),
        "you": bool(lows & {"you", "your"}),
        "name": "NAME" in tags,
        "number": "NUM" in tags,
        "address": "ADDR" in tags,
        "finite": bool(tags & {"BE", "HAVE", "AUX"}),
        "tool": bool(find_purpose(" ".join(token.text for token in words))),
    }
    yield from (name for name, is_shown in shown.items() if is_shown)


def _head_signs(head: Token | None) -> Iterator[str]:
    if head is None:
        yield "headless"
        return
    yield f"head_{head.tag}"
    classes = {"passing": PASSING_NOUNS, "momentary": MOMENTARY, "event": EVENT_NOUNS}
    yield from (name for name, words in classes.items() if head.low in words)


def _head(words: Sequence[Token]) -> Token | None:
    head = None
    for token in words:
        if token.tag in {"PREP", "WH", "CONJ"} and head is not None:
            break
        if token.tag in {"NOUN", "NAME", "VERB", "ADJ", "NUM", "ADDR"}:
            head = token
    return head


def _bucket(count: int, bounds: Sequence[tuple[int, str]]) -> str:
    return next(name for bound, name in bounds if count <= bound)
