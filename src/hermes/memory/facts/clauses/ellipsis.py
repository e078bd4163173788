"""What has no verb made a whole sentence, by what stands around it; or left.

A stranger must understand a fact by itself: "3.11" says nothing, "Asked "which Python?", User said:
3.11" does. The words themselves are never changed, only completed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.values import CALENDAR
from hermes.memory.facts.clauses.wording import group_text, others, render, subject_text

LONGEST_LABEL = 8  # words
LONGEST_QUESTION = 14

_WHO = frozenset({"user", "team", "person", "own", "name", "thing"})
_RULE = frozenset("only always never every each".split())
_FOR_ALL = re.compile(r"(?i)\b(?:in|for|on|to|with) all\b")
_WISHING = frozenset("prefer want like love hate need eat avoid".split())
_FORMULAS = frozenset(
    "idea problem worries stress rush wait luck way clue thanks doubt kidding".split()
)
_NOT_NOMINAL = frozenset({"DET", "POSS", "PRON", "OBJ", "WH", "PREP", "CONJ", "AUX", "BE", "HAVE"})
_PLACED = frozenset("from in at on near with since for by".split())
_TASKS = frozenset(
    "draft write list translate plan post add fix check review options quick".split()
)
_QUESTION = re.compile(r"([^.!?\n:;]{3,200})\?")
_GREETING = re.compile(r"(?i)^(?:ok(?:ay)?|so|and|also|but|guys|hi|hey|well|fyi|pls|please)[ ,]+")
_PLEASE = re.compile(r"(?i),? \b(?:pls|plz|please)\b")


@dataclass(frozen=True, slots=True)
class Around:
    """What a fragment may lean on: the clause before it, the label before a colon, a question."""

    before: Frame | None = None
    label: Frame | None = None
    question: str = ""
    concludes: bool = False  # "so no tables": what follows from it is wanted

    def at(self, joint: str, before: str) -> "Around":
        """The same for a clause so joined: what stood before a colon labels all that follows."""
        label = self.before if joint == ":" else self.label
        return replace(self, label=label, concludes=before.rstrip().endswith(" so"))

    def after(self, frame: Frame) -> "Around":
        """The last clause with a verb, or the first of all, is what a fragment goes on from."""
        return replace(self, before=frame) if frame.verb or not self.before else self


def complete(words: Sequence[Token], around: Around) -> str:
    """The fragment as a statement, or nothing where nothing completes it."""
    said = _PLEASE.sub("", others(words))
    if around.label is not None:
        label = _label(around.label)
        return f"{label}: {said}" if label else ""
    if words[0].low == "not":
        return ""  # "we use Jira, not Trello": only the contrast
    if lead := _leading(words, around):
        return f"{lead} {said}"
    if words[0].low == "no" and len(words) > 1 and _is_refused_too(around.before):
        return "" if _is_reply(words[1]) else f"User wants no{said[2:]}"
    if around.question and (asked := asked_in(around.question)):
        return f'Asked "{asked}?", User answered: {said}'
    if _rules(words, said) and around.before is None:
        return f"User's rule: {said}"
    return ""


def _is_refused_too(before: Frame | None) -> bool:
    """Nothing before it, or another of its kind: "no tidyverse, no pipes"."""
    return before is None or (not before.verb and before.words[0].low == "no")


def _is_reply(following: Token) -> bool:
    """ "no, the french one", "no idea": an answer, and nothing that is not wanted."""
    formula = following.low in _FORMULAS or following.low in CALENDAR
    return formula or following.tag in _NOT_NOMINAL


def _rules(words: Sequence[Token], said: str) -> bool:
    """ "British spelling always"; but "120 pcs, all with an SSD" says only how things are."""
    return len(words) > 2 and bool({t.low for t in words} & _RULE or _FOR_ALL.search(said))


def _label(frame: Frame) -> str:
    """What stands before the colon, in the third person; nothing where it gives an order."""
    if frame.verb and frame.words[0].form != "VG":  # but "working name: Lark"
        told = frame.subject.kind in _WHO and frame.tense in {"past", "perfect", "present"}
        return render(frame) if told else ""
    words = [t for t in frame.words if t.tag not in {"INTJ", "EMOJI"}]
    if not 0 < len(words) <= LONGEST_LABEL or words[0].low in _TASKS:
        return ""
    if words[0].low in {"my", "our"}:
        owner = "User's" if words[0].low == "my" else "User's team's"
        return f"{owner} {others(words[1:])}"
    return capital(_GREETING.sub("", others(words)))


def _leading(words: Sequence[Token], around: Around) -> str:
    """ "I'm Thiago, from Recife", "we run Postgres, no k8s": the verb before goes on."""
    before = around.before
    if before is None or not before.verb or before.subject.kind not in {"user", "team"}:
        return ""
    if before.negated or before.modal:
        return ""
    who = subject_text(before.subject)
    if words[0].low in _PLACED:
        return f"{who} is" if before.verb in {"be", "have"} else ""
    if words[0].low == "no":
        wished = around.concludes or before.verb in _WISHING
        return f"{who} wants" if wished else f"{who} has"
    goes_on = before.verb in {"be", "have", "use", "run", "speak", "play", "own"}
    return f"{who} {group_text(before)}" if goes_on else ""


def asked_in(text: str) -> str:
    """The last question, if it is short enough to be told."""
    found = [each[1].strip(" ,-–—*_\"'") for each in _QUESTION.finditer(text)]
    last = _GREETING.sub("", found[-1]) if found else ""
    return last if 1 < len(last.split()) <= LONGEST_QUESTION else ""


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
