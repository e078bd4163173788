"""The ways in which a stretch of a sentence tells a change, each as the plain sentence that holds.

Each way is a pattern and a function; the first that fits is taken. Whether the sentence asserts
anything at all, and what the readers make of the plain sentence, is for `updates`.
"""
# ruff: noqa: E501 - a way of saying is a line, however long

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from hermes.memory.facts.change import Change, is_announced
from hermes.memory.facts.clauses.lexicon import KIN_PLURAL, OTHERS_IN_LIFE
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.memory.facts.sorts import sorts_of

_MOST = 8  # words of a value
_LEAD = r"(?:(?:also|just|finally|now|then|actually|again|ok|okay|oh|btw|plus)\b,?\s+)*"
_OWN = r"(?P<own>my|our|the)\s+"
_THING = r"(?P<thing>(?!(?:it|that|this|one|way|mind|car|house|kids?|baby)\b)[\w][\w'’.&/-]*(?: (?!to\b|from\b|up\b|down\b|back\b|that\b|which\b)[\w'’.&/-]+){0,3}?)"
_NEW = r"(?P<new>\S.*?)"
_MOVES = (
    r"(?:mov|push|shift|bump|brought|put|set|switch|chang|extend|postpon|delay|reschedul|rais|upp|"
    r"lower|increas|reduc|cut|dropp|doubl|upgrad|downgrad|rebook)(?:ed|d|ing)?"
)
_WAY = r"(?:(?:back|up|down|out|forward|over|on|ahead)\s+)*"
_AGENT = (
    r"(?P<agent>(?:(?:my|our|the)\s+)?[\w'’-]+(?:\s+[\w'’-]+)??)(?P<has>['’]?ve|['’]re|['’]s|['’]m)?\s+"
    r"(?:(?:have|has|had|are|is|just|also|now|finally|already|then)\s+)*"
)
_TAIL = re.compile(
    r"(?i)[\s,]+(?:now|instead|again|already|please|pls|btw|lol|sadly|finally|from now on|these days|"
    r"for (?:everybody|everyone|all(?: of them)?|now|good)|(?:starting|effective|beginning|as of|"
    r"since|from|because|bc|after|so|and|but|not|due to|in order)\b.*|today|yesterday|"
    r"last (?:week|month|year|night|\w+day)|this (?:week|month|year)|same (?:day|time|hour|place))$"
)
_NOW = re.compile(r"(?i)\b(?:now|instead|from now on|these days|as of|from here on)\b")
_DOSE = re.compile(r"(?i)\d[\d.,]*\s?(?:mg|mcg|µg|ug|ml|iu|units?)\b")
_AMOUNT = re.compile(
    r"(?i)(?:the )?[€$£]?\s?\d[\d.,]*\s?(?:%|[a-z€$£%]+)?(?:(?:\s?/\s?|\s(?:a|an|per|in|the)\s)?\s?[a-z%€$£]+){0,3}"
)
_TIMES = frozenset({"date", "clock", "weekday"})
_NO_TIME = re.compile(r"(?i)\b(?:floor|room|row|level|shelf|street|avenue|place|page|track|line)\b")
_PREP = re.compile(r"(?i)(?:on|at|in|by|the|every|each|end|mid|early|late|next)\b")
_NO_NAMES = frozenset("PREP PRON ADV NEG VERB BE HAVE AUX WH".split())
_KIN = OTHERS_IN_LIFE | {many for many, one in KIN_PLURAL.items() if one in OTHERS_IN_LIFE}
_CALLED_SO = re.compile(r"(?i)^(?:called|named|known as)\s+")
_TODAY = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|once|time))\b"
)
_IDENTIFIER = re.compile(r"\S*(?:[\w>][/_<.-][\w<]|[<>@#])\S*")
_NAMES = re.compile(r"(?i)(?:switch|chang)")


@dataclass(frozen=True, slots=True)
class Update:
    """A plain sentence that holds by some words, and the change those tell.

    `news` are the words before them without which nobody would know of what they are said; `plain`
    words are nearly a plain sentence as they stand. What is told `better` takes the place of what
    a reader made of the same words.
    """

    said: str
    quote: str
    change: Change
    news: str = ""
    correction: bool = False
    replaces: str = ""
    since: str = ""
    plain: bool = False
    better: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence, and what the message says before it.

    `lead` is what of that is in the same sentence, and `rest` what the sentence says after it.
    """

    text: str
    before: str
    lead: str = ""
    rest: str = ""


def find_update(piece: Piece) -> Update | None:
    """What holds by the change that a piece tells, if it tells one that is not of the day."""
    if _TODAY.search(piece.text):
        return None
    for find in _WAYS:
        if (told := find(piece)) is not None:
            return told
    return None


def _set_to(piece: Piece) -> Update | None:
    """ "raised my rate to 110", "they've put the lisinopril up to 20 mg"."""
    found = _SET_TO.fullmatch(piece.text)
    if found is None or set((found["agent"] or "").lower().split()) & _KIN:
        return None
    new, named = _value(found["new"]), _NAMES.match(found["verb"]) and found["own"] != "the"
    own, thing = found["own"].lower(), found["thing"]
    if not (_is_time(new) or _AMOUNT.fullmatch(new) or (named and _is_name(new))):
        return None
    dosed = _DOSE.match(new) and "'s" not in thing.replace("’", "'")
    said = f"I am on {thing} {new}" if dosed else f"{own} {thing} is {_placed(new)}"
    change = Change(new=new, topic=thing, cued=True)
    return Update(said, piece.text, change, better="date" in sorts_of(new))


_SET_TO = re.compile(
    rf"{_LEAD}(?:{_AGENT})??(?P<verb>{_MOVES})\s+{_OWN}{_WAY}{_THING}\s+{_WAY}(?:to|until|till)\s+{_NEW}",
    re.I,
)


def _went_to(piece: Piece) -> Update | None:
    """ "QA found a crash so 4.0 slips to 2 April": a day, however it is come to be told."""
    found = _WENT_TO.fullmatch(piece.text)
    new = _value(found["new"]) if found else ""
    if found is None or not _is_time(new):
        return None
    own, thing = (found["own"] or "").lower(), found["thing"]
    if set(thing.lower().split()) & _KIN:
        return None
    said = f"{own} {thing} moved to {new}".strip()
    return Update(said, piece.text, Change(new=new, topic=thing, cued=True, moved=True), plain=True)


_WENT_TO = re.compile(
    rf"{_LEAD}(?:(?P<own>my|our|the)\s+)?(?!(?:i|we|they|he|she|it|you)\b){_THING}\s+"
    rf"(?:(?:has|have|had|got|is|was|are|were|been|just|now)\s+)*"
    rf"(?:slip(?:s|ped)|moved|moves|pushed|shift(?:ed|s)|postponed|delayed|rescheduled|extended|"
    rf"bumped|brought)\s+{_WAY}(?:to|until|till)\s+{_NEW}",
    re.I,
)


def _is_now(piece: Piece) -> Update | None:
    """ "got a new landlord, it's Ms. Adeyemi now", "funder extended the call! Jan 29 now"."""
    found = _IS_NOW.fullmatch(piece.text)
    if found is None or not _NOW.search(piece.text):
        return None
    new = _value(found["new"])
    about = _last(_TURNED, piece.before)
    if about is not None and (_is_name(new) or _is_time(new)):
        own = "our" if (about["who"] or "").lower().startswith("we") else "my"
        return replace(_slot(piece, own, about["thing"], new), news=about.group())
    about = _last(_REDATED, piece.before)
    if about is None or not _is_time(new) or set((about["agent"] or "").lower().split()) & _KIN:
        return None
    change = Change(new=new, topic=about["thing"], cued=True)
    said = f"{about['own'].lower()} {about['thing']} moved to {new}"
    return Update(said, piece.text, change, news=about.group())


_IS_NOW = re.compile(
    rf"{_LEAD}(?:(?:it|that|he|she)(?:['’]?s| is| will be)\s+)?(?:now\s+)?(?:due\s+)?{_NEW}", re.I
)
_TURNED = re.compile(
    r"(?:(?:^|[.!?,;:])\s*(?:(?:and|also|so|but|just|ok|update|news)[,:]?\s+)*|\b(?=(?:i|we)\b))(?:(?P<who>i|we)(?:['’]?ve| have)?\s+)?"
    r"(?:(?:also|just|finally)\s+)*(?:(?:switch|chang|swapp)ed(?: (?:my|our|the))?(?: to)?(?: an?)?(?: new)?|"
    r"(?:got|have|found|hired|chose|picked) (?:a|my|our) new|there['’]?s a new)\s+"
    r"(?P<thing>(?!(?:our |my )?(?:minds?|plans?|topics?|subjects?|things?|it|clothes)\b)[a-z][a-z-]+(?: (?!and\b|so\b|but\b)[a-z-]+)?)(?=\s*(?:[.!,;]|$|\b(?:and|so|but)\b))",
    re.I,
)
_REDATED = re.compile(
    rf"(?:{_AGENT})??(?:extend|mov|push|postpon|delay|reschedul|chang|shift)ed\s+{_WAY}{_OWN}"
    r"(?P<thing>[a-z][\w-]*(?: (?!and\b|so\b|but\b|to\b|back\b)[\w-]+)?)(?: back| out| again)?(?=\s*(?:[.!,;]|$))",
    re.I,
)


def _extended(piece: Piece) -> Update | None:
    """ "got an extension!! now i hand in on 26 Feb": the day that a deadline has now."""
    found = _DUE_ON.fullmatch(piece.text) if _EXTENDED_BY.search(piece.before) else None
    until = None if found else _EXTENDED_TO.fullmatch(piece.text)
    told = found or until
    new = _value(told["new"]) if told else ""
    if told is None or not _is_time(new):
        return None
    does = (found["does"] or "").split(" ", maxsplit=1)[0].lower() if found else ""
    by = None if until else _last(_EXTENDED_BY, piece.before)
    thing = by["thing"] if by and by["thing"] else _DONE.get(does, _EXTENDED)
    said = f"the {thing} is {new}" if thing == _EXTENDED else f"the {thing} is due {new}"
    change = Change(new=new, topic=thing, cued=True)
    return Update(said, piece.text, change, news=by.group() if by else "")


_EXTENDED = "deadline"  # what an extension is of, where it is not named
_DONE = {"deliver": "delivery", "defend": "defence", "file": "filing"}
_DONE |= dict.fromkeys(("hand", "submit", "turn"), "submission")
_EXTENDED_BY = re.compile(
    r"(?i)\b(?:[\w'’]+ ){0,2}(?:got|gets?|gave (?:me|us)|granted (?:me|us)|have|was given|were given) an? "
    r"(?:\w+ )?extension\b(?! (?:cord|cable|school|lead))(?: (?:on|for) (?:the|my|our) (?P<thing>[a-z][\w-]+(?: [a-z][\w-]+)?)(?=\s*[,.;!]))?"
)
_DUE_ON = re.compile(
    rf"{_LEAD}(?:(?:i|we) (?:now |only )?(?:have to |need to |must )?(?P<does>hand (?:it )?in|submit(?: it)?|turn it in|deliver(?: it)?|"
    rf"file(?: it)?|defend)\s+(?:on|by)\s+|(?:it['’]?s|it is|(?:the |my |our )?(?:new )?deadline is)\s+(?:now\s+)?(?:due\s+)?(?:on\s+|by\s+)?){_NEW}",
    re.I,
)
_EXTENDED_TO = re.compile(
    rf"{_LEAD}(?:(?!she\b|he\b|they\b)[\w' ]{{1,20}}? )?(?:got|gave (?:me|us)|granted (?:me|us)|have)\s+an? (?:\w+ )?extension\s+(?:to|till|until)\s+{_NEW}",
    re.I,
)


def _runs_on(piece: Piece) -> Update | None:
    """ "im on pandas 2.2 now": who is on a version of something uses it."""
    found = _RUNS_ON.fullmatch(piece.text) if _NOW.search(piece.text) else None
    if found is None:
        return None
    new = f"{found['what']} {found['version']}"
    who = "we" if found["who"].lower().startswith("we") else "I"
    return Update(f"{who} use {new}", piece.text, Change(new=new, cued=True))


_RUNS_ON = re.compile(
    r"(?:(?:good news|finally|so|now|also)[\s,]+)*(?P<who>i['’]?m|i am|we['’]?re|we are)\s+(?:now\s+|finally\s+)?"
    r"(?:on|using|running)\s+(?P<what>[a-z][\w+#.-]*(?: [a-z][\w+#.-]*)?)\s+(?P<version>v?\d+(?:\.\w+)*)"
    r"(?:\s+(?:now|everywhere|these days|finally|btw))*",
    re.I,
)


def _is_called(piece: Piece) -> Update | None:
    """ "you keep calling me Thomas. it's Tobias"."""
    wrong = _last(_MISCALLED, piece.before)
    found = _CALLED.fullmatch(piece.text) if wrong else None
    if wrong is None or found is None or found["new"].casefold() == wrong["gone"].casefold():
        return None
    change = Change(gone=wrong["gone"], new=found["new"], topic="name", cued=True)
    said = f"my name is {found['new']}"
    gone = wrong["gone"]
    return Update(said, piece.text, change, wrong.group(), correction=True, replaces=gone)


_MISCALLED = re.compile(
    r"(?i:\b(?:(?:you|hermes) (?:keep|kept|are|were|always|still) ?(?:call(?:ing)?|address(?:ing)?|spell(?:ing)?)|"
    r"(?:stop|don['’]?t) call(?:ing)?|you(?:['’]ve)? (?:called|spelled|misspelled)|my name (?:is not|isn['’]?t)|"
    r"(?:i['’]?m|i am) not)(?: me| my name)?(?: as)?) (?P<gone>[A-Z][\w'’-]+)\W*$"
)
_CALLED = re.compile(
    r"(?:(?i:it['’]?s|it is|my name(?: is|['’]s)|i['’]?m|the name is) )(?P<new>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)"
)


def _is_new(piece: Piece) -> Update | None:
    """ "New co-PI is Oona Castellan", "the churn model is catboost now"."""
    found = _IS_NEW.fullmatch(piece.text)
    if found is None:
        return None
    new, announced = _value(found["new"]), is_announced(piece.lead)
    if not (found["fresh"] or announced or _NOW.search(piece.text)) or not new:
        return None
    if not (_is_name(new) or _is_time(new) or (_is_noun(new) and announced)):
        return None
    told = _slot(piece, (found["own"] or "the").lower(), found["thing"], new)
    return replace(told, plain=not (found["fresh"] or announced), correction=announced)


_IS_NEW = re.compile(
    rf"{_LEAD}(?:(?P<own>my|our|the)\s+)?(?P<fresh>new\s+)?(?!(?:it|that|this|he|she|they|there|what)\b){_THING}"
    rf"\s*(?:(?:is|are)\s+(?:now\s+)?|:\s*){_NEW}",
    re.I,
)


def _slot(piece: Piece, own: str, thing: str, new: str) -> Update:
    change = Change(new=new, topic=thing, cued=True)
    return Update(f"{own} {thing} {'are' if is_many(thing) else 'is'} {new}", piece.text, change)


def _moved_home(piece: Piece) -> Update | None:
    """ "we moved to Porto, so my address needs changing"."""
    found = _MOVED_HOME.fullmatch(piece.text)
    if found is None or not _HOME.search(f"{piece.text} {piece.rest}"):
        return None
    change = Change(new=found["new"], topic="location", cued=True)
    return Update(f"I live in {found['new']}", piece.text, change)


_MOVED_HOME = re.compile(
    rf"(?i:{_LEAD}(?:i|we)(?:['’]?ve| have)? (?:just |finally )?moved (?:to|into) )(?P<new>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)"
    r"(?i:,? (?:(?:now|btw|already)|last \w+|(?:a |two |three |four |\d+ |some |a few )?(?:days?|weeks?|months?) ago|"
    r"in \w+|on \w+(?: \d+)?|yesterday))*"
)
_HOME = re.compile(
    r"(?i)\b(?:my|our|the) (?:new |home |postal )?(?:address|flat|apartment|house|home|place|neighbou?rs?|"
    r"landlord|landlady|kitchen|garden|kids|school)\b"
)


def _starts_as(piece: Piece) -> Update | None:
    """ "i signed with Kestrel, start 1 june as mobile lead"."""
    found = _STARTS_AS.fullmatch(piece.text)
    if found is None:
        return None
    when, role = found["when"] or found["then"], found["role"] or found["post"]
    if not _is_time(when):
        return None
    left = _LEFT.search(piece.before)
    change = Change(new=role, topic="role", cued=True) if left else Change()
    return Update(f"I am a {role}", piece.text, change, since=when, better=bool(left))


_LEFT = re.compile(
    r"(?i)\b(?:no more|done with|leaving|left|quit|resigned|signed (?:with|at)|new job|(?:got|took|accepted) the (?:job|"
    r"offer|role|position)|(?:got|been|was) (?:promoted|hired)|got (?:the|a) promotion|last day)\b"
)
_ROLE = r"(?:an? |the )?(?P<{}>[a-z][\w/&+-]*(?: (?!on\b|at\b|from\b|in\b|for\b)[\w/&+-]+){{0,4}}?)"
_STARTS_AS = re.compile(
    rf"{_LEAD}(?:(?:and|i|i['’]?ll|i will|i['’]?m)\s+)*(?:start|starting|begin)\s+(?:(?:on|from)\s+)?(?:(?P<when>\S+(?: \S+)?)\s+as\s+{_ROLE.format('role')}|"
    rf"as\s+{_ROLE.format('post')}\s+(?:on|from|in)\s+(?P<then>\S+(?: \S+)?))(?: at .+)?",
    re.I,
)


_WAYS: tuple[Callable[[Piece], Update | None], ...] = (
    _is_called,
    _moved_home,
    _starts_as,
    _extended,
    _set_to,
    _went_to,
    _runs_on,
    _is_new,
    _is_now,
)


def is_many(thing: str) -> bool:
    return thing.endswith("s") and not thing.endswith("ss")


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return found[-1] if found else None


def _value(raw: str) -> str:
    value = _CALLED_SO.sub("", raw.strip(" .!,;:"))
    while (shorter := _TAIL.sub("", value)) != value:
        value = shorter.strip(" .!,;:")
    return value if len(value.split()) <= _MOST else ""


def _is_time(new: str) -> bool:
    words = len(new.split())
    return bool(sorts_of(new) & _TIMES) and words <= _MOST and not _NO_TIME.search(new)


def _is_name(new: str) -> bool:
    """Whether a value is called by a name, or is a thing that is known by it: no state of one."""
    words = tokenize(new)
    if not words or len(words) > _MOST or words[0].tag in _NO_NAMES:
        return False
    named = any(word.is_capital and word.tag == "NAME" for word in words)
    return named or bool(find_purpose(new))


def _is_noun(new: str) -> bool:
    words = tokenize(new)
    plain = len(words) == 1 and words[0].tag == "NOUN"
    return plain or (_IDENTIFIER.fullmatch(new) is not None)


def _placed(new: str) -> str:
    """ "at 10:00", "on Monday": where a time stands behind "is"."""
    sorts = sorts_of(new)
    if _PREP.match(new) or "date" in sorts or not sorts & _TIMES:
        return new
    return f"on {new}" if "weekday" in sorts else f"at {new}"
