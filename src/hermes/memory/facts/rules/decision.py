"""What was decided, and what took the place of what."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.rules.grammar import (
    Found,
    Rule,
    Said,
    bare,
    is_proper,
    phrase,
    points_elsewhere,
    rule,
    short,
    words,
)
from hermes.memory.facts.rules.lexicon import PURPOSE_WORDS, find_tool, tool_purpose
from hermes.memory.facts.rules.scope import split_purpose, split_scope, whose
from hermes.types import FactKind

LONGEST_DECISION = 22  # words

_VAGUE = re.compile(
    r"(?:option|plan|approach|version|idea|choice|number)\s+\w+$|(?:plan|option)\s+[a-c\d]\b|"
    r".*\b(?:your|you|for this|this one|above)\b",
    re.I,
)
_INSTEAD = re.compile(r"\s+(?:instead of|over|rather than|and not|, not|not)\s+(?P<old>.+)$", re.I)


def _chosen(found: Found, said: Said) -> Iterator[Candidate]:
    """ "We're going with Postgres for Atlas instead of Mongo"."""
    raw = phrase(found["value"])
    raw, old = _instead(raw)
    value, subject = split_scope(raw)
    value, purpose = split_purpose(value)
    value = short(value)
    if not _is_choice(value, said):
        return
    attribute = PURPOSE_WORDS.get(purpose, purpose) or tool_purpose(value) or "decision"
    why = f" for {purpose.replace('_', ' ')}" if purpose else ""
    gone = f" instead of {old}" if old else ""
    yield Candidate(
        f"{whose(subject)} decided on {value}{why}{gone}",
        FactKind.DECISION,
        subject,
        attribute,
        bare(value),
        replaces=old,
    )


def _instead(raw: str) -> tuple[str, str]:
    found = _INSTEAD.search(raw)
    return (raw[: found.start()], bare(short(found["old"]))) if found else (raw, "")


def _is_choice(value: str, said: Said) -> bool:
    if points_elsewhere(value) or _VAGUE.match(value) or words(value) > 8:
        return False
    return bool(
        (find_tool(value)[0] and bare(value).startswith(find_tool(value)[0]))
        or is_proper(value)
        or re.search(r"\bdecided\b|\bagreed\b|\bdecision\b", said.text)
    )


def _decided(found: Found, said: Said) -> Iterator[Candidate]:
    """ "We decided to drop IE11 support": what was decided, in its own words."""
    raw = phrase(found["value"])
    if found["to"] and (use := _TO_USE.match(raw)):
        yield from _chosen(use, said)
        return
    if found["to"] and (drop := _TO_DROP.match(raw)) and (gone := list(_dropped(drop, said))):
        yield replace(gone[0], text=f"{whose(gone[0].subject)} decided to {raw}")
        return
    if found["to"] and (move := _SWITCH_TO.match(raw)):
        yield from _moved_to(move)
        return
    lone = words(raw) == 1 and (tool_purpose(raw) or is_proper(raw))
    vague = points_elsewhere(raw) and not re.match(r"no\s+\w", raw, re.I)
    if vague or _VAGUE.match(raw) or not (lone or 2 <= words(raw) <= LONGEST_DECISION):
        return
    if _OF_THE_DAY.search(raw) or (said.text[:2].lower() == "i " and not _WEIGHTY.search(raw)):
        return
    value, subject = split_scope(raw)
    link = "to" if found["to"] else found["link"] or "that"
    yield Candidate(
        f"{whose(subject)} decided {link} {raw}",
        FactKind.DECISION,
        subject,
        f"decision:{_topic(value)}",
        value,
    )


_OF_THE_DAY = re.compile(
    r"\b(?:this|that|it|them|today|tonight|yesterday|together|break|nap|walk|later|"
    r"pizza|lunch|dinner|drinks|kids|"
    r"wait|talk)\b",
    re.I,
)
_WEIGHTY = re.compile(
    r"\b[A-Z]\w|\d|\b(?:job|offer|house|apartment|flat|school|university|degree|phd|"
    r"startup|company|"
    r"car|visa|surgery|quit|resign|move|retire|freelance|marry|contract|business|stop|remote)\b"
)


def _topic(value: str) -> str:
    """The first words that carry the decision, to compare decisions by."""
    kept = [word for word in re.findall(r"[\w.+#-]+", value.lower()) if word not in _SMALL]
    return " ".join(kept[:3])


_SMALL = frozenset(
    "the a an to of for in on with our my all and or not any be it from into at by".split()
)


def _switched(found: Found, said: Said) -> Iterator[Candidate]:
    yield from _moved_to(found)


def _moved_to(found: Found) -> Iterator[Candidate]:
    """ "moved off Heroku to Fly.io": the new value, and the one it replaces."""
    groups = found.groupdict()
    value, subject = split_scope(phrase(groups["value"]))
    old = bare(short(groups.get("old") or ""))
    value, instead = _instead(value)
    value, purpose = split_purpose(value)
    thing = (groups.get("thing") or "").lower()
    if (
        subject == USER
        and re.match(r"[A-Z]", groups.get("thing") or "")
        and thing not in PURPOSE_WORDS
    ):
        subject = groups["thing"]
    value = bare(short(value))
    attribute = (
        PURPOSE_WORDS.get(thing)
        or PURPOSE_WORDS.get(purpose)
        or tool_purpose(value)
        or tool_purpose(old)
        or ("uses" if old and words(old) <= 2 and words(value) <= 2 else "")
    )
    if not attribute or points_elsewhere(value) or words(value) > 6 or value[:1].isdigit():
        return
    gone = f" from {old}" if old else ""
    yield Candidate(
        f"{whose(subject)} switched{gone} to {value}",
        FactKind.DECISION,
        subject,
        attribute,
        value,
        single=True,
        replaces=old or instead,
    )


def _replaced(found: Found, said: Said) -> Iterator[Candidate]:
    yield from _moved_to(found)


def _dropped(found: Found, said: Said) -> Iterator[Candidate]:
    """ "We no longer use Heroku", "Mongo is out": a value that ended."""
    value, subject = split_scope(phrase(found["value"]))
    value, purpose = split_purpose(value)
    value = bare(short(value))
    thing = found.groupdict().get("thing") or ""
    subject = thing if subject == USER and thing[:1].isupper() else subject
    if points_elsewhere(value) or words(value) > 5 or not (tool_purpose(value) or is_proper(value)):
        return
    yield Candidate(
        f"{whose(subject)} {'dropped' if _OUT.search(said.text) else 'no longer uses'} {value}",
        FactKind.DECISION,
        subject,
        PURPOSE_WORDS.get(purpose, purpose) or tool_purpose(value) or "uses",
        value,
        ended=True,
    )


def _cut(found: Found, said: Said) -> Iterator[Candidate]:
    """ "dark theme is cut": something planned that will not be."""
    value = bare(short(found["value"]))
    if not points_elsewhere(value) and words(value) <= 4 and not _SOMEONE.match(found["value"]):
        yield Candidate(
            f"{value[:1].upper()}{value[1:]} was dropped ({found['how'].lower()})",
            FactKind.DECISION,
            USER,
            f"decision:drop {_topic(value)}",
            value,
        )


_SOMEONE = re.compile(
    r"(?:(?:the|my|our|this|that)\s+)?(?:\w+\s+)?(?:power|internet|connection|"
    r"meetings?|calls?|flights?|"
    r"trains?|class(?:es)?|lessons?|line|video|audio|stream|games?|match|orders?|event|concert|"
    r"appointment|dinner|lunch|party|show|bus|he|she|i|we)$",
    re.I,
)


def _dropped_support(found: Found, said: Said) -> Iterator[Candidate]:
    value, subject = split_scope(phrase(found["value"]))
    if not points_elsewhere(value) and words(value) <= 8 and not _OF_THE_DAY.search(value):
        yield Candidate(
            f"{whose(subject)} is dropping {value}",
            FactKind.DECISION,
            subject,
            f"decision:drop {_topic(value)}",
            value,
        )


def _no_more(found: Found, said: Said) -> Iterator[Candidate]:
    """ "no more Friday deploys", "we're not doing weekly releases anymore"."""
    value = phrase(found["value"])
    if points_elsewhere(value) or not 2 <= words(value) <= 6 or _OF_THE_DAY.search(value):
        return
    if re.search(r"\b(?:me|you|please)\b", value, re.I):
        return
    yield Candidate(
        f"User's team decided: no more {value}",
        FactKind.DECISION,
        USER,
        f"decision:drop {_topic(value)}",
        f"no more {value}",
    )


def _kept(found: Found, said: Said) -> Iterator[Candidate]:
    """ "we're keeping Redis", "Flutter it is"."""
    value, subject = split_scope(phrase(found["value"]))
    value = bare(short(value))
    if not (tool_purpose(value) or is_proper(value)) or words(value) > 4 or points_elsewhere(value):
        return
    yield Candidate(
        f"{whose(subject)} decided to stay with {value}"
        if found.groupdict().get("stay")
        else f"{whose(subject)} decided on {value}",
        FactKind.DECISION,
        subject,
        tool_purpose(value) or "decision",
        value,
    )


def _it_is(found: Found, said: Said) -> Iterator[Candidate]:
    """ "Postgres it is then": of a known tool, for "pizza it is" decides a dinner."""
    if tool_purpose(f"with {found['value']}"):
        yield from _kept(found, said)


_WE = r"(?:we|i|the\s+team|our\s+team|management|the\s+company|everyone|they)"
_JUST = (
    r"(?:\s+(?:have|had|just|finally|already|now|also|all|officially|actually|recently|"
    r"completely|fully|are|am|is|has|ended\s+up|since|did|will|be|going\s+to))*"
)
_OLD = r"(?P<old>[\w .+#/-]{2,40}?)"
_OUT = re.compile(r"\b(?:out|gone|dead|deprecated|off|from)\b", re.I)
_TO_USE = re.compile(
    r"(?:use|go with|adopt|pick|choose|stick with|stay with|keep|standardi[sz]e on)\s+"
    r"(?P<value>.+)",
    re.I,
)
_TO_DROP = re.compile(
    r"(?:drop|ditch|abandon|get rid of|stop using|move off|move away from|retire|remove|leave|"
    r"phase out|not use|kill|scrap)\s+(?P<value>.+)",
    re.I,
)
_SWITCH_TO = re.compile(
    rf"(?:move|switch|migrate|go)\s+(?:away\s+)?(?:(?:from|"
    rf"off)\s+(?:of\s+)?{_OLD}\s+)?(?:over\s+)?(?:on)?to\s+(?P<value>.+)",
    re.I,
)

RULES: tuple[Rule, ...] = (
    rule(r"no\s+more\s+(?P<value>.+?)(?:\s+(?:from\s+now\s+on|please))?$", _no_more),
    rule(
        r"we\s+(?:are\s+not|do\s+not|will\s+not)\s+(?:doing|do|holding|hold|"
        r"supporting|support|offering|offer|"
        r"accepting|accept|shipping|publishing|hiring)\s+(?P<value>.+?)\s+any\s?more\b.*",
        _no_more,
    ),
    rule(
        r"we\s+(?:are\s+)?no\s+longer\s+(?:doing|do|holding|hold|supporting|support|"
        r"offering|offer|accepting|accept|"
        r"shipping|publishing|hiring)\s+(?P<value>.+)",
        _no_more,
    ),
    rule(
        r"(?:we|the\s+team)\s+(?:are\s+|will\s+)?(?P<stay>keep(?:ing)?|stay(?:ing)?\s+(?:on|with)|"
        r"stick(?:ing)?\s+(?:to|with))\s+(?P<value>.+)",
        _kept,
    ),
    rule(
        r"(?P<value>[\w.+#-]+(?:\s[\w.+#-]+){0,2})\s+it\s+is(?=$|[,.!]|\s+then\b)",
        _it_is,
    ),
    rule(
        r"(?:we|the\s+team)\s+(?:will|are\s+going\s+to)\s+(?:use|be\s+using|go\s+with|"
        r"adopt|move\s+to|switch\s+to|"
        r"run|standardi[sz]e\s+on)\s+(?P<value>.+)",
        _chosen,
    ),
    rule(
        rf"(?:we|i)\s+(?:just\s+|recently\s+)?went\s+from\s+{_OLD}\s+to\s+(?P<value>.+)", _switched
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:no\s+longer|do\s+not|stopped|quit|are\s+not|"
        rf"is\s+not)\s+(?:use|using|run|running|on)\s+(?P<value>.+?)(?:\s+any\s?more)?$",
        _dropped,
    ),
    rule(
        r"(?P<value>[\w.+#-]+(?:\s[\w.+#-]+)?)\s+is\s+(?:out|gone|dead|deprecated|"
        r"no\s+longer\s+used)(?=$|[,.!]|\s+(?:for\s+good|now|so))",
        _dropped,
    ),
    rule(
        r"(?P<value>(?:[\w-]+\s+){0,3}?[\w-]+)\s+(?:is|was|got|has\s+been|"
        r"are)\s+(?P<how>cut|scrapped|cancell?ed|axed|shelved|off\s+the\s+table|"
        r"dropped)(?=$|[,.!]|\s+(?:for\s+(?:v\d|now|good)|from))",
        _cut,
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:replaced|swapped(?:\s+out)?|ditched|"
        rf"traded)\s+{_OLD}\s+(?:with|for|by|in\s+favou?r\s+of)\s+(?P<value>.+)",
        _replaced,
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:moved|switched|migrated|moving|switching|migrating|changed|"
        rf"converted|transitioned|ported)\s+(?:everything\s+|all\s+|(?:our\s+|the\s+|"
        rf"my\s+)?(?P<thing>[\w/-]+(?:\s[\w/-]+)?)\s+)??(?:away\s+)?(?:over\s+)?(?:(?:from|"
        rf"off)\s+(?:of\s+)?{_OLD}\s+)?(?:over\s+)?(?:on)?to\s+(?P<value>.+)",
        _switched,
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:moved|migrated|moving|switched|took)\s+(?:(?:our\s+|"
        rf"the\s+)?(?P<thing>[\w/-]+)\s+)??(?:away\s+)?(?:off|"
        rf"from)\s+(?:of\s+)?(?P<value>.+)",
        _dropped,
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:dropped|dropping|sunset(?:ting)?|removing|killed|killing|"
        rf"deprecat(?:ed|ing)|discontinu(?:ed|ing)|"
        rf"cutting)\s+(?P<value>(?:support\s+for\s+|the\s+)?.+)",
        _dropped_support,
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:decided|agreed|chose|chosen|voted|opted|"
        rf"resolved)\s+(?P<to>to)\s+(?P<value>.+)(?P<link>)",
        _decided,
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:decided|agreed)\s+(?P<to>)(?P<link>that|against|"
        rf"not\s+to)\s+(?P<value>.+)",
        _decided,
    ),
    rule(
        rf"{_WE}{_JUST}\s+(?:decided\s+on|settled\s+on|agreed\s+on|went\s+with|go(?:ing|"
        rf"ne)?\s+with|picked|chose|chosen|opted\s+for|adopted|standardi[sz](?:ed|"
        rf"ing)\s+on|sticking\s+with|stick\s+with|committed\s+to|"
        rf"landed\s+on|rolling\s+out|rolled\s+out|introduc(?:ed|ing)|adopting)\s+(?P<value>.+)",
        _chosen,
    ),
    rule(r"(?:let's|lets)\s+(?:go\s+with|use|stick\s+with|settle\s+on)\s+(?P<value>.+)", _chosen),
    rule(
        r"(?:the\s+|our\s+|final\s+)*(?:decision(?:\s+(?:is|was)|:)|(?:decided|agreed|"
        r"verdict|outcome|"
        r"conclusion|final\s+answer)\s*:)\s+(?:made\s*:\s*)?(?P<to>to\s+)?(?P<value>.+)(?P<link>)",
        _decided,
    ),
    rule(
        r"(?:it\s+is|it\s+was)\s+(?:decided|agreed|"
        r"settled)\s*[:,]?\s*(?P<to>)(?P<link>that\s+)?(?P<value>.+)",
        _decided,
    ),
)
