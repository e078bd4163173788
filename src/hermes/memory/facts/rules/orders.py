"""Standing orders: how the user wants every answer to be, from now on."""

import re
from collections.abc import Iterator

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    phrase,
    points_elsewhere,
    rule,
    words,
)
from hermes.memory.facts.rules.lexicon import SPOKEN_LANGUAGES
from hermes.memory.facts.rules.person import their, third_person
from hermes.memory.facts.rules.preference import (
    LONGEST_PREFERENCE,
    TRANSIENT,
    VERY,
    instruction,
    topic_of,
)
from hermes.types import Confidence, FactKind


def _always(found: Found, said: Said) -> Iterator[Candidate]:
    """A standing order: always, never, from now on."""
    order = phrase(found["value"])
    if (
        TRANSIENT.search(order)
        or points_elsewhere(order)
        or not 2 <= words(order) <= LONGEST_PREFERENCE
    ):
        return
    how = found["how"].lower()
    never = how.startswith("never") or how in {"do not ever", "stop", "avoid"}
    if how in {"stop", "avoid"}:
        thing = re.sub(r"^(?:using|adding|with|writing|putting|giving me)\s+", "", order)
        value, text = f"no {thing}", f"User wants no {thing}"
    elif never:
        value, text = f"never {order}", f"User wants Hermes to never {their(order)}"
    else:
        order = re.sub(r"^always\s+", "", order, flags=re.I)
        value, text = f"always {order}", f"User wants Hermes to always {their(order)}"
    yield instruction(value, text)


_STYLE = (
    r"(?:emojis?|bullet(?:ed)?\s+(?:points?|lists?)|bullets|exclamation\s+(?:marks|"
    r"points)|jargon|tables|headings|"
    r"headers|markdown|filler|apologies|apologi[sz]ing|em[- ]?dashes|small\s+talk|"
    r"preambles?|disclaimers?|"
    r"summaries|recaps?|intros?|comments|docstrings|type\s+hints|code\s+comments|greetings|caveats|"
    r"long\s+explanations|walls\s+of\s+text|flattery|corporate\s+speak|"
    r"passive\s+voice|acronyms|sugarcoating)"
)


def _style(found: Found, said: Said) -> Iterator[Candidate]:
    """ "no emojis please": an order about how answers look, durable by its nature."""
    value = phrase(found["value"])
    scoped = re.search(
        r"\bin (?!(?:your|my|the|any|all)?\s*(?:answers|replies|responses|code|docs|"
        r"emails?|commit|"
        r"messages|reports|summaries|writing)\b)",
        value,
    )
    if not TRANSIENT.search(said.clause.sentence) and not scoped:
        yield instruction(f"no {value}", f"User wants no {value}", confidence=Confidence.MEDIUM)


def _answers(found: Found, said: Said) -> Iterator[Candidate]:
    what, how = found["what"].lower(), phrase(found["value"])
    nowhere = points_elsewhere(how) and not how.lower().startswith("in ")
    if TRANSIENT.search(said.clause.sentence) or words(how) > 12 or nowhere:
        return
    yield instruction(f"{what} {how}", f"User wants {what} {how}", confidence=Confidence.MEDIUM)


def _when_you(found: Found, said: Said) -> Iterator[Candidate]:
    """ "I hate it when you start with an apology": an order in the shape of a feeling."""
    value = phrase(found["value"])
    if words(value) <= LONGEST_PREFERENCE and not TRANSIENT.search(value):
        yield Candidate(
            f"User does not like it when Hermes {third_person(value)}",
            FactKind.PREFERENCE,
            USER,
            "dislikes",
            f"when you {value}",
        )


def _in_language(found: Found, said: Said) -> Iterator[Candidate]:
    thing, language = found["thing"].lower(), found["value"]
    if language.lower() in SPOKEN_LANGUAGES and not TRANSIENT.search(said.clause.sentence):
        thing = re.sub(r"^(?:the|my|all|your)\s+", "", thing)
        yield instruction(f"{thing} in {language}", f"User wants {thing} in {language}")


_LASTING_TOPICS = frozenset(
    (
        "units",
        "time_format",
        "date_format",
        "currency",
        "spelling",
        "tone",
        "answer_length",
        "theme",
    )
)


def _please(found: Found, said: Said) -> Iterator[Candidate]:
    """ "metric only please", "please use euros": a matter of taste, so it lasts."""
    value = phrase(found["value"])
    passing = TRANSIENT.search(said.text) or _NEARBY.search(value)
    if topic_of(value) in _LASTING_TOPICS and words(value) <= 8 and not passing:
        yield instruction(value, f"User wants {value}", Confidence.MEDIUM)


_WANTING = re.compile(r"^(?:i\s+(?:only\s+)?(?:want|need)|i'd\s+like|please|pls)\s+", re.I)


def _from_now_on(found: Found, said: Said) -> Iterator[Candidate]:
    """ "only British English from now on", "I want sources with every answer from now on"."""
    value = phrase(found["value"])
    if not 2 <= words(value) <= LONGEST_PREFERENCE or _NEARBY.search(value):
        return
    wanted = re.sub(
        r"^(?:i\s+(?:only\s+)?(?:want|need)|i'd\s+like|please|pls)\s+", "", value, flags=re.I
    )
    yield instruction(wanted, f"User wants {their(wanted)} from now on")


_NEARBY = re.compile(r"\b(?:this|that|it|these|those|them)\b", re.I)


def _not_all_the_time(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(f"{found['verb']} {found['value']}").strip()
    yield instruction(f"do not {value}", f"User wants Hermes not to {value}", Confidence.MEDIUM)


def _written_as(found: Found, said: Said) -> Iterator[Candidate]:
    """ "please write dates as 2026-01-31"."""
    value = phrase(f"{found['thing']} {found['link']} {found['value']}")
    if words(value) <= 12 and not TRANSIENT.search(said.clause.sentence):
        yield instruction(value, f"User wants {value}")


def _do_not_call(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if value and words(value) <= 4:
        yield instruction(
            f"do not call the user {value}", f"User does not want to be called {value}"
        )


def _keep_it(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    yield instruction(
        f"keep it {value}", f"User wants Hermes to keep it {value}", Confidence.MEDIUM
    )


def _always_wants(found: Found, said: Said) -> Iterator[Candidate]:
    value = phrase(found["value"])
    if not points_elsewhere(value) and 2 <= words(value) <= 12:
        yield instruction(value, f"User always wants {their(value)}")


def find_conditional_orders(sentence: str) -> Iterator[Candidate]:
    """ "when you write Python for me, always add type hints": holds whenever the case comes up."""
    if found := _WHENEVER.match(sentence):
        order = phrase(found["order"])
        if 2 <= words(order) <= LONGEST_PREFERENCE and not TRANSIENT.search(order):
            value = f"{order} when you {found['case']}"
            yield instruction(value, f"User wants: when you {found['case']}, {order}")


_WHENEVER = re.compile(
    r"(?:and |also |so |btw |oh )*(?:when|whenever|every time|"
    r"each time)\s+you\s+(?P<case>[^,]{3,60}),\s+"
    r"(?:please\s+|pls\s+)?(?P<order>(?:always|never|don't|do not|use|add|keep|give|"
    r"include|write|put|skip|"
    r"start|make sure|leave|show|ask)\b.+)",
    re.I,
)


# What an assistant can be told to do: "never give up" is no order to it.
_DOABLE = (
    r"use|write|answer|reply|respond|give\s+(?!up)|include|add|start|begin|end|keep|"
    r"show|ask|run|put|"
    r"format|call\s+me|address|send|make\s+(?:sure|the|my|your|it|all)|explain|cite|translate|"
    r"speak|talk|say\s+(?!never)|suggest|recommend|commit|push|deploy|check|test|prefer|assume|"
    r"default|round|convert|quote|link|name|sort|list|summari[sz]e|wrap|lint|type|import|mock|"
    r"schedule|book|remind|merge|rebase|squash|share|touch|delete|edit|change|create|open|order|"
    r"reference|mention|skip|leave|double-check|return|print|log|tell|sign|prefix|capitali[sz]e|"
    r"spell|hardcode|auto\w+|rename|remove|install|store|save|generate|do\s+(?:not|a|the|code)"
)

_WISH = (
    r"(?:i\s+(?:want|need|would\s+like|only\s+want)\s+|i'd\s+like\s+|give\s+me\s+|"
    r"please\s+|pls\s+|only\s+|just\s+|no\s+)"
)

RULES: tuple[Rule, ...] = (
    rule(
        r"(?:please\s+|pls\s+)*(?:always\s+)?(?:write|format|show|give(?:\s+me)?|"
        r"render|print|display)\s+(?P<thing>(?:all\s+|the\s+)?"
        r"(?:dates?|times?|numbers|prices|amounts|temperatures?|distances|weights|"
        r"units|names|durations|currencies))"
        r"\s+(?P<link>as|in|like|with|using)\s+(?P<value>.+)",
        _written_as,
    ),
    rule(r"(?:please\s+)?(?:stop\s+calling|do\s+not\s+call)\s+me\s+(?P<value>.+)", _do_not_call),
    rule(
        r"(?:please\s+|pls\s+)*keep\s+it\s+(?P<value>(?:short|brief|concise|simple|"
        r"informal|formal|casual|light|"
        r"professional|plain|friendly)\b.*\b(?:with\s+me|for\s+me|always|in\s+general|"
        r"from\s+now\s+on).*)",
        _keep_it,
    ),
    rule(r"i\s+(?:always|only|generally|usually)\s+want\s+(?P<value>(?!to\b).+)", _always_wants),
    rule(
        r"(?:you\s+can\s+|feel\s+free\s+to\s+|please\s+)skip\s+(?:the\s+|all\s+the\s+)?(?P<value>"
        rf"{_STYLE}\b.*)",
        _style,
    ),
    rule(
        rf"(?P<value>{_WISH}.+?|(?:{_DOABLE})\b.+?)\s*,?\s+(?:from\s+now\s+on|"
        rf"going\s+forward|by\s+default|"
        rf"in\s+(?:the\s+)?future|every\s+time|always)$",
        _from_now_on,
    ),
    rule(
        r"(?:from\s+now\s+on|going\s+forward|by\s+default|in\s+(?:the\s+)?future)\s*,?\s+"
        r"(?P<value>(?:only|just|no|i\s+want|please\s+no)\s.+)",
        _from_now_on,
    ),
    rule(
        r"(?:please\s+|"
        r"pls\s+)*do\s+not\s+(?P<verb>\w+)\s*(?P<value>.*?)\s*(?:all\s+the\s+time|"
        r"every\s+time|"
        r"anymore|any\s+more|ever\s+again|so\s+much|so\s+often|constantly)$",
        _not_all_the_time,
    ),
    rule(r"(?P<value>[\w /-]{3,50}?)\s*,?\s+(?:please|pls)$", _please),
    rule(
        r"(?:please\s+|pls\s+)?(?:use|stick\s+to|give\s+me|i\s+(?:want|need|use|"
        r"think\s+in)|we\s+use)\s+"
        r"(?P<value>[\w /-]{3,50}?)(?:\s*,?\s+(?:please|pls|only|thanks))*$",
        _please,
    ),
    rule(
        rf"i{VERY}\s+(?:hate|dislike|do\s+not{VERY}\s+(?:like|want|enjoy)|"
        rf"can\s+not\s+stand)\s+(?:it\s+)?when\s+you\s+(?P<value>.+)",
        _when_you,
    ),
    rule(
        r"(?:please\s+|pls\s+|always\s+)*(?:keep|write|put|do|"
        r"leave)\s+(?P<thing>(?:the\s+|my\s+|all\s+|"
        r"your\s+)?(?:[\w-]+\s+){0,2}?[\w-]+)\s+in\s+(?P<value>(?-i:[A-Z])\w+)\b",
        _in_language,
    ),
    rule(
        r"(?:please\s+|pls\s+|and\s+|also\s+|you\s+(?:should|must)\s+|i\s+(?:want|"
        r"need)\s+you\s+to\s+|i'd\s+like\s+you\s+to\s+)*(?P<how>always|never(?:\s+ever)?|"
        r"do\s+not\s+ever|from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|"
        r"by\s+default)\s*,?\s+(?:please\s+|can\s+you\s+|always\s+|never\s+)*"
        rf"(?P<value>(?:{_DOABLE})\b.+)",
        _always,
    ),
    rule(
        rf"(?:please\s+|pls\s+)*(?P<how>stop|avoid)\s+(?P<value>(?:(?:using|adding|with|"
        rf"writing|putting|giving\s+me|starting\s+with)\s+)?(?:the\s+|so\s+many\s+|"
        rf"any\s+)?{_STYLE}.*)",
        _always,
    ),
    rule(
        rf"(?:please\s+|pls\s+)*(?:no\s+more|no|skip\s+the|drop\s+the|without|"
        rf"do\s+not\s+(?:use|add|include|write|give\s+me|bother\s+with))\s+(?:any\s+|"
        rf"the\s+|unnecessary\s+)?(?P<value>{_STYLE}\b.*)",
        _style,
    ),
    rule(
        r"(?:please\s+|pls\s+)*(?:keep|make)\s+(?:your|the|all|all\s+your|"
        r"my)?\s*(?P<what>answers|replies|responses|explanations|summaries|reports|"
        r"commit\s+messages|emails|messages)\s+(?P<value>(?:nice\s+and\s+|more\s+|"
        r"very\s+|really\s+|as\s+)*"
        r"(?:short|brief|concise|terse|simple|under|to\s|plain|formal|informal|casual|friendly|"
        r"professional|free\s+of|below|at\s+most|max|long|detailed|polite|direct|small|tight|crisp|"
        r"technical|non-technical|in\s+(?-i:[A-Z])|light|dry|neutral|honest|blunt).*)",
        _answers,
    ),
    rule(
        r"(?:my|our|all|the)\s+(?P<what>reports|summaries|answers|replies|docs|emails|"
        r"commit\s+messages)\s+should\s+(?:always\s+)?(?P<value>(?:be|start|have|use|"
        r"begin|include|follow|come|end|contain)\s+.+)",
        _answers,
    ),
    rule(
        r"(?:please\s+)?(?P<what>(?:answer|reply|respond|write|"
        r"talk)(?:\s+to\s+me)?)\s+(?P<value>(?:only\s+)?in\s+"
        r"(?-i:[A-Z])\w+(?:\s+(?:from\s+now\s+on|always|please|by\s+default))?)$",
        _answers,
    ),
)
