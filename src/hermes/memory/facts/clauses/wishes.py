"""Standing wishes that no single clause tells: "British spelling please, in everything you write".

Such a wish runs over commas and has often no verb. It is looked for in the stretches of a sentence,
and known by what says that it is meant for good: "always", "ever", "in your replies", a reason that
lasts. What is asked of one answer only ("make it shorter", "no tables" beside a task) is left.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.lexicon import ANSWER_NOUNS, LANGUAGES
from hermes.memory.facts.clauses.orders import order_of, preference
from hermes.memory.facts.clauses.split import Clause, Sentence
from hermes.memory.facts.clauses.stance import is_doubtful, is_supposition
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.verbs import CLASSES, third
from hermes.memory.facts.clauses.wording import others
from hermes.types import FactKind

_CUT = re.compile(
    r"\s*[,:]\s+|\s+(?:and|but|so|also|because|since|cause|bc|as)\s+(?!well\b)|\s+[-–—]+\s+", re.I
)
_LONGEST = 3  # stretches that one wish may run over
_MOST_WORDS = 16
_LEAD = re.compile(
    r"(?:(?:please|pls|plz|kindly|also|and|but|so|ok|okay|oh|hey|first of all|in general|just|"
    r"for the record|generally|as a rule|one more thing)[, ]+)+",
    re.I,
)
_POLITE = r"(?:please|pls|plz|ok(?:ay)?|thanks|thx|thank you|yeah|alright|deal)"
_TRAIL = re.compile(rf"(?:[, ]+(?:{_POLITE}|lol|haha|btw|tho))+$", re.I)
_INSIDE = re.compile(r",? (?:please|pls|plz)\b", re.I)
_HINTS = re.compile(
    r"(?i)\b(?:always|never|ever|please|pls|plz|no|only|from (?:now|here|today) on|don'?t|"
    r"do not|every|each|weekly|daily|monthly|instead|by default|in everything|short|when|if)\b"
)
_AGREED = re.compile(r"(?i)\b(?:ok(?:ay)?|yeah|alright|deal|right|got it|please|pls)$")
_WRITES = r"(?:write|send|make|give|draft|do|produce|create|post|say|translate|prepare|put)"
_EVERYWHERE = (
    rf"(?:in|with|for|on) (?:everything|anything|whatever|all(?: (?:the|of the))? \w+) (?:that )?"
    rf"(?:you|u) (?:ever )?{_WRITES}(?: (?:for|to) (?:me|us))?|"
    r"(?:in|with|for) (?:all|each of|every one of) (?:of )?(?:your|my|our) [\w -]{3,30}|"
    r"in your (?:answers?|repl(?:y|ies)|messages?|responses?|texts?|e?-?mails?|drafts?)"
)
_FOR_GOOD = re.compile(
    rf"(?i),? (?:(?P<often>always|every (?:single )?time|at all times|by default|for good)|"
    rf"(?P<never>ever(?: again)?)|(?P<where>{_EVERYWHERE})|"
    r"(?P<now>from (?:now|here|today) on(?:wards)?|going forward|in (?:the )?future))$"
)
_ALWAYS = re.compile(r"(?i)(?:always|by default|from now on),? (?=\S)")
_LIMIT = re.compile(r"(?i)(?:max(?:imum)?|at most|no more than|not more than|only|min(?:imum)?)\b")
_TASK = re.compile(
    r"(?i)(?:^|[.!?,;:\n]\s*|\b(?:please|pls|plz|and|then|also|now|you|to|ok|hi|hey)\s+)(?:write|"
    r"draft|make|create|give me|help|rewrite|rephrase|reword|translate|summari[sz]e|fix|plan|"
    r"show me|list|generate|design|explain|tell me|turn|convert|shorten|proofread|edit|review|"
    r"compare|suggest|recommend|find|look up|come up with|describe|draw|build|add|redo|try)\b"
    r"|\bneed (?:an?|some|help)\b|\bideas? for\b|\b(?:a|the|this) (?:recipe|poem|essay|tweet|post|"
    r"caption|cover letter|speech|song|logo|image|picture)\b"
)
_UNWANTED = frozenset(
    """emoji emojis emoticons smileys gifs marks exclamations abbreviations acronyms initialisms
    jargon slang buzzwords cliches clichés walls fluff filler fillers preamble preambles smalltalk
    talk disclaimers disclaimer apologies markdown hashtags headings headers bullets dashes
    semicolons puns jokes flattery compliments praise sugarcoating swearing spoilers lectures
    lecturing moralising moralizing idioms contractions sarcasm corporate-speak caps ellipses""".split()
)
_MANNERS = _UNWANTED | frozenset(
    """spelling answers replies responses explanations sentences paragraphs bullet text print font
    letters metric imperial celsius fahrenheit units words steps dates numbers format tone""".split()
)
_CHANNELS = frozenset(
    "email e-mail mail slack sms text texts whatsapp signal telegram teams discord phone dm dms "
    "letter post".split()
)
_DENIED = r"(?:never|(?:don'?t|do not|dont)(?: ever)?|stop|avoid)"
_NEVER = re.compile(
    r"(?i)(?:you (?:must |should )?)?(?:never|(?:don'?t|do not) ever) (?P<deed>\S.+)"
)
_NOT_WITHOUT = re.compile(
    r"(?i)(?:you (?:must |should )?)?(?:never|don'?t|do not) (?:ever )?\w.* (?:without (?:asking|"
    r"checking|telling|my (?:ok(?:ay)?|approval|permission|say[- ]so|consent|go)|confirming|"
    r"warning|letting me|running it)\b.*|unless (?:i|you (?:ask|checked?)|we)\b.*)"
)
_NO_WISH = re.compile(
    r"(?i)(?:never|don'?t|do not)(?: ever)? (?:mind|give up|forget|fear|say (?:never|die)|look back|"
    r"trust|underestimate|know|seen|heard|been|had|let me|worry|happened|mess with|go full|"
    r"skip leg|meet your|think|wanna|want to|do (?:that|this|it)|got|a|the|not|really|quite|in)\b|"
    r"never (?:change|again)$"
)
_ADDRESSED = frozenset(
    "you your yourself me my mine us our again without unless anything any anyone when".split()
)
_GOES_ON = re.compile(
    r"(?i),? (?:and|but|so|also|because|since|cause|bc|as) |, (?!only|not|never|or|except|unless|"
    r"without|even|just|no\b|nor|at least|please|pls|ever)|: | [-–—] "
)
_STYLES = re.compile(
    r"(?i)(?P<of>tone|style|format|voice|spelling|language|length|formatting):\s+(?P<how>.+)"
)
_WHEN = re.compile(r"(?i) (?=when(?:ever)? (?:you|he|she|they|i|we)\b)")
_POINTED = re.compile(r"(?i)\b(?:on|to|from|with|in|into) it\b|\b(?:that|this) one\b")
_RECURS = re.compile(
    r"(?i)(?:(?:can|could|would|will) (?:you|u) (?:please )?|i(?:'d| would) (?:like|love|want) you "
    r"to |i (?:want|need) you to |from now on,? )?(?P<deed>(?:do|send|give|write|post|remind|ping|check|"
    r"update|message|email|text|show|tell|report|summari[sz]e|make|run|generate|prepare|draft|"
    r"collect|review)\b(?=.*\b(?:me|us|my|our)\b)(?P<what>(?: (?!that\b|which\b|where\b|who\b|"
    r"with\b|when\b|for (?:the|a|this)\b)\S+){1,12}? (?:every|each) (?:(?:other|second|single|"
    r"first|last|two|three|\d+(?:st|nd|rd|th)?) )?(?:day|week|month|quarter|year|morning|evening|"
    r"night|weekday|weekend|hour|afternoon|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b.*))"
)
_REPEATED = (
    r"(?:report|summar(?:y|ies)|digest|updates?|reminders?|newsletter|briefing|recap|"
    r"notifications?|alerts?|check-?ins?|overview|reports)"
)
_INSTEAD = re.compile(
    rf"(?i)(?:make|put|send|move|do|switch|post|deliver|give)(?: me)? (?P<what>(?:the|my|our|that)"
    rf"(?: \w+){{0,3}}? {_REPEATED}|(?:the|my|our) {_REPEATED}) (?P<how>.{{3,50}}?) instead"
)
_RULE = re.compile(
    r"(?i)(?:and |also |but )?(?P<when>(?:if|whenever|when) (?P<case>.+?))(?:,? (?:then )?you "
    r"(?:should |must |always |need to |have to )?|, (?:then |always |just |please |pls )*)"
    r"(?P<deed>(?:always |never |don'?t |do not )?(?P<verb>[a-z]+)\b.*)"
)
_ANY_CASE = re.compile(
    r"(?i)\b(?:something|anything|someone|somebody|anyone|anybody|in doubt|unsure|not sure|"
    r"don'?t know|can'?t find|every time|ever)\b"
)
_THIS_TIME = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|this (?:time|week|one|evening|morning|weekend)|for now|"
    r"you(?:'re| are)? (?:done|finished|ready|free)|have time|get a chance|possible|need more)\b"
)
_TRAIT = re.compile(
    r"(?i)\b(?:i'?m|i am|i have|i've|i've got|i can(?:'?t|not)|my (?:\w+ )?(?:eyes|eyesight|hearing|"
    r"english|brain|screen|reader|phone|printer))\b"
)
_SAYS = re.compile(
    r"(?i)\b(?:says?|said|told|tells?|reads?|sign|motto|rule number|quote)\b\W*(?:\w+\W*){0,2}$"
)


def find_wishes(body: Sentence, whole: str, *, explicit: bool = False) -> list[Candidate]:
    """The standing wishes of a sentence, each with its quote; `whole` is its message."""
    text = body.text
    if not _HINTS.search(text):
        return []
    if rule := _rule(text, explicit=explicit):
        return [rule]
    if is_supposition(text):
        return []
    if body.is_question and not _AGREED.search(text):
        asked = _recurring(_LEAD.sub("", text, count=1).strip(" ,.!"))
        return [replace(asked, quote=text)] if asked else []
    found: list[Candidate] = []
    reached = 0
    for start, end in _stretches(text):
        if start >= reached and (wish := _wish(text, start, end, whole)) is not None:
            found.append(replace(wish, quote=text[start:end].strip(" ,.!")))
            reached = end
    return found


def is_within(clause: Clause, wishes: Sequence[Candidate], text: str) -> bool:
    """Whether a clause only says what a wish tells already."""
    places = [(text.find(each.quote), len(each.quote)) for each in wishes]
    ends = _TRAIL.sub("", text[clause.start : clause.end])
    return any(
        at <= clause.start + 6 and clause.start + len(ends) <= at + long + 1 and clause.end > at
        for at, long in places
    )


def of_thing(wish: Candidate, thing: Subject | None) -> Candidate:
    """ "never delete that one", "don't touch anything on it": what was spoken of is named."""
    if thing is None or not thing.words or not _POINTED.search(wish.text):
        return wish
    named = others([t for t in thing.words if t.tag != "INTJ"])
    swap = partial(_with_thing, thing=named)
    return replace(wish, text=_POINTED.sub(swap, wish.text), value=_POINTED.sub(swap, wish.value))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """From each place where something may begin, the longest first."""
    cuts = [0]
    ends = []
    for found in _CUT.finditer(text):
        ends.append(found.start())
        cuts.append(found.end())
    ends.append(len(text))
    for n, start in enumerate(cuts):
        for end in reversed(ends[n : n + _LONGEST]):
            if end > start:
                yield start, end


def _wish(text: str, start: int, end: int, whole: str) -> Candidate | None:
    said = text[start:end].strip(" ,.!…;")
    lead = _LEAD.match(said)
    plain = _TRAIL.sub("", said[lead.end() :] if lead else said).strip(" ,.!")
    if not plain or len(plain.split()) > _MOST_WORDS or _SAYS.search(text[:start]):
        return None
    polite = plain != said[lead.end() if lead else 0 :] or bool(
        lead and _INSIDE.search(f" {lead.group()}")
    )
    polite = polite or bool(_INSIDE.search(plain))
    if wish := _recurring(plain) or _instead(plain) or _never(plain):
        return wish
    if styled := _STYLES.fullmatch(_INSIDE.sub("", plain)):
        told = others(tokenize(styled["how"]))
        return preference(f"User wants this {styled['of'].lower()}: {told}", told)
    if is_doubtful(plain):
        return None
    tasked = _is_tasked(whole, said) and not _follows_trait(text, start)
    return _marked(plain, polite=polite) or (
        None if tasked else _manner(plain, said, polite=polite)
    )


def _is_tasked(whole: str, said: str) -> bool:
    """Whether the rest of the message asks for something now: then it is of that."""
    return bool(_TASK.search(whole.replace(said, " ", 1)))


def _follows_trait(text: str, start: int) -> bool:
    """ "I'm dyslexic so short bullets": a reason that lasts."""
    before = text[:start].rstrip()
    return bool(before) and bool(re.search(r"(?i)\bso$", before)) and bool(_TRAIT.search(before))


def _marked(plain: str, *, polite: bool) -> Candidate | None:
    """ "answers on a separate page always", "no horror ever", "always max 3 things"."""
    mark = _FOR_GOOD.search(plain)
    opens = None if mark else _ALWAYS.match(plain)
    named = plain[: mark.start()] if mark else plain[opens.end() :] if opens else ""
    named = _INSIDE.sub("", named).strip(" ,")
    words = tokenize(named)
    if not _is_named(words):
        return None
    none = words[0].low == "no"
    if mark and mark["never"]:
        return _unwanted(words, "ever") if none else None
    known = {t.low for t in words} & (ANSWER_NOUNS | _MANNERS | LANGUAGES | {"seat"})
    if none and (known or polite):
        return _unwanted(words, mark["where"] if mark else "")
    if not (known or polite or _LIMIT.match(named)):
        return None
    told = _told(words)
    where = f" {_where(mark['where'])}" if mark and mark["where"] else ""
    often = "" if where else "always "
    return preference(f"User {often}wants {told}{where}", f"{told}{where}")


def _is_named(words: Sequence[Token]) -> bool:
    """Whether it is a name of a thing, and says nothing of it."""
    if len(words) < 2 and not (words and words[0].low in _MANNERS):
        return False
    lead = words[0]
    plural = lead.form == "VZ" and lead.low in ANSWER_NOUNS | _MANNERS
    opens = lead.tag in {"NOUN", "ADJ", "NAME", "NUM"} or lead.low in {"no", "only"} or plural
    opens = (
        opens
        or (lead.form == "VB" and lead.low in ANSWER_NOUNS | _CHANNELS)
        or bool(_LIMIT.match(" ".join(t.low for t in words)))
    )
    telling = any(
        t.tag in {"BE", "HAVE", "AUX", "PRON", "WH"} or t.form in {"VZ", "VD"} for t in words[1:]
    )
    late = {t.low for t in words} & {
        "late",
        "fun",
        "great",
        "problem",
        "problems",
        "issue",
        "trouble",
    }
    return opens and not telling and not late and words[-1].tag not in {"PREP", "DET"}


def _unwanted(words: Sequence[Token], mark: str) -> Candidate | None:
    """ "no horror ever"; but not "no regrets ever", "no idea"."""
    what = others(words[1:])
    idle = frozenset(
        "idea regrets luck way one problem problems news worries doubt reason clue".split()
    )
    if not what or words[1].low in idle:
        return None
    where = _where(mark) if mark != "ever" else ""
    told = f"no {what}{' ' + where if where else ', ever' if mark else ''}"
    return Candidate(f"User wants {told}", FactKind.PREFERENCE, USER, "avoids", what)


def _where(said: str) -> str:
    """ "in everything you write for me", told of Hermes."""
    told = others(tokenize(said)) if said else ""
    told = re.sub(r"(?i)\byou (\w+)", lambda f: f"Hermes {third(f[1])}", told)
    return re.sub(r"(?i)\byou\b", "Hermes", re.sub(r"(?i)\byour\b", "its", told))


def _told(words: Sequence[Token]) -> str:
    told = others(words)
    return (
        told
        if words[0].tag == "NAME"
        or words[0].text[:1].isupper()
        and words[0].low in (LANGUAGES | {"british", "american"})
        else told[:1].lower() + told[1:]
    )


def _manner(plain: str, said: str, *, polite: bool) -> Candidate | None:
    """ "no jargon please", "email only", "short bullets and no walls of text": how to write."""
    *_, when = _WHEN.split(plain, maxsplit=1) if _WHEN.search(plain) else (plain, "")
    words = tokenize(_INSIDE.sub("", plain.removesuffix(f" {when}") if when else plain))
    if not _is_named(words) or any(t.low in {"the", "this", "that", "it"} for t in words):
        if not re.fullmatch(rf"(?i)(?:by )?(?:{'|'.join(_CHANNELS)}) only", plain):
            return None
    lows = [t.low for t in words]
    if lows[-1] == "only" and len(lows) <= 3 and set(lows) & (_CHANNELS | _MANNERS | LANGUAGES):
        return preference(f"User wants {_told(words)}", _told(words))
    if lows[0] == "no" and set(lows) & _UNWANTED:
        return _unwanted(words, when)
    heads = [n for n, low in enumerate(lows) if low in _MANNERS]
    if heads and (polite or "no" in lows) and not lows[0].isdigit() and "?" not in said:
        told = _told(words)
        return preference(f"User wants {told}", told)
    return None


def _never(plain: str) -> Candidate | None:
    """ "never send anything yourself", "don't change anything on it without asking me"."""
    asking = _NOT_WITHOUT.fullmatch(plain)
    never = _NEVER.fullmatch(plain)
    if _GOES_ON.search(plain):
        return None
    if not (asking or never) or _NO_WISH.match(re.sub(r"(?i)^you (?:must |should )?", "", plain)):
        return None
    words = tokenize(plain)
    verb = next((t for t in words if t.tag == "VERB"), None)
    if verb is None or verb.form != "VB" or len(words) <= 2:
        return None
    lows = {t.low for t in words[1:]}
    known = verb.lemma in CLASSES["order"].split()
    if not (asking or lows & _ADDRESSED or known) or any(
        t.tag == "PRON" and t.low in {"i", "we"} and not asking for t in words
    ):
        return None
    after = words[words.index(verb) + 1] if verb is not words[-1] else None
    if after is None or after.low in {"it", "that", "this", "them", "those"} and len(words) < 6:
        return None
    return order_of(plain)


def _with_thing(found: re.Match[str], thing: str) -> str:
    preposition, _, last = found.group().rpartition(" ")
    return thing if last.lower() == "one" else f"{preposition} {thing}"


def _recurring(plain: str) -> Candidate | None:
    """ "can you do me a lab report every Sunday 9am"."""
    found = _RECURS.fullmatch(plain)
    return order_of(found["deed"]) if found else None


def _instead(plain: str) -> Candidate | None:
    """ "make the report Monday 7am instead": what comes again and again is to come otherwise."""
    found = _INSTEAD.match(plain)
    if found is None:
        return None
    rest = plain[found.end() :].strip(" ,")
    what = others(tokenize(found["what"]))
    how = f"{found['how']}{', ' + rest if rest and len(rest.split()) <= 3 else ''}"
    told = f"{what} {how}"
    return preference(f"User wants {told}", told)


def _rule(text: str, *, explicit: bool) -> Candidate | None:
    """ "if something is wrong in a sheet you write to Amaia": what is to be done each time."""
    found = _RULE.fullmatch(text.strip(" .!"))
    if found is None or _THIS_TIME.search(text):
        return None
    verbs = CLASSES["order"].split()
    addressed = bool(re.search(r"(?i),? you " + re.escape(found["deed"]), text))
    lasting = (
        explicit
        or bool(_ANY_CASE.search(found["case"]))
        or found["when"].lower().startswith("whenever")
    )
    verb = tokenize(found["verb"])[0]
    if not lasting or not (verb.lemma in verbs or (addressed and verb.form == "VB")):
        return None
    wish = order_of(found["deed"])
    case = others(tokenize(found["when"]))
    case = case[:1].lower() + case[1:]
    told = f"{wish.text}, {case}"
    return replace(wish, text=told, quote=text.strip(" .!"))
