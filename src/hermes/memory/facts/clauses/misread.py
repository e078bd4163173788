"""Readings whose sentence says otherwise: a start that was dropped, a name that nobody uses, code.

A reader sees a clause. What stands beside it in the sentence may turn its meaning: that it begins
only in June, that the husband died, that these are lines of a letter by someone else. Each kind of
misreading is either told as it was meant or left, whichever reader it was; the gate is not asked.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.lexicon import CONDITIONS, DIETS, NAMES
from hermes.memory.facts.clauses.split import Sentence
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.types import FactKind

_OF_A_DAY = frozenset({FactKind.DEADLINE, FactKind.EVENT, FactKind.DECISION})
_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WHEN = (
    rf"(?:the )?(?:(?:next|this|coming) )?(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTHS}|"
    rf"{_MONTHS}(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?|{_DAYS}|week|month|year|spring|summer|autumn|"
    r"fall|winter|term|semester|tomorrow|\d{1,2}(?:st|nd|rd|th))(?: 20\d\d)?"
)
_START = re.compile(
    rf"(?i)^(?:(?:also|and|so|but|oh|btw|well|ok|then)[, ]+)*(?P<start>(?:from|as of|as from|"
    rf"starting(?: in| on| from)?|beginning|effective) {_WHEN}(?: (?:to|until|till) {_WHEN})?)\b"
    r"(?: on(?:wards?)?\b)?,? (?!to\b|until\b|till\b|and\b)"
)
_STARTING = re.compile(rf"(?i)\b(?:starting|i start|start)(?: on| in| from)? (?P<day>{_WHEN})\W*$")
_AFTERWARDS = re.compile(
    r"(?i)^(?:(?:and|so|but)[, ]+)*(?:after (?:that|this|which)|afterwards|"
    r"from then(?: on)?|by then)\b"
)
_TIME = re.compile(
    r"^(?:every|each|on|at|in|once|twice|daily|weekly|again|back|when\w*|about|from|tomorrow|today|"
    rf"tonight|later|(?i:{_DAYS})s?)\b"
)
_NOT_SO_CALLED = re.compile(
    r"(?i)\b(?:nobody|no ?-?one|none|hardly any\w*|never|don'?t|doesn'?t)\b[^,;]*\bcalls? me\b|"
    r"^(?:only|just)\b(?! calls? me)[^,;]*\bcalls? me\b|\bcalls? me [^,;]*\b(?:except|but not)\b"
)
_DIED = r"(?:had |has |sadly |suddenly |recently )*(?:died|passed away|passed on)\b"
_THEY_DIED = re.compile(rf"(?i)\b(?P<who>he|she) (?:{_DIED}|passed(?=[,.;!?]|$))")
_MEN = frozenset(
    "husband father dad brother son uncle grandfather grandpa boyfriend nephew".split()
)
_WOMEN = frozenset(
    "wife mother mum mom sister daughter aunt grandmother grandma girlfriend".split()
)
_STAY = re.compile(r"(?i)^(?:and |so |but |now )*we(?:'re| are) in \S+(?: \S+)?$")
_FOR_A_WHILE = re.compile(
    r"(?i)(?:'re|'m|\bare|\bam|\bim) in .*\b(?:until|till|for (?:an?|the|two|three|\d+) (?:\w+ )?"
    r"(?:days?|weeks?|weekend|nights?|summer)|this week|tonight|today|on (?:holiday|vacation)|"
    r"visiting)\b"
)
_STAYING = re.compile(r"(?i)\b(?:stay\w*|live|living|based|home|since|years|office|settled|now)\b")
_PROVIDER = re.compile(
    r"(?i)\b(?:banks?|banking|host(?:er|ing)?|servers?|provider|insur\w+|electricity|energy|broadband|"
    r"internet|carrier|mail|cloud|vps|supplier|software|payroll|bookkeeping|telecoms?|accounts?)\b|bank"
)
_LONGEST_INITIALS = 3
_TOPIC = 4  # words of a sentence that only says what comes
_MOVED = re.compile(r"(?i)\b(?:moved|switched|migrated|changed|moving|switching) (?:over )?to ")
_ONCE = re.compile(r"(?i)\b(?:when (?:i|we) (?:was|were)|as an? (?:child|kid|baby|teen\w*))\b")
_HALF = re.compile(
    r"(?i)\b(?:institute|school|university|faculty|cent(?:re|er)|college|department|ministry|museum|"
    r"academy|society|office|council|association|federation|house|library|bank|church|hospital)$"
)
_REST = re.compile(r"^ ((?:for|of)(?: the)?(?: [A-Z][\w'’-]+)+(?: (?:and|&)(?: [A-Z][\w'’-]+)+)?)")
_SO = re.compile(r"(?<!,) so .+$")
_OF_SPEAKER = re.compile(r"User(?:'s team)? [a-z]")
_AWAY = re.compile(
    r"^(?:User|[A-Z])\S*(?: [\w']+){0,6} (?:is|[a-z]{3,}) there\b(?! (?:is|are|was)\b)|"
    r"^User(?:'s \w+| \(with others\))?(?: [\w']+){1,5} (?:w/|with|about|from) it\b|"
    r"\b(?:gets?|buys?|has|keeps?|takes?|orders?) (?:ours|mine|theirs)\b"
)
_ONE_OF_MANY = ("User is the one ", "User is the guy ", "User is the person ")
_CODE = re.compile(r"\b\w+ = \w+\(|\b\w+=\S+ \w+=\S+|[{}]\s*$")
_CALLS = re.compile(r"(?<!\d)\"|[“”]")
_OUT = re.compile(r"(?i),\s*(?P<gone>[\w.+#-]+(?: [\w.+#-]+)?) (?:is |are )?(?:out|gone)$")
_IDIOM = re.compile(
    r"(?i)\bnever say (?:never|die)\b|\b(?:sign|count) me (?:up|in)\b|"
    r"\bnever \w+ing (?:\w+ ){0,2}again\b|"
    r"\beat my hat\b|\bover my dead body\b|\bwhen pigs fly\b|\b(?:kill|shoot) me\b|"
    r"\bnever (?:look|looking) a gift\b|\bno pain,? no gain\b|\blive and learn\b"
)
_WISH = "User wants Hermes to "
_STANDING = re.compile(
    r"(?i)\b(?:always|never|whenever|every|each|any\w*|from now on|in (?:the )?future|by default|"
    r"again|ever|all|unless|when|if)\b"
)
_ONE_TASK = re.compile(
    r"(?:(?:not )?(?:make|plan|book|sign|build|create|set up)|draft|send|text|call|keep|"
    r"start|put together|find|look|go through) "
    r"(?:(?:them|me|us|up|for) )*(?:an?|the|one|some|for|up)\b"
)
_PAPER = re.compile(
    r"(?i)(?:my|our|the) (?:cv|resume|résumé|profile|linkedin|form|file|record|website|bio|"
    r"contract|badge|horoscope)(?: page| still)? (?:says?|claims?|states?|reads?)\b"
)
_BACK = re.compile(
    r"(?i)^[\s.…,;:–—-]*(?:(?:well|oh|hm+),? )?(?:actually,? no\b|no,? wait|scratch that|"
    r"strike that|jk\b|(?:just )?kidding|forget (?:that|it)\b|not really\b)"
)
_OPENING = re.compile(r"(?i)\w+ing (?:on|at|till|until) (?:the )?\d")
_SIGNED = re.compile(
    r"(?m)^[ \t]*(?i:(?:with )?(?:best|kind|warm)(?: (?:regards|wishes))?|love|regards|cheers|"
    r"sincerely|yours(?: \w+)?|many thanks|all the best)[,.]?\s+[A-Z][\w .-]{1,30}$|"
    r"\b(?i:love|best|regards|cheers), [A-Z]\w+[ \t]*$"
)
_ANYTHING = re.compile(r"(?i)(?:and |but |so )?(?:any|every)(?:thing|one|body)\b")
_DUE_THEN = re.compile(r"(?i)(?:(?<=from next month)|(?<=from next week)) \((?:on|due) [\d-]+\)$")
_TELLS_NEXT = re.compile(
    r"(?i)\b(?:agree|decid|settl|chos|choos|rul|vot|call|writ|spell|sign|word|name|start|begin|end|"
    r"open|address|label|titl)\w*\b"
)
_ANNOUNCED = re.compile(r"[ \t]*:[ \t]+(?P<what>[^\n.!?;:]*(?:[.:](?=\w)[^\n.!?;:]*)*)")
_I_OR_YOU = re.compile(r"(?i)\b(?:i|me|my|we|us|our|you|your|u)\b")
_LONGEST_ANNOUNCED = 16  # words
_GREETED = re.compile(r"(?im)^[ \t]*(?:hi|hello|dear|hey)\b[^\n]{0,30},")


@dataclass(frozen=True)
class _Beside:
    """What stands around a reading: its sentence, the one before it, and the whole message."""

    sentence: str
    before: str
    message: str
    letter: tuple[int, int] = (0, 0)


def without_misread(
    found: Sequence[Candidate], sentences: Sequence[Sentence], message: str
) -> list[Candidate]:
    """The readings as they were meant, without those that say what nobody said."""
    letter = _letter_in(message)
    mended = (_mended(each, _beside(each, sentences, message, letter)) for each in found)
    return [each for each in mended if each is not None]


def _beside(
    each: Candidate, sentences: Sequence[Sentence], message: str, letter: tuple[int, int]
) -> _Beside:
    place = next((n for n, s in enumerate(sentences) if each.quote in s.text), None)
    whole = each.quote if place is None else sentences[place].text
    return _Beside(whole, sentences[place - 1].text if place else "", message, letter)


def _mended(each: Candidate, beside: _Beside) -> Candidate | None:
    if not each.text:
        return each  # a bare change: it reads nothing
    if any(wrong(each, beside) for wrong in _WRONG):
        return None
    for mend in _MENDED:
        each = mend(each, beside)
    return each


def _is_late(each: Candidate, _: _Beside) -> bool:
    """ "after that I'm freelance": when that is, only the chat knows."""
    lasting = each.kind not in _OF_A_DAY and each.kind is not FactKind.RELATIONSHIP
    return lasting and bool(_AFTERWARDS.match(each.quote))


def _is_no_name(each: Candidate, _: _Beside) -> bool:
    """ "calls me every Monday", "it's four now", "vegan here", "only my bank calls me Jo"."""
    if each.attribute in NAMES and each.subject == USER:
        words = tokenize(each.value)
        counted = any(t.tag == "NUM" or t.low in DIETS | CONDITIONS for t in words)
        shouted = len(each.value) > _LONGEST_INITIALS and each.value.isupper()
        if _TIME.match(each.value) or counted or shouted:
            return True
    return each.attribute in NAMES | {"said:call"} and bool(_NOT_SO_CALLED.search(each.quote))


def _is_of_the_dead(each: Candidate, beside: _Beside) -> bool:
    if each.kind is not FactKind.RELATIONSHIP or not each.text.startswith("User's "):
        return False
    said = re.search(rf"(?i)\b{re.escape(each.value)},? {_DIED}", beside.sentence)
    they = _THEY_DIED.search(beside.sentence)
    others = _WOMEN if they and they["who"].lower() == "he" else _MEN
    return bool(said) or (they is not None and each.attribute not in others)


def _is_no_home(each: Candidate, beside: _Beside) -> bool:
    """ "we're in Sardinia", "we moved to Handelsbanken", "moved to Leeds when I was eleven"."""
    if each.attribute != "location" or not each.text.startswith("User lives"):
        return False
    stays = _STAY.match(each.quote) and not _STAYING.search(beside.sentence)
    once = _MOVED.search(each.quote) and _ONCE.search(beside.sentence)
    if stays or once or _FOR_A_WHILE.search(each.quote):
        return True
    topic = beside.before if len(beside.before.split()) <= _TOPIC else ""
    near = f"{topic} {beside.sentence.partition(each.quote)[0]} {each.value}"
    return bool(_MOVED.search(each.quote) and _PROVIDER.search(near))


def _is_anothers_role(each: Candidate, _: _Beside) -> bool:
    """ "Owain guides": somebody, and what they do."""
    words = each.value.split()
    named = each.attribute == "role" and each.text.startswith("User's role is ")
    return (
        named
        and len(words) == 2
        and words[0].istitle()
        and words[1].islower()
        and bool(re.search(r"[^s]s$", words[1]))
    )


def _has_no_subject(each: Candidate, _: _Beside) -> bool:
    """ "lives in Port Merrow with his ferrets", "Founded 1988 by nuns": it is not the speaker."""
    if not each.text.startswith("User") or each.text.startswith(_WISH):
        return False
    if re.match(
        r"(?i)(?:founded|built|written|made|run|opened|established) (?:\S+ )*by ", each.quote
    ):
        return True
    first = next(iter(tokenize(each.quote)), None)
    third = (
        first is not None
        and (first.form == "VZ" or first.low in {"is", "has"})
        and _OF_SPEAKER.match(each.text)
    )
    return bool(third) and each.attribute.startswith(("said", "location"))


def _points_away(each: Candidate, _: _Beside) -> bool:
    """ "I'm a volunteer there", "we get ours from Bo": only the chat knows where and what."""
    asked = "setting:explicit" in each.signs
    return not asked and bool(_AWAY.search(each.text) or each.text.startswith(_ONE_OF_MANY))


def _is_code(each: Candidate, _: _Beside) -> bool:
    return bool(_CODE.search(each.quote))


def _is_cut(each: Candidate, beside: _Beside) -> bool:
    """ "never put "Esq": the rest of what is quoted stands in the next sentence."""
    return all(len(_CALLS.findall(text)) % 2 for text in (each.text, beside.sentence))


def _is_dropped(each: Candidate, _: _Beside) -> bool:
    """ "we standardise on Terraform, Pulumi out": what is out is not used."""
    found = _OUT.search(each.quote)
    return found is not None and each.value.casefold().startswith(found["gone"].casefold())


def _is_idiom(each: Candidate, _: _Beside) -> bool:
    return bool(_IDIOM.search(each.quote))


def _is_one_task(each: Candidate, _: _Beside) -> bool:
    """ "keep a list of my medication", "don't make me a plan": for this once."""
    if not each.text.startswith(_WISH) or _STANDING.search(f"{each.quote} {each.text}"):
        return False
    return bool(_ONE_TASK.match(each.text.removeprefix(_WISH)))


def _is_on_paper(each: Candidate, _: _Beside) -> bool:
    """ "my CV says I speak Danish": papers say what they say."""
    return bool(_PAPER.match(each.quote))


def _is_taken_back(each: Candidate, beside: _Beside) -> bool:
    """ "we cancelled Zoom... actually no, we kept it"."""
    return bool(_BACK.match(beside.message.partition(each.quote)[2]))


def _is_occasion(each: Candidate, _: _Beside) -> bool:
    """ "printing till 1 September, opening on 17 September": a name for what happens then."""
    return bool(_OPENING.match(each.quote)) and each.text.startswith("User is ")


def _is_anothers_letter(each: Candidate, beside: _Beside) -> bool:
    first, last = beside.letter
    return last > 0 and first <= beside.message.find(each.quote) < last


def _letter_in(message: str) -> tuple[int, int]:
    """Where lines stand between a greeting and a name, with words beside them that say what to do
    with them; nowhere where the message itself is the letter."""
    greeted, signed = _GREETED.search(message), list(_SIGNED.finditer(message))[-1:]
    if greeted is None or not signed or signed[0].start() < greeted.end():
        return 0, 0
    asked = message[: greeted.start()].strip() or message[signed[0].end() :].strip()
    return (greeted.start(), signed[0].end()) if asked else (0, 0)


_WRONG: tuple[Callable[[Candidate, _Beside], bool], ...] = (
    _is_late,
    _is_no_name,
    _is_of_the_dead,
    _is_no_home,
    _is_anothers_role,
    _has_no_subject,
    _points_away,
    _is_code,
    _is_cut,
    _is_dropped,
    _is_idiom,
    _is_one_task,
    _is_on_paper,
    _is_taken_back,
    _is_occasion,
    _is_anothers_letter,
)


def _with_start(each: Candidate, beside: _Beside) -> Candidate:
    """ "from June I'm only in on Mondays": it is not so yet."""
    if each.kind in _OF_A_DAY or each.kind is FactKind.RELATIONSHIP:
        return each
    found = _START.match(each.quote)
    start = found["start"] if found else ""
    if not found and each.attribute in {"role", "employer"} and "by:fragment" in each.signs:
        begins = _STARTING.search(beside.before)
        start = f"from {begins['day']}" if begins else ""
    if not start or start.casefold() in each.text.casefold():
        return each
    return replace(each, text=f"{each.text}, {start[0].lower()}{start[1:]}")


def _with_whole_name(each: Candidate, beside: _Beside) -> Candidate:
    """ "the Institute for Soil Ecology": of a house the whole name."""
    if each.attribute not in {"employer", "studies", "school", "university"}:
        return each
    if not each.value or not _HALF.search(each.value) or not each.text.endswith(each.value):
        return each
    rest = _REST.match(beside.sentence.partition(each.value)[2])
    if rest is None:
        return each
    return replace(each, text=f"{each.text} {rest[1]}", value=f"{each.value} {rest[1]}")


def _without_conclusion(each: Candidate, _: _Beside) -> Candidate:
    """ "i'm a piano tuner so ears and hands are good": what follows from it is not part of it."""
    if each.attribute not in {"role", "employer", "nationality", "trait"}:
        return each
    value = _SO.sub("", each.value)
    return replace(each, text=_SO.sub("", each.text), value=value) if value else each


def _without_out(each: Candidate, _: _Beside) -> Candidate:
    if not _OUT.search(each.quote) or not each.text.endswith(f"{each.value} out"):
        return each
    return replace(each, text=each.text.removesuffix(" out"))


def _with_own_subject(each: Candidate, _: _Beside) -> Candidate:
    """ "letters are signed so, and anything above 5k needs a nod": nothing is said of letters."""
    if not _ANYTHING.match(each.quote) or not re.match(r"[A-Z][\w ]+ (?:is|are) any", each.text):
        return each
    said = re.sub(r"^(?i:and|but|so) ", "", each.quote)
    return replace(each, text=said[:1].upper() + said[1:])


def _of_speaker(each: Candidate, beside: _Beside) -> Candidate:
    """ "me: Gwil, sole dev": a label that is the user."""
    if not each.text.startswith("Them: ") or not re.search(r"(?i)\bme: ?", beside.sentence):
        return each
    return replace(each, text=f"User: {each.text.removeprefix('Them: ')}")


def _with_announced(each: Candidate, beside: _Beside) -> Candidate:
    """ "we agreed on Friday: no more deploys": a colon promises what the statement is about."""
    if not (each.text.startswith("User") and _TELLS_NEXT.search(each.quote)):
        return each
    found = _ANNOUNCED.match(beside.message.partition(each.quote)[2])
    words = found["what"].split() if found else []
    if not found or not 0 < len(words) <= _LONGEST_ANNOUNCED or words[0] in each.text:
        return each
    if _I_OR_YOU.search(found["what"]):
        return each
    said = f"{each.quote}{found.group().rstrip(' .!')}"
    return replace(each, text=f"{each.text}: {found['what'].rstrip(' .!')}", quote=said)


def _without_end(each: Candidate, _: _Beside) -> Candidate:
    """ "the backup goes to Ghent from next month (on …)": it begins then, and is not due."""
    return replace(each, text=_DUE_THEN.sub("", each.text))


_MENDED: tuple[Callable[[Candidate, _Beside], Candidate], ...] = (
    _with_start,
    _with_whole_name,
    _without_conclusion,
    _without_out,
    _with_own_subject,
    _of_speaker,
    _without_end,
    _with_announced,
)
