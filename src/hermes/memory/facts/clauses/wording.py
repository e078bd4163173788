"""The clause in the third person, as a fact is written: "User lives in York now"."""

from collections.abc import Sequence

from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import PETS
from hermes.memory.facts.clauses.slots import Words, spell
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.tokens import Token
from hermes.memory.facts.clauses.verbs import third
from hermes.memory.facts.clauses.words import WRITTEN_SHORT

LONGEST = 240

_OTHERS = {
    "i": "they",
    "we": "they",
    "my": "their",
    "our": "their",
    "me": "them",
    "us": "them",
    "myself": "themselves",
    "ourselves": "themselves",
    "mine": "theirs",
    "ours": "theirs",
}
_NAMED = {
    **dict.fromkeys(("i", "me", "myself"), "the user"),
    **dict.fromkeys(("we", "us", "ourselves"), "the user's side"),
    **dict.fromkeys(("my", "our", "mine", "ours"), "the user's"),
}
_AT_HOME = PETS | frozenset(
    "kid kids child children son daughter baby dogs cats flat apartment house garden party wedding "
    "holiday holidays honeymoon".split()
)
_KEEPS = frozenset("have get buy adopt own rent plan".split())
_BE = {
    "am": "is",
    "'m": "is",
    "m": "is",
    "are": "is",
    "'re": "is",
    "re": "is",
    "'s": "is",
    "s": "is",
    "were": "was",
}
_HAVE = {"have": "has", "'ve": "has", "ve": "has", "'s": "has", "s": "has"}
_CUT = frozenset({"m", "re", "s", "ve"})  # written without their apostrophe
_AUX = {"do": "does", "'ll": "will", "'d": "would", "ca": "can", "wo": "will", "nt": "n't"}


def subject_text(subject: Subject) -> str:
    """How the subject of a fact is named in its text."""
    if subject.kind == "user":
        return "User"
    if subject.kind == "team":
        return "User's team"
    if subject.owner:
        owned = subject.words[0].tag == "POSS" if subject.words else False
        rest = spell(subject.words[1:] if owned else subject.words)
        own = subject.owner == "user" or subject.noun in _AT_HOME or subject.noun == "team"
        return f"User's {rest}" if own else f"User's team's {rest}"
    if subject.kind in {"person", "it", "who", "other"} and subject.name:
        return subject.name
    text = others(subject.words, of_user=False) if subject.kind == "thing" else subject.text
    return text[:1].upper() + text[1:] if text else "User"


def render(frame: Frame) -> str:
    """The whole clause in the third person."""
    lead = "" if frame.subject.kind == "none" else subject_text(frame.subject)
    lead = "User" if _is_of_home(frame) else lead
    rest = others([*frame.rest], of_user=_is_of_user(frame.subject))
    if any(token.low in {"every", "each"} for token in frame.lead):
        rest = f"{rest}, {others(list(frame.lead))[:40].lower()}"
    elif _are_days(frame.lead):
        rest = f"{rest} on {others([t for t in frame.lead if t.tag != 'PREP'])}"
    elif _is_limit(frame.lead):
        rest = f"{rest} {frame.lead[0].low} {others(list(frame.lead[1:]))}"
    text = " ".join(part for part in (lead or "User", group_text(frame), rest) if part)
    return text[:LONGEST]


def _are_days(lead: Words) -> bool:
    """ "Mondays and Wednesdays", "on weekends"."""
    days = [t for t in lead if t.low not in {"on", "and", "&", ",", "or"}]
    return bool(days) and all(t.low.endswith("days") or t.low == "weekends" for t in days)


def _is_limit(lead: Words) -> bool:
    """ "On Sundays I bake", "For side projects I prefer": when or for what it holds."""
    if len(lead) not in range(2, 5) or any(t.tag in {"PRON", "VERB", "CONJ"} for t in lead):
        return False
    days = lead[0].low == "on" and lead[-1].low.endswith("days")
    return days or (lead[0].low == "for" and lead[-1].tag == "NOUN" and lead[1].tag != "DET")


def _is_of_user(subject: Subject) -> bool:
    """Whether "they" in what follows can only be the user."""
    return subject.kind in {"user", "team", "none"} or bool(subject.owner)


def _is_of_home(frame: Frame) -> bool:
    """ "we have a dog": said of a household, not of a team."""
    if frame.subject.kind != "team" or frame.verb not in _KEEPS:
        return False
    held = [t for n, t in enumerate(frame.object) if _ends_noun(frame.object, n)]
    return any(token.low in _AT_HOME for token in held)


def _ends_noun(words: Sequence[Token], place: int) -> bool:
    """Whether a word is not the first half of another: a "house", no "house style"."""
    following = words[place + 1 : place + 2]
    return not following or following[0].tag not in {"NOUN", "VERB"}


def group_text(frame: Frame) -> str:
    """The verb group, bent to the third person where the first was spoken."""
    bent = frame.subject.kind in {"user", "team", "none"}
    said: list[str] = []
    for index, token in enumerate(frame.group):
        finite = index == next(
            (n for n, t in enumerate(frame.group) if t.tag not in {"ADV", "NEG"}), 0
        )
        said.append(_bent(token, finite=finite and bent))
    if (
        frame.group
        and frame.group[0].form in {"VG", "VN"}
        and not any(t.tag == "BE" for t in frame.group)
    ):
        said.insert(0, "is")
    if frame.group and frame.group[0].low == "been":
        said.insert(0, "has")
    if said[:2] == ["is", "been"]:
        said[0] = "has"
    return (
        " ".join(said)
        .replace("can n't", "can't")
        .replace("will n't", "won't")
        .replace(" n't", "n't")
    )


def _bent(token: Token, *, finite: bool) -> str:
    low = token.low
    if token.tag == "BE":
        return _BE.get(low, low) if finite or low.startswith("'") or low in _CUT else low
    if token.tag == "HAVE":
        return _HAVE.get(low, low) if finite or low.startswith("'") or low in _CUT else low
    if token.tag in {"AUX", "NEG"}:
        return _AUX.get(low, low) if finite or low != "do" else low
    if token.tag == "VERB" and finite and token.form == "VB":
        return third(token.lemma)
    return token.text if token.tag != "VERB" or token.is_capital is False else low


def others(words: Sequence[Token], *, of_user: bool = True) -> str:
    """The words with the speaker turned into "they", or into "the user" where somebody else is
    spoken of (`of_user` is false), for "they" would then be that one."""
    turned = _OTHERS if of_user else _NAMED
    parts: list[str] = []
    end: int | None = None
    for place, token in enumerate(words):
        if token.tag in {"EMOJI"}:
            continue
        gap = " " if end is not None and token.start > end else ""
        swapped = turned.get(token.low) if _is_speaker(token) else None
        swapped = "them" if swapped and token.low == "us" and _is_of(words[:place]) else swapped
        swapped = swapped or _agreeing(words, place, of_user=of_user)
        swapped = swapped or (token.low if token.text in WRITTEN_SHORT else "")
        parts.append(gap + (swapped or token.text))
        end = token.end
    return "".join(parts).strip(" ,;:")


def _is_of(before: Sequence[Token]) -> bool:
    """ "the two of us": they are counted, and nothing else is."""
    return bool(before) and before[-1].low == "of"


def _is_speaker(token: Token) -> bool:
    """I, we, my, us; but not the US."""
    return token.tag in {"PRON", "POSS", "OBJ"} and token.text != "US"


def _agreeing(words: Sequence[Token], place: int, *, of_user: bool) -> str:
    """The verb beside a speaker who was turned: "they are" out of "I'm", "they were" out of
    "I was"."""
    token = words[place]
    if not of_user and place and words[place - 1].low == "i":
        if token.form == "VB":
            return third(token.lemma)  # "unless the user says otherwise"
        if token.low in {"have", "do"}:
            return {"have": "has", "do": "does"}[token.low]
    beside = (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
    if token.tag != "BE" or not any(t.low == "i" for t in beside):
        return ""
    bent = {"am": "are", "'m": "'re", "m": "'re", "was": "were"} if of_user else {}
    return bent.get(token.low, "")
