"""Words of a text with a guess at what part of speech each is.

Closed classes are looked up, verbs by their forms, the rest is judged by capitals, endings and the
word before. A guess may be wrong: whoever reads on asks for several signs, never for one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.entities.plain import is_plain
from hermes.memory.facts.clauses.lexicon import (
    ADJECTIVES,
    CLOSED,
    ENVIRONMENTS,
    EVENT_NOUNS,
    FUNCTIONS,
    RELATIONS,
    ROLE_NOUNS,
)
from hermes.memory.facts.clauses.tools import is_tool
from hermes.memory.facts.clauses.verbs import FORMS, base
from hermes.memory.facts.clauses.words import Token, split_words

__all__ = ["Token", "tag", "tokenize"]

_TITLES = frozenset("dr mr mrs ms prof".split())
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2190-\u21ff\u2b00-\u2bff]")


def tokenize(text: str) -> list[Token]:
    """The words and marks of a text, tagged."""
    return tag(split_words(text))


def tag(tokens: Sequence[Token]) -> list[Token]:
    found: list[Token] = []
    for index, token in enumerate(tokens):
        found.append(_tagged(token, found, tokens[index + 1 : index + 9]))
    return found


def _tagged(token: Token, before: list[Token], ahead: Sequence[Token]) -> Token:  # noqa: C901, PLR0911, PLR0912 - one case after the other
    previous = before[-1] if before else None
    following = ahead[0] if ahead else None
    if token.tag == "S":
        return replace(token, tag=_apostrophe(previous, ahead))
    if token.tag:
        return token
    low = token.low
    if not any(char.isalnum() for char in low):
        return replace(token, tag=_mark(token, previous, following))
    if low[0].isdigit():
        return replace(token, tag="NUM" if not re.search(r"[a-z]{3,}", low) else "NAME")
    starts = previous is None or (
        previous.tag in {"PUNCT", "EMOJI"} and previous.text not in ",-'()"
    )
    if beside := _beside(token, previous, following):
        return replace(token, tag=beside)
    if (
        low == "like"
        and previous is not None
        and previous.low in {"i", "we", "they", "you", "n't", "not", "really", "would"}
    ):
        return _verb_or_noun(token, previous, ahead, starts=False)
    if low in CLOSED and not (
        token.is_capital and not starts and low not in {"i"} and len(low) > 2
    ):
        return replace(token, tag=_closed(low, previous, following))
    if low in CLOSED and low != "i" and token.text.isupper():
        return replace(token, tag=CLOSED[low])
    if low in FORMS:
        read = _verb_or_noun(token, previous, ahead, starts=starts)
        return replace(read, tag="NOUN", form="") if _ends_object(read, before, ahead) else read
    if previous is not None and previous.low in _SUBJECTS and not token.is_capital:
        if previous.tag == "PRON" and low not in ADJECTIVES and low.isascii():
            return replace(token, tag="VERB", lemma=_stem(low), form=_form(low))
    kind = _open_class(token, starts=starts)
    if (
        kind == "NOUN"
        and len(before) > 1
        and previous is not None
        and previous.tag == "NEG"
        and before[-2].tag == "AUX"
    ):
        return replace(token, tag="VERB", lemma=low, form="VB")
    if kind == "VERB" and starts and _heads_phrase(ahead):
        return replace(token, tag="NOUN", lemma=low)
    if kind == "VERB":
        return replace(token, tag=kind, lemma=low[:-3], form="VG")
    return replace(token, tag=kind, lemma=low)


def _beside(token: Token, previous: Token | None, following: Token | None) -> str:
    """What a word is by the one before or behind it alone; empty where they do not tell."""
    if token.low in _TITLES and following is not None and following.is_capital:
        return "NAME"  # "prof Okonkwo"
    if token.text == "w" and previous is not None and _opens_phrase(following):
        return "PREP"  # "he stays w the cat"
    if token.low in _SIDES and following is not None and following.low == "handed":
        return "ADJ"
    if token.low == "handed" and previous is not None and previous.low in _SIDES:
        return "ADJ"
    if token.low == "freelance" and following is not None and following.low in ROLE_NOUNS:
        return "ADJ"
    if token.text == "IT" and previous is not None and not _shouts(previous):
        return "NOUN"  # "I do IT for a school"
    if token.low == "longer" and previous is not None and previous.tag == "NEG":
        return "ADV"
    return ""


def _shouts(token: Token) -> bool:
    return token.text.isupper() and len(token.text) > 1


def _opens_phrase(following: Token | None) -> bool:
    return following is not None and CLOSED.get(following.low) in {"DET", "POSS", "OBJ"}


def _mark(token: Token, previous: Token | None, following: Token | None) -> str:
    """What a mark is; "=" is a verb in "vlan 20 = guests", but not in "PORT=80"."""
    if token.text == "=" and previous is not None and following is not None:
        if previous.end < token.start and token.end < following.start:
            return "BE"
    if token.text == "%" and previous is not None and previous.tag == "NUM":
        return "NOUN"  # "6 %"
    return "EMOJI" if _EMOJI.search(token.text) else "PUNCT"


_SIDES = frozenset({"left", "right"})
_FALLS = frozenset(  # what follows a thing that falls on a day, or goes on for long
    "is was has starts ends begins closes opens runs expires lapses happens takes lasts".split()
)
_AFTER_NOUNS = frozenset("date dates time times".split())
_SAME_PAST = frozenset("put set cut hit quit let".split())
_NOUNS = frozenset(
    "variable table cable vegetable archive drive executable deliverable motive dish fish".split()
)
_SUBJECTS = frozenset(("i", "we", "you", "he", "she", "they"))


def _form(low: str) -> str:
    return "VD" if low.endswith("ed") else "VZ" if low.endswith("s") else "VB"


def _stem(low: str) -> str:
    return low[:-2] if low.endswith("ed") else base(low)


def _closed(low: str, previous: Token | None, following: Token | None) -> str:
    if low == "no" and following is not None and following.text not in ",.!":
        return "NEG" if following.low == "longer" else "DET"
    if low == "that" and previous is not None and previous.tag == "VERB":
        return "WH"
    if low == "her" and (following is None or following.tag == "PUNCT"):
        return "OBJ"
    return CLOSED[low]


def _apostrophe(previous: Token | None, ahead: Sequence[Token]) -> str:
    """Whether "'s" owns or is: it is, after a pronoun and where no other verb follows."""
    following = ahead[0] if ahead else None
    if previous is not None and (
        CLOSED.get(previous.low) in {"PRON", "WH"} or previous.low in {"here", "there"}
    ):
        return "BE"
    if following is None:
        return "GEN"
    low = following.low
    if low in {"got", "been"}:
        return "HAVE"
    if low in EVENT_NOUNS or low in _ING_NOUNS:
        return "GEN"
    if CLOSED.get(low) in {"DET", "PREP", "NEG", "ADV", "POSS", "PRON"} or low.endswith("ing"):
        return "BE"
    if low in FORMS and FORMS[low][1] in {"VN", "VD"}:
        taken = len(ahead) > 1 and CLOSED.get(ahead[1].low) in {"DET", "POSS"}
        return "HAVE" if taken else "BE"  # "Kieran's passed his test"
    if low in _STATES:
        return "BE"
    related = previous is not None and (previous.low in RELATIONS or previous.tag == "NAME")
    return "GEN" if related or _has_finite(ahead) else "BE"


_STATES = frozenset(
    "allergic vegan vegetarian pregnant married diabetic dyslexic deaf coeliac celiac autistic "
    "retired ill sick intolerant gluten-free lactose-intolerant colour-blind".split()
)
_ASKED = frozenset("write use format show give".split())  # "write dates as …": never a noun
_REPLIES = (["answers"], ["replies"])
_ING_NOUNS = frozenset("meeting building morning evening training opening wedding".split())


def _has_finite(ahead: Sequence[Token]) -> bool:
    for token in ahead:
        if token.text in {",", ".", ";", "and", "but"}:
            return False
        if CLOSED.get(token.low) in {"BE", "HAVE", "AUX"} or FORMS.get(token.low, ("", ""))[1] in {
            "VZ",
            "VD",
        }:
            return True
    return False


def _ends_object(token: Token, before: Sequence[Token], ahead: Sequence[Token]) -> bool:
    """ "I hate phone calls": after its verb, the last word of a phrase is no other verb."""
    last = not ahead or ahead[0].text in {".", "!"}
    told = len(before) > 2 and before[-2].tag == "VERB" and before[-1].tag == "NOUN"
    return token.form == "VZ" and last and told


def _verb_or_noun(  # noqa: PLR0911 - one case after the other
    token: Token, previous: Token | None, ahead: Sequence[Token], *, starts: bool
) -> Token:
    following = ahead[0] if ahead else None
    lemma, form = FORMS[token.low]
    if token.low == "quit" and previous is not None and previous.tag in {"PRON", "HAVE", "ADV"}:
        form = "VD"  # "I quit sugar" is told when it is done
    verb = replace(token, tag="VERB", lemma=lemma, form=form)
    noun = replace(token, tag="NOUN", lemma=token.low)
    if token.is_capital and not starts and not token.text.isupper():
        return replace(noun, tag="NAME")
    if form == "VB" and _is_named(token, previous, ahead):
        return noun
    if previous is None or starts:
        return noun if form in {"VB", "VZ", "VG"} and _heads_phrase(ahead) else verb
    if _leads_noun(previous, form):
        return noun if form in {"VB", "VZ"} or previous.tag in {"DET", "POSS"} else verb
    of_work = token.low in FUNCTIONS and previous.low in {"from", "in"}  # "Lena from accounting"
    if of_work or (previous.tag == "PREP" and previous.low != "to" and form in {"VB", "VZ"}):
        return noun
    if previous.tag in {"AUX", "VERB"} and form == "VZ":
        return noun
    if previous.tag in {"NOUN", "NAME"} and form == "VB" and not previous.low.endswith("s"):
        return noun if token.low not in _SAME_PAST else verb
    if following is not None and following.tag == "" and following.low in {"is", "are", "was"}:
        return noun if form in {"VB", "VZ"} else verb
    return verb


def _is_named(token: Token, previous: Token | None, ahead: Sequence[Token]) -> bool:
    """ "start date 1 July", "cycle time only"; "the baby is due in May, leave starts in April"."""
    low = ahead[0].low if ahead else ""
    if low in _AFTER_NOUNS and token.low not in _ASKED:
        return True
    return previous is not None and previous.text == "," and low in _FALLS


def _leads_noun(previous: Token, form: str) -> bool:
    """What a noun follows; but "4.0 slips to 2 April" is said of a release."""
    release = previous.tag == "NUM" and "." in previous.text and form == "VZ"
    led = previous.tag in {"DET", "POSS", "ADJ", "NUM", "GEN"}
    return led and form != "VN" and not release


def _heads_phrase(ahead: Sequence[Token]) -> bool:
    """What follows is a verb, at once or after one more noun: this word is what it is about."""
    if [t.low for t in ahead[:1]] in _REPLIES:
        return False  # "keep answers short"
    for place, token in enumerate(ahead[:3]):
        kind = CLOSED.get(token.low, "")
        if kind in {"BE", "HAVE", "AUX"} or (kind == "ADV" and place == 0):
            return kind != "ADV" or _heads_phrase(ahead[1:])
        if FORMS.get(token.low, ("", ""))[1] in {"VZ", "VD"} or (
            place == 0
            and token.low in {"go", "run", "live", "need", "happen", "stay", "get", "take", "use"}
        ):
            return True
        if (
            place
            and ahead[place - 1].low.endswith("s")
            and FORMS.get(token.low, ("", ""))[1] == "VB"
        ):
            return True
        if kind or not token.text[:1].isalpha():
            return False
    return False


def _open_class(token: Token, *, starts: bool) -> str:  # noqa: PLR0911 - one case after the other
    low, text = token.low, token.text
    if low in ENVIRONMENTS:
        return "NOUN"
    if low in ADJECTIVES and not (token.is_capital and not starts):
        return "ADJ"
    if is_tool(low) and (not starts or token.is_capital or len(low) > 4):
        return "NAME"
    inner = text[1:]
    if any(char.isupper() for char in inner) or (any(map(str.isdigit, text)) and len(text) > 1):
        return "NAME"
    if token.is_capital:
        return "NAME" if not starts or not _is_plain_noun(low) else _plain_class(low)
    if low.endswith("ly") and len(low) > 4:
        return "ADV"
    if low.endswith(("ful", "ous", "able", "ible", "less", "ish", "ive")) and low not in _NOUNS:
        return "ADJ"
    if low.endswith("ing") and len(low) > 5:
        return "VERB"
    return "NOUN"


def _is_plain_noun(low: str) -> bool:
    """A capital at a sentence's start says little; these endings are those of plain nouns."""
    endings = ("tion", "tions", "ment", "ments", "ness", "ity", "ings", "ers", "ies", "ces", "ups")
    return low.endswith(endings) or is_plain(low)


def _plain_class(low: str) -> str:
    if low.endswith("ly") and len(low) > 4:
        return "ADV"
    return "ADJ" if low.endswith(("est", "ful", "ous", "able", "less", "ive")) else "NOUN"
