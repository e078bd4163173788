"""Standing orders to the assistant: how to answer from now on. One-off tasks are left alone."""

import re
from collections.abc import Sequence
from itertools import pairwise

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import ANSWER_NOUNS, LANGUAGES
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.verbs import CLASSES, third
from hermes.memory.facts.clauses.wording import others
from hermes.types import FactKind

_VERBS = frozenset(CLASSES["order"].split())
_STANDING = re.compile(
    r"\b(?:always|never|from (?:now|here|today) on|every time|in (?:the )?future|going forward|"
    r"anymore|any more|ever|"
    r"in everything|each time|by default|whenever|when you (?:write|answer|reply|explain))\b",
    re.I,
)
_ONCE = re.compile(
    r"\b(?:this (?:time|one|once|chart|script|message|text|mail|paragraph|function|file)|just this|"
    r"for (?:this|that|now|today)|here(?! on)|that one|again|the (?:column|dict|second|first|last|"
    r"third|function|file|chart|script|title|intro|table|test|code above))\b",
    re.I,
)
_REQUEST = re.compile(
    r"^(?:(?:please|pls|plz|kindly|also|and|but|so|ok|from now on|just|in future|hey)[, ]+)*"
    r"(?:(?:can|could|would|will) you (?:please |pls )?|i(?: want|'d like| would like| need) you "
    r"to )?"
    r"(?:please |pls )?",
    re.I,
)
_WISH = re.compile(
    r"^(?:i'd|i would|we'd) (?:rather|prefer|like)(?: to)? (?:you )?(?:(?:have|get|see|use|be|"
    r"receive) )?(?P<what>.+)",
    re.I,
)
_ASKED_OF = re.compile(
    r"^(?:i|we)(?:'d| would)? (?:(?P<often>always|never) )?(?:(?:want|need|expect|like|prefer|"
    r"rather)(?: that)?) you (?:to )?(?P<what>.+)",
    re.I,
)
_ALWAYS = re.compile(
    r"^i (?P<often>always|never) (?:want|need|expect|would like) (?P<what>(?!you\b).+)", re.I
)
_POLITELY = re.compile(r"^(?:please|pls|plz|kindly) (?:(?:always|never) )?(?P<verb>\w+) ", re.I)
_STYLE = frozenset(
    "short brief concise informal formal simple terse plain bullet bullets metric celsius imperial "
    "grams kilometres euros british american 24h first".split()
)
_ANNOYED = re.compile(
    r"(?:i (?:don't|do not|really don't) like|i hate|i can't stand|annoys me|drives me \w+)(?: "
    r"it)? when you (?P<what>.+)",
    re.I,
)
_UNWANTED = re.compile(
    r"i (?:don'?t|do not|never) want (?:any |to see (?:any )?)?(?P<what>[\w' -]{3,40}?) in "
    r"(?:anything|everything|whatever|what|the \w+|my \w+) you (?:write|send|make|give)\b",
    re.I,
)
_COURTESY = re.compile(r"(?i)[, ]*\b(?<!\bmy )(?:please|pls|plz|thanks|thx|ok)\b[, ]*")
_FOR_GOOD = re.compile(
    r"(?i)(?:always|never) (?!change a|mind|give up|know|seen|heard|been|had|again)"
)
_DEED = 3  # words that "always" and what is to be done have at least
_WANT_YOU = re.compile(r"(?i)i(?:'d like| would like| want| need) you to (?:always|never|stop)\b")
_BOTHERS = frozenset("ask remind ping bug call text bother tag nag poke".split())
_UNDOING = frozenset("stop avoid skip no quit keep start".split())
_WANTED_ALWAYS = re.compile(
    r"(?i)(?P<what>[^,;:]+(?:, [^,;:]+)?),? (?:please,? |pls,? )?(?:always|every time|from now on)"
    r"(?:,? (?:please|pls))?"
)
_TOLD = frozenset({"BE", "HAVE", "AUX", "PRON", "NEG"})
_SAMPLES = frozenset("samples sample examples example steps code snippets".split())
_PLEASE = re.compile(r"\b(?:please|pls|plz)\b", re.I)


_AGAINST = re.compile(r"(?i)\b(?:not|never|no|stop|avoid|skip|over|than)\b")
_ANSWERS = frozenset(
    "answer answers reply replies respond response responses explanation explanations talk "
    "speak".split()
)
_LENGTHS = frozenset(
    "short shorter long longer brief briefer concise detailed terse lengthy".split()
)
_UNITS = frozenset("metric imperial celsius fahrenheit".split())
_BARE = 6  # words of an order that is about the language and nothing else
_IS_ASKED = re.compile(
    r"(?i)(?:should|shall|may|can|could|would|will|must|do|does|did) (?:i|we|they|he|she)\b|"
    r"(?:do|did|are|were|have) you\b"
)
_DEFINITE = frozenset("the this that it them those these".split())
_ANY_OTHER = frozenset("other any another anything more extra additional".split())
_FROM_NOW = re.compile(r"(?i),? (?:from (?:now|here|today) on(?:wards)?|going forward|in future)$")
_THEIRS = {"my": "their", "me": "them", "our": "their", "us": "them", "i": "they", "we": "they"}
_YOU_DO = re.compile(
    r"(?i)\b(before|after|when|while|until) you (?!are\b|have\b|can\b|will\b|do\b)([a-z]+)\b"
)
_ORDERED = rf"(?P<order>(?:always |never |don't )?(?:{'|'.join(sorted(_VERBS))})\b[^,]{{2,80}}?)"
_WRITES = (
    r"you (?P<when>(?:write|answer|reply|respond|explain|give|suggest|recommend|format|translate|"
    r"quote|cite|mention|summari[sz]e|draft|create|make|send|post|report|generate|review|edit|"
    r"proofread|correct|list|plan|schedule|book|name|commit|refactor|code|test|deploy|touch|change|"
    r"update|delete|prepare|design|sign|talk|speak|refer|use|show|present|rewrite|rephrase|"
    r"describe|teach|quiz|invoice|bill)\b(?! (?:the|this|that|it|him|her|them)\b)[^,]{0,60})"
)
_WHEN_YOU = re.compile(
    rf"(?i)(?:please,? )?(?:when(?:ever)?|every time) {_WRITES}, (?:please )?{_ORDERED}"
)
_WHENEVER = re.compile(rf"(?i)(?:please,? )?{_ORDERED} (?:when(?:ever)?|every time) {_WRITES}")
_OF_SPEAKER = re.compile(r"(?i)(?<![\w'])(?:my|me|our|us|i|we)(?![\w'])")
_RATHER = re.compile(
    r"(?i)i(?:'d| would) take (?P<what>[\w' -]+ over [\w' -]+?)(?: any ?(?:day|time))?$"
)
_YOU = re.compile(r"(?i)\byou (\w+)\b")
_MEANT = re.compile(
    r"(?:when|if) i (?:say|write|ask for) [\"“']?(?P<word>[\w -]{2,30}?)[\"”']?,? i (?:always "
    r")?mean (?P<what>.+)",
    re.I,
)


def find_annoyance(text: str) -> list[Candidate]:
    """ "I don't like it when you …"; "when I say the usual I mean …"; "when you write code, …"."""
    if ordered := _WHEN_YOU.fullmatch(text.strip(" .!")) or _WHENEVER.fullmatch(text.strip(" .!")):
        order = f"{ordered['order']} when you {ordered['when']}"
        return [] if _ONCE.search(text) else [order_of(order)]
    if meant := _MEANT.match(text):
        word, what = meant["word"], meant["what"].strip(" .!")
        return [
            Candidate(
                f"By {word!r} the user means {what}",
                FactKind.PREFERENCE,
                USER,
                f"vocabulary:{word.lower()}",
                what,
                single=True,
            )
        ]
    if unwanted := _UNWANTED.match(text):
        what = unwanted["what"].strip()
        told = f"User wants no {what} in what Hermes writes"
        return [Candidate(told, FactKind.PREFERENCE, USER, "avoids", what)]
    annoyed = _ANNOYED.search(text)
    if annoyed is None:
        return []
    what = re.split(r",| because ", annoyed["what"])[0].strip(" .!")
    told = f"User does not like it when Hermes {what}"
    return [Candidate(told, FactKind.PREFERENCE, USER, "dislikes", what)]


def _rather(text: str) -> list[Candidate]:
    found = _RATHER.match(text)
    if found is None:
        return []
    what = found["what"]
    return [Candidate(f"User prefers {what}", FactKind.PREFERENCE, USER, "prefers", what)]


def _always(text: str) -> list[Candidate]:
    """ "code samples in Python with type hints, always": a thing that is wanted, and no deed."""
    found = _WANTED_ALWAYS.fullmatch(text.strip(" .!"))
    words = tokenize(found["what"]) if found else []
    if len(words) <= 1 or words[-1].tag == "PREP" or any(t.tag in _TOLD for t in words):
        return []  # "same as always"
    lead = words[0]
    named = lead.tag in {"NOUN", "ADJ", "NAME", "NUM"} or _is_of_noun(lead, words[1])
    if not named or any(t.tag == "VERB" for t in words[1:]):
        return []
    if not {t.low for t in words} & (ANSWER_NOUNS | _STYLE | _SAMPLES):
        return []
    told = others(words)
    told = told[:1].lower() + told[1:] if lead.tag != "NAME" else told
    return [preference(f"User always wants {told}", told)]


def _is_of_noun(lead: Token, following: Token) -> bool:
    """ "code samples": the first word only reads like a deed."""
    plural = following.tag == "NOUN" and following.low.endswith("s")
    return lead.form == "VB" and lead.lemma not in _VERBS and plural


def find_order(frame: Frame, text: str, *, standing: bool = False) -> list[Candidate]:  # noqa: PLR0911 - one case after the other
    """The preference an imperative or a wish states, if it holds for more than this task."""
    if settled := _rather(text) or _lasting_wish(text) or _always(text):
        return settled
    wanted = _WANT_YOU.match(text)
    if not wanted and (wish := _WISH.match(text)):
        return _wished(wish["what"], frame)
    asked = bool(wanted) or (
        frame.subject.kind == "you" and frame.modal in {"can", "could", "would", "will", "should"}
    )
    if frame.subject.kind != "none" and not asked:
        return []
    start = _REQUEST.match(text)
    body = text[start.end() :] if start else text
    words = [t for t in frame.words if t.tag not in {"INTJ"}]
    lows = {t.low for t in words}
    if _ONCE.search(text) or _IS_ASKED.match(text):
        return []
    verb = next((t for t in words if t.tag == "VERB"), None)
    if verb is None or verb.form not in ({"VB", "VG"} if lows & _UNDOING else {"VB"}):
        return []  # "not planning to, just a bet": what is not done, and no order
    if verb.lemma not in _VERBS:  # "never deploy on Fridays", whatever the deed
        return [order_of(body)] if _FOR_GOOD.match(body) and len(words) > _DEED else []
    if (
        verb.lemma in {"call", "address"}
        and "me" in lows
        and not lows & {"n't", "nt", "never", "stop"}
    ):
        return _called(words)
    denied = bool(lows & {"n't", "not", "never", "nt", "stop", "avoid", "skip", "no"})
    if denied:
        return _denied(words, body)
    if (
        (standing and verb.form == "VB")
        or _STANDING.search(text)
        or _is_style(verb.lemma, words, text)
    ):
        return [order_of(body)]
    return []


def _lasting_wish(text: str) -> list[Candidate]:
    """ "I want you to always cite", "I never want tabs", "please write dates so from now on"."""
    if _ONCE.search(text) or not _STANDING.search(text):
        return []
    if asked := _ASKED_OF.match(text):
        return [order_of(f"{asked['often'] or ''} {asked['what']}".strip())]
    if always := _ALWAYS.match(text):
        wanted = _YOU.sub(lambda found: f"Hermes {third(found[1])}", always["what"])
        what = order_of(wanted).value
        told = f"{always['often'].lower()} wants {what}"
        return [Candidate(f"User {told}", FactKind.PREFERENCE, USER, "prefers", told)]
    polite = _POLITELY.match(text)
    if polite is not None and polite["verb"].lower() in _VERBS:
        return [order_of(text)]
    return []


def _called(words: list) -> list[Candidate]:  # type: ignore[type-arg]
    after = [t for t in words if t.tag == "NAME"]
    if not after:
        return []
    name = spell(after[:2]) if after[0].text.endswith(".") else after[0].text
    if len(after) > 1 and any(t.tag == "PREP" for t in words):
        place = next(n for n, t in enumerate(words) if t.tag == "NAME")
        told = f"User wants to be called {others(words[place:])}"
    else:
        told = f"User is called {name}"
    return [Candidate(told, FactKind.IDENTITY, USER, "nickname", name, single=True)]


def _wished(what: str, frame: Frame) -> list[Candidate]:
    wished = _FROM_NOW.sub("", re.split(r"(?i),| because | so | but ", what)[0].strip())
    lows = {word.lower().strip(".,") for word in wished.split()}
    weighed = "rather" in {t.low for t in frame.words} and lows & {"than", "not", "over"}
    if not lows & (ANSWER_NOUNS | _STYLE) and not weighed:
        return []
    if re.match(r"(?i)(?:an?|some|one|two|three|\d+)\b", wished) and not weighed:
        return []  # "I'd like a template": this once
    if (
        lows & {"love", "go", "move", "live", "be"}
        or len(wished.split()) > 14
        or _ONCE.search(wished)
    ):
        return []
    if weighed:
        wished = re.sub(r"(?i),? (?:rather )?than ", " over ", wished)
        return [preference(f"User prefers {wished}", wished)]
    return [preference(f"User wants {wished}", wished)]


def _denied(words: list, body: str) -> list[Candidate]:  # type: ignore[type-arg]
    """ "don't say fascinating", "never use tabs", "stop adding emojis"."""
    verbs = [t for t in words if t.tag == "VERB"][: 2 if any(t.low == "stop" for t in words) else 1]
    last = verbs[-1] if verbs else None
    index = words.index(last) if last is not None else 0
    following = [t for t in words[index + 1 :] if t.low not in {"me", "us"}]
    lead = following[0] if following else None
    if verbs[0].lemma == "stop" and len(verbs) == 1:
        return []
    if lead is not None and (
        lead.low in _DEFINITE
        or (lead.low not in _ANY_OTHER and values.points_elsewhere(_lead_of(following)))
    ):
        if not any(t.low in {"word", "words", "phrase", "term"} for t in following[:3]):
            return []
    if lead is not None and lead.tag == "PREP" and len(following) == 1:
        return []
    if lead is None and last is not None and last.lemma in _BOTHERS:
        return []  # "stop asking me": said to whoever did
    if _names_one_thing(following) and not _STANDING.search(body):
        return []  # "don't put my number on the sign"
    if (
        lead is None
        and verbs[0].lemma != "stop"
        and not any(t.lemma in {"apologise", "apologize", "hedge", "lecture"} for t in verbs)
    ):
        return []
    if not any(t.low in {"n't", "not", "never", "nt", "stop", "avoid", "skip"} for t in words[:4]):
        return []
    return [order_of(body)]


def _lead_of(words: list) -> list:  # type: ignore[type-arg]
    """What is not to be used, without where, and the first of two: "tables" of "tables or those
    boxes in your answers"."""
    ends = (n for n, t in enumerate(words) if n and (t.low in {"your", "or", "and", ","}))
    return words[: min(next(ends, len(words)), 3)]


def _names_one_thing(words: list) -> bool:  # type: ignore[type-arg]
    """Whether a place or aim is one that only this task has: "on the sign", "in this thread"."""
    return any(
        before.tag == "PREP" and token.low in {"the", "this", "that"}
        for before, token in pairwise(words)
    )


def _is_style(lemma: str, words: list, text: str) -> bool:  # type: ignore[type-arg]
    """ "keep answers short", "answer in German please": about answers as such."""
    lows = {t.low for t in words}
    definite = any(t.low == "the" for t in words[1:3])
    nouns = lows & ANSWER_NOUNS
    if lemma in {"keep", "stick"} and nouns and not definite:
        return True
    if lemma in {"answer", "reply", "respond", "speak", "talk", "write"} and lows & (
        LANGUAGES | {"british"}
    ):
        return bool(_PLEASE.search(text)) and len(words) <= 9 and not definite and "it" not in lows
    if lemma in {"answer", "reply", "respond"} and lows & _STYLE and not definite:
        return bool(_PLEASE.search(text)) and len(words) <= 8
    counted = any(t.low in {"a", "an", "one"} for t in words[1:4])
    if lemma in {"use", "give", "write"} and lows & _STYLE and not (definite or counted):
        return bool(_PLEASE.search(text)) and len(words) <= 8
    if lemma == "sign" and "me" in lows:
        return True
    return lemma == "correct" and bool(lows & {"mistakes", "errors"})


def order_of(body: str) -> Candidate:
    order = _COURTESY.sub(" ", body).strip(" ,.!")
    order = re.split(r"(?i),? (?:because|so that|it drives|i read|it's annoying|since) ", order)[0]
    order = re.sub(r"(?i)^(?:don'?t|do not)\b", "not", order)
    order = _FROM_NOW.sub("", re.sub(r"(?i)^from now on,? | even$", "", order))
    order = re.sub(r"(?i)^(?:can|could|would|will) you (?:please )?", "", order)
    order = re.sub(r"(?i)^you (?:should|must|need to|have to) ", "", order)
    order = order[:1].lower() + order[1:] if order[1:2].islower() else order
    order = re.sub(r"(?i)\byour(?=(?:self)?\b)", "its", order).replace("itsself", "itself")
    order = _YOU_DO.sub(lambda found: f"{found[1]} it {third(found[2])}", order)
    order = _OF_SPEAKER.sub(lambda found: _THEIRS[found.group().lower()], order)
    return preference(f"User wants Hermes to {order}", order)


def preference(text: str, value: str) -> Candidate:
    """Of the language and the length of answers, and of units, one is wanted at a time."""
    topic = "" if _AGAINST.search(value) else _topic(value)
    attribute = f"prefers:{topic}" if topic else "prefers"
    return Candidate(text, FactKind.PREFERENCE, USER, attribute, value, single=bool(topic))


def _topic(value: str) -> str:
    lows = set(value.lower().replace(",", "").split())
    if lows & _UNITS:
        return "units"
    if not lows & _ANSWERS:
        return ""
    if lows & LANGUAGES and len(lows) <= _BARE:
        return "answer_language"
    return "answer_length" if lows & _LENGTHS else ""


def is_task(frame: Frame) -> bool:
    """Something to be done now: "read the interview and tell me the mood"."""
    ordered = frame.subject.kind == "none" and bool(frame.group) and frame.group[0].form == "VB"
    return ordered and frame.verb not in _VERBS


def has_order(found: Sequence[Candidate]) -> bool:
    """Whether one of the readings is by this reader."""
    return any("by:order" in each.signs for each in found)


def is_standing(text: str) -> bool:
    """Said for good: "always", "from now on"."""
    return bool(_STANDING.search(text))
