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
from hermes.memory.facts.clauses.occasions import (
    find_instead,
    find_recurring,
    find_rule,
    told_of_hermes,
)
from hermes.memory.facts.clauses.orders import order_of, preference
from hermes.memory.facts.clauses.split import Clause, Sentence
from hermes.memory.facts.clauses.stance import is_doubtful, is_supposition
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.tokens import Token, tokenize
from hermes.memory.facts.clauses.verbs import CLASSES
from hermes.memory.facts.clauses.wording import others
from hermes.types import FactKind

_CUT = re.compile(
    r"\s*(?:,(?!\s+ever\b)|:)\s+|\s+(?:and|but|so|also|because|since|cause|bc|as)\s+(?!well\b)|\s+[-–—]+\s+",
    re.I,
)
_LONGEST = 3  # stretches that one wish may run over
_MOST_WORDS = 16
_FIRST = 2  # words by which an order has named its deed
_LEAD = re.compile(
    r"(?:(?:please|pls|plz|kindly|also|and|but|so|ok|okay|oh|hey|first of all|in general|just|"
    r"for the record|generally|as a rule|one more thing)[, ]+)+",
    re.I,
)
_POLITE = r"(?:please|pls|plz|ok(?:ay)?|thanks|thx|thank you|yeah|alright|deal)"
_TRAIL = re.compile(rf"(?<!\bmy)(?:[, ]+(?:{_POLITE}|lol|haha|btw|tho))+$", re.I)
_INSIDE = re.compile(r",? (?:please|pls|plz)\b", re.I)
_HINTS = re.compile(
    r"(?i)\b(?:always|never|ever|please|pls|plz|no|only|from (?:now|here|today) on|don'?t|"
    r"do not|every|each|weekly|daily|monthly|instead|by default|in everything|short|when(?:ever)?|"
    r"if)\b|^(?:\w+ ){0,2}\w+: \S|\b(?:tone|style|spelling|language):"
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
    rf"(?i),? (?:(?P<often>(?:now and )?always|throughout|every (?:single )?time|at all times|"
    rf"by default|for good)|"
    rf"(?P<never>ever(?: again)?)|(?P<where>{_EVERYWHERE})|"
    r"(?P<now>from (?:now|here|today) on(?:wards)?|going forward|in (?:the )?future))$"
)
_ALWAYS = re.compile(r"(?i)(?:always|by default|from now on),? (?=\S)")
_LIMIT = re.compile(r"(?i)(?:max(?:imum)?|at most|no more than|not more than|only|min(?:imum)?)\b")
_TASK = re.compile(
    r"(?i)(?:^|[.!?,;:\n]\s*|\b(?:please|pls|plz|and|then|also|now|you|to|ok|hi|hey)\s+)"
    r"(?:write(?! (?:it|this|that) down)|"
    r"draft|make|create|give me|help|rewrite|rephrase|reword|translate|summari[sz]e|fix|plan|"
    r"show me|list|generate|design|explain|tell me|turn|convert|shorten|proofread|edit|review|"
    r"compare|suggest|recommend|find|look up|come up with|describe|draw|build|add|redo|try)\b"
    r"|\bneed (?:an?|some|help)\b|\bideas? for\b|\b(?:a|the|this) (?:recipe|poem|essay|tweet|post|"
    r"caption|cover letter|speech|song|logo|image|picture)\b"
)
_ONLY_THIS = re.compile(
    r"(?i)\b(?:this (?:once|time|one|is|text|mail|message)|for (?:this|now|once|today)|in this)\b"
)
_UNWANTED = frozenset(
    """emoji emojis emoticons smileys gifs marks exclamations abbreviations acronyms initialisms
    jargon slang buzzwords cliches clichés walls fluff filler fillers preamble preambles smalltalk
    talk disclaimers disclaimer apologies markdown hashtags headings headers bullets dashes
    semicolons puns jokes flattery compliments praise sugarcoating swearing spoilers lectures
    lecturing moralising moralizing idioms contractions sarcasm corporate-speak caps
    ellipses""".split()
)
_MANNERS = _UNWANTED | frozenset(
    """spelling answers replies responses explanations sentences paragraphs bullet text print font
    letters metric imperial celsius fahrenheit units words steps dates numbers format
    tone""".split()
)
_NOT_MANNERS = frozenset("the this that it always never".split())
_CHANNELS = frozenset(
    "email e-mail mail slack sms text texts whatsapp signal telegram teams discord phone dm dms "
    "letter post".split()
)
_DENIED = r"(?:never|(?:don'?t|do not|dont)(?: ever)?|stop|avoid)"
_NEVER = re.compile(
    r"(?i)(?:you (?:must |should )?)?(?:(?:never(?:,? ever)?|(?:don'?t|do not) ever) \S.+|"
    r"(?:don'?t|do not) \S.+,? ever)"
)
_NOT_WITHOUT = re.compile(
    r"(?i)(?:you (?:must |should )?)?(?:never|don'?t|do not) (?:ever )?\w.* (?:without (?:asking|"
    r"checking|telling|my (?:ok(?:ay)?|approval|permission|say[- ]so|consent|go)|confirming|"
    r"warning|letting me|running it)\b.*|unless (?:i|you (?:ask|checked?)|we)\b.*)"
)
_NO_WISH = re.compile(
    r"(?i)(?:never|don'?t|do not)(?: ever)? (?:mind|give up|forget|fear|say (?:never|die)|"
    r"look back|trust|underestimate|know|seen|heard|been|had|let me|worry|happened|mess with|"
    r"go full|skip leg|meet your|think|wanna|want to|do (?:that|this|it)|got|a|"
    r"the|not|really|quite|in)\b|"
    r"never (?:change|again)$|never change a (?:running|winning)\b"
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
_TOPICS = (
    r"travel|flights?|flying|trains?|hotels?|seats?|coffee|tea|drinks?|food|diet|meals?|snacks?|"
    r"restaurants?|music|films?|movies|books?|meetings?|calls?|scheduling|e-?mails?|mails?|"
    r"communication|messages?|writing|code|coding|formatting|units|holidays?"
)
_LISTED = re.compile(
    rf"(?i)(?:for |my |when )?(?P<topic>{_TOPICS})(?: (?:prefs?|preferences?|rules?|wishes))?:\s+"
    r"(?P<items>.+)"
)
_ITEM = re.compile(r"[^,;]+")
_CHOOSY = re.compile(r"(?i)\b(?:no|never|always|not|only|over|instead|without|under|max)\b")
_SAYS_SO = re.compile(r"(?i)\b(?:i|we|you|he|she|it|is|are|was|were|will|can|did|has|have)\b")
_LONGEST_ITEM = 8  # words
_WHEN = re.compile(r"(?i) (?=when(?:ever)? (?:you|he|she|they|i|we)\b)")
_POINTED = re.compile(r"(?i)\b(?:on|to|from|with|in|into) it\b|\b(?:that|this) one\b")
_TRAIT = re.compile(
    r"(?i)\b(?:i'?m|i am|i have|i've|i've got|i can(?:'?t|not)|my (?:\w+ )?(?:eyes|eyesight|"
    r"hearing|english|brain|screen|reader|phone|printer))\b"
)
_SAYS = re.compile(
    r"(?i)\b(?:says?|said|told|tells?|reads?|sign|motto|rule number|quote)\b\W*(?:\w+\W*){0,2}$"
)


def find_wishes(body: Sentence, whole: str, *, explicit: bool = False) -> list[Candidate]:
    """The standing wishes of a sentence, each with its quote; `whole` is its message."""
    text = body.text
    if not _HINTS.search(text):
        return []
    if rule := find_rule(text, explicit=explicit):
        return [rule]
    if is_supposition(text):
        return []
    if body.is_question and not _AGREED.search(text):
        asked = find_recurring(_LEAD.sub("", text, count=1).strip(" ,.!"))
        return [replace(asked, quote=text)] if asked else []
    if listed := _listed(text, whole):
        return listed
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


def without_told(wishes: list[Candidate], told: Sequence[Candidate]) -> list[Candidate]:
    """The wishes that no other preference of the sentence says: "I prefer prose and no emojis"."""
    said = [each.text for each in told if each.kind is FactKind.PREFERENCE]
    return [each for each in wishes if not any(each.value in text for text in said)]


def of_thing(wish: Candidate, thing: Subject | None) -> Candidate:
    """ "never delete that one", "don't touch anything on it": what was spoken of is named."""
    if thing is None or not thing.words or not _POINTED.search(wish.text):
        return wish
    named = others([t for t in thing.words if t.tag != "INTJ"])
    named = named[:1].lower() + named[1:] if thing.words[0].tag in {"DET", "POSS"} else named
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
    if wish := find_recurring(plain) or find_instead(plain) or _never(plain):
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


def _listed(text: str, whole: str) -> list[Candidate]:
    """ "Travel: aisle seat, no flights before 8": a topic, and what is preferred of it."""
    found = _LISTED.match(text)
    if found is None or _is_tasked(whole, text) or _SAYS_SO.search(found["items"]):
        return []
    if not _CHOOSY.search(found["items"]):
        return []  # "Meetings: Tom at 3, Lena at 4"
    items = [(m.start() + found.start("items"), m.group()) for m in _ITEM.finditer(found["items"])]
    if len(items) == 1 or any(len(item.split()) > _LONGEST_ITEM for _, item in items):
        return []
    topic = found["topic"].lower()
    told = [(item.strip(" .!"), others(tokenize(item.strip(" .!")))) for _, item in items]
    return [
        replace(preference(f"User's wish for {topic}: {item}", item), quote=said)
        for said, item in told
    ]


def _is_tasked(whole: str, said: str) -> bool:
    """Whether the rest of the message asks for something now: then it is of that."""
    beside = whole.replace(said, " ", 1)
    return bool(_TASK.search(beside) or _ONLY_THIS.search(beside))


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
    where = f" {told_of_hermes(mark['where'])}" if mark and mark["where"] else ""
    often = "" if where else "always "
    return preference(f"User {often}wants {told}{where}", f"{told}{where}")


def _is_named(words: Sequence[Token]) -> bool:
    """Whether it is a name of a thing, and says nothing of it."""
    if len(words) < 2 and not (words and words[0].low in _MANNERS):
        return False
    lead = words[0]
    plural = lead.form == "VZ" and lead.low in ANSWER_NOUNS | _MANNERS
    opens = lead.tag in {"NOUN", "ADJ", "NAME", "NUM"} or lead.low in {"no", "only"} or plural
    only = words[-1].low == "only" and lead.low in _CHANNELS
    opens = opens or only or bool(_LIMIT.match(" ".join(t.low for t in words)))
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
    where = told_of_hermes(mark) if mark != "ever" else ""
    told = f"no {what}{' ' + where if where else ', ever' if mark else ''}"
    return Candidate(f"User wants {told}", FactKind.PREFERENCE, USER, "avoids", what)


def _told(words: Sequence[Token]) -> str:
    told = others(words)
    return (
        told
        if words[0].tag == "NAME"
        or (words[0].text[:1].isupper() and words[0].low in (LANGUAGES | {"british", "american"}))
        else told[:1].lower() + told[1:]
    )


def _manner(plain: str, said: str, *, polite: bool) -> Candidate | None:
    """ "no jargon please", "email only", "short bullets and no walls of text": how to write."""
    *_, when = _WHEN.split(plain, maxsplit=1) if _WHEN.search(plain) else (plain, "")
    words = tokenize(_INSIDE.sub("", plain.removesuffix(f" {when}") if when else plain))
    if not _is_named(words) or any(t.low in _NOT_MANNERS for t in words):
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
    verb = _deed(words) or next((t for t in words if t.tag == "VERB"), None)
    if asking and (verb is None or verb.start > words[_FIRST].start):
        return order_of(plain)  # "never merge without my ok"
    if verb is None or verb.form != "VB" or len(words) <= _FIRST:
        return None
    lows = {t.low for t in words[1:]}
    known = verb.lemma in CLASSES["order"].split()
    if not (asking or lows & _ADDRESSED or known) or any(
        t.tag == "PRON" and t.low in {"i", "we"} and not asking for t in words
    ):
        return None
    after = next((t for t in words if t.start > verb.start), None)
    if after is None or (after.low in {"it", "that", "this", "them", "those"} and len(words) < 6):
        return None
    following = words[words.index(after) + 1 :][:1]
    if after.low in {"any", "some", "one"} and [t.tag for t in following] == ["PREP"]:
        return None  # "never put any in letters to her": of what was named
    return order_of(plain)


def _deed(words: Sequence[Token]) -> Token | None:
    """ "post" of "never post anything": a word that reads like a thing."""
    place = next((n for n, t in enumerate(words) if t.low in {"never", "not", "nt", "n't"}), -1) + 1
    following = words[place : place + 2]
    if len(following) != _FIRST or following[0].tag != "NOUN" or not following[0].text.islower():
        return None
    done = following[1].low in _ADDRESSED or following[1].tag in {"DET", "POSS", "OBJ"}
    return replace(following[0], tag="VERB", form="VB", lemma=following[0].low) if done else None


def _with_thing(found: re.Match[str], thing: str) -> str:
    preposition, _, last = found.group().rpartition(" ")
    return thing if last.lower() == "one" else f"{preposition} {thing}"
