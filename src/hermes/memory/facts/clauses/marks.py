"""The signs a row may ask for beyond its words: each a small question about one frame."""

from collections.abc import Callable

from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.customs import (
    SIGNS_OF_TRADE_AND_BODY,
    Setting,
    has_left,
    is_frequent,
    is_habitual,
    is_hobby,
    is_intransitive,
    is_life_object,
    is_liked,
    is_lived,
    is_owned,
    is_posted,
    is_refused,
    is_ruled,
    is_serious,
    is_steady,
    lows_of,
    object_text,
)
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import (
    ENVIRONMENTS,
    EVENT_NOUNS,
    MOMENTARY,
    PASSING_NOUNS,
    RELATIONS,
    ROLE_NOUNS,
)
from hermes.memory.facts.clauses.posts import is_promoted
from hermes.memory.facts.clauses.subjects import is_for_good
from hermes.memory.facts.clauses.tools import PURPOSE, SAME_PURPOSE, find_purpose
from hermes.memory.facts.clauses.workings import (
    has_rhythm,
    is_arranged,
    is_filed,
    is_on_topic,
    is_pursued,
    is_resolved,
)

Sign = Callable[[Frame, Setting], bool]

_PRODUCTS = frozenset(
    "app support service feature product project integration plan site website office api program "
    "contract subscription releases meetings portal version programme module dashboard store shop "
    "newsletter blog line team endpoint plugin on-prem".split()
)
_ATTRIBUTES = frozenset(
    "name surname job role title hometown pronouns language tongue diet style hobby timezone "
    "birthday "
    "email mail address phone handle github employer company team favourite favorite go-to "
    "breakfast "
    "specialty speciality signature nickname username initials editor shell browser blood size "
    "degree major school university height weight star sign religion nationality policy convention "
    "rule stack setup default standard".split()
)
_TECH = frozenset(
    "backend frontend client gateway bucket branch port url version sla budget retention "
    "database db "
    "server cluster stack api app site website repo repository wiki docs vpn registry queue cache "
    "storage hosting channel prefix domain endpoint host runtime language framework orm ci "
    "pipeline "
    "infra infrastructure os editor license licence timezone currency number id account email "
    "phone "
    "address mailbox environment machine laptop desktop nas router network monorepo monitor "
    "customer competitor supplier vendor partner landlord colour color font logo motto limit quota "
    "threshold headcount capacity price rate salary rent winner".split()
)


_STRONG = frozenset("drop stop only no never always need needs must keep move quit".split())


def is_firm(frame: Frame, _: Setting) -> bool:
    """Decided on something with a name, a number, or a rule in it."""
    said = [
        t for t in frame.rest if t.tag in {"NAME", "NUM", "ADDR"} and t.low not in values.CALENDAR
    ]
    return bool(said) or bool({t.low for t in frame.rest} & _STRONG)


def is_not_mine(frame: Frame, _: Setting) -> bool:
    rest = [t.low for t in frame.rest]
    return (
        rest[:2] == ["my", "thing"] or rest[:2] == ["for", "me"] or rest[:3] == ["my", "cup", "of"]
    )


def is_told_to_all(frame: Frame, setting: Setting) -> bool:
    return setting.told or setting.explicit


def is_appointed(frame: Frame, setting: Setting) -> bool:
    return frame.subject.noun in EVENT_NOUNS and (
        setting.told or setting.correction or setting.explicit or frame.negated
    )


def is_decision(frame: Frame, setting: Setting) -> bool:
    return setting.decided and not frame.has("it", "this", "that")


def is_related(frame: Frame, _: Setting) -> bool:
    return frame.subject.noun in ROLE_NOUNS | RELATIONS


def is_bare_role(frame: Frame, setting: Setting) -> bool:
    """ "boss is Henrike Solberg": one's own, with "my" left out."""
    words = frame.subject.words
    bare = 0 < len(words) <= 2 and words[0].tag not in {"DET", "POSS", "NAME"}
    return bare and is_related(frame, setting)


def is_present(frame: Frame, _: Setting) -> bool:
    thing = frame.subject.kind == "name" and frame.subject.words[0].tag == "DET"
    thing = thing and frame.subject.noun not in ROLE_NOUNS | RELATIONS  # "the proxmox host"
    return frame.tense == "present" and not frame.modal and not frame.negated and not thing


def is_owned_thing(frame: Frame, setting: Setting) -> bool:
    return setting.told or setting.explicit


def is_refusing(frame: Frame, _: Setting) -> bool:
    return frame.negated and frame.modal in {"can", "ca", "could"}


def is_decided(frame: Frame, setting: Setting) -> bool:
    """Decided something that has a name or a number, or announced as decided."""
    if setting.decided:
        return True
    words = frame.rest
    said = [t for t in words if t.tag in {"NAME", "NUM", "ADDR"} and t.low not in values.CALENDAR]
    return (bool(said) and not values.points_elsewhere(frame.object)) or bool(
        {t.low for t in words} & _STRONG
    )


def is_dropped(frame: Frame, _: Setting) -> bool:
    found = frame.object
    if not found or any(t.tag == "NUM" for t in found[:2]):
        return False
    names = values.names_in(found)
    return bool(names) or found[-1].low in _PRODUCTS


def is_business(frame: Frame, _: Setting) -> bool:
    return (
        frame.tense == "present"
        and bool(frame.object)
        and frame.object[0].tag not in {"DET", "POSS", "PRON"}
    )


def is_policy(frame: Frame, setting: Setting) -> bool:
    lows = lows_of(frame)
    if frame.tense != "present" or (frame.negated and frame.modal):
        return False
    if setting.decided or setting.explicit or setting.told:
        return True
    return bool(lows & {"always", "only", "never", "not", "anymore"})


def is_plain_attribute(frame: Frame, setting: Setting) -> bool:
    """ "our runway is 14 months": an exact value of something that has one for long."""
    noun = frame.subject.noun
    if (noun in PASSING_NOUNS and not setting.decided) or (
        frame.object and frame.object[0].low in MOMENTARY
    ):
        return False
    if frame.slot("at") is not None or frame.tense != "present" or frame.negated:
        return False
    if values.is_zone(object_text(frame)) and noun not in {"timezone", "zone"}:
        return False
    if frame.subject.kind == "own":
        return True
    if setting.explicit or setting.decided or setting.told or setting.correction:
        return True
    literal = frame.object and frame.object[0].text in {"`", "<"}  # "partition is `short`"
    tool = find_purpose(object_text(frame))
    if literal or (tool and len(frame.rest) <= 4 and not frame.tail):
        return True
    counted = noun in {
        "number",
        "id",
        "account",
        "code",
        "extension",
        "limit",
        "port",
        "version",
        "quota",
    }
    if counted and values.is_number(frame.object):
        return True
    known = noun in _TECH | ENVIRONMENTS or noun in PURPOSE or noun in SAME_PURPOSE
    return known and bool(
        find_purpose(object_text(frame))
        or values.is_address(frame.object)
        or values.is_amount(frame.object)
        or values.names_in(frame.object)
    )


def is_attribute(frame: Frame, _: Setting) -> bool:
    lows = {t.low for t in frame.subject.words}
    passing = frame.subject.noun in PASSING_NOUNS and not is_for_good(frame.subject)
    if passing or frame.negated or frame.tense != "present":
        return False
    if frame.object and frame.object[0].low in MOMENTARY:
        return False
    return bool(lows & _ATTRIBUTES)


def is_project(frame: Frame, _: Setting) -> bool:
    found = frame.object
    if not found or frame.negated or frame.tense != "present":
        return False
    kinds = {
        "app",
        "tool",
        "service",
        "platform",
        "system",
        "cli",
        "library",
        "crm",
        "project",
        "customer",
        "client",
        "contact",
        "competitor",
        "product",
        "plugin",
        "game",
        "newsletter",
        "podcast",
        "account",
        "supplier",
        "vendor",
    }
    role = values.role_words(found)
    ours = found[0].low in {"my", "our"} or "@" in frame.subject.text
    named = frame.subject.name[:1].isupper()
    return bool(
        named and role and (role[-1].low in kinds) and (ours or found[0].low in {"a", "an", "the"})
    )


def is_verdict(frame: Frame, setting: Setting) -> bool:
    lows = lows_of(frame)
    ends = {
        "out",
        "cut",
        "dropped",
        "forbidden",
        "banned",
        "mandatory",
        "killed",
        "deprecated",
        "frozen",
        "cancelled",
        "approved",
    }
    last = frame.words[-1].low if frame.words else ""
    return (
        bool(lows & ends)
        and (setting.decided or bool(lows & {"forbidden", "mandatory", "banned"}))
        and (last in ends or bool(lows & {"forbidden", "mandatory", "banned"}))
    )


def is_staying(frame: Frame, setting: Setting) -> bool:
    kept = frame.slot("with", "on", "in")
    named = kept is not None and values.is_tool_phrase(kept.words)
    return setting.decided or named


def is_winner(frame: Frame, _: Setting) -> bool:
    return bool(find_purpose(frame.subject.text)) and len(frame.rest) <= 3


def is_at_work(frame: Frame, _: Setting) -> bool:
    everywhere = {t.low for t in frame.rest} & {"everywhere", "throughout"}
    return bool({t.low for t in frame.lead} & {"work", "home", "side", "office", "team"}) or bool(
        everywhere
    )


def is_calling_me(frame: Frame, _: Setting) -> bool:
    return frame.has("me") and not frame.negated


def is_dwelling(frame: Frame, _: Setting) -> bool:
    """ "I'm in Leeds": not where one is something ("a law office in Jena"), nor what for ("at the
    airport in Doha", "in Nantes on fieldwork")."""
    slot = frame.slot("on", "for", "until", "till")
    lasts = frame.tense == "perfect" and slot is not None and values.is_amount(slot.words)
    return is_nothing_else(frame, _) and (slot is None or lasts)


def is_nothing_else(frame: Frame, _: Setting) -> bool:
    """ "we're on Django": without saying what one is, or at which place."""
    named = any(t.tag in {"NOUN", "NAME"} for t in frame.object)
    return not named and frame.slot("at") is None


def is_at_once(frame: Frame, _: Setting) -> bool:
    """ "I'm into jazz"; but not "I'm about to head into a meeting"."""
    return bool(frame.slots) and frame.slots[0].prep == "into"


def is_team_of(frame: Frame, _: Setting) -> bool:
    """ "we have four people on the team"."""
    return {"people", "team"} <= lows_of(frame)


def is_meal(frame: Frame, setting: Setting) -> bool:
    """ "I usually have lunch at 1pm"."""
    meal = lows_of(frame) & {"breakfast", "lunch", "dinner", "supper"}
    return bool(meal) and is_frequent(frame, setting)


def is_none_of_sort(frame: Frame, _: Setting) -> bool:
    """ "eats nothing green", "won't eat anything with seeds": none of a sort; not "ate nothing"."""
    none = frame.object[:1] and frame.object[0].low == ("anything" if frame.negated else "nothing")
    sort = any(t.tag == "ADJ" for t in frame.object[1:2]) or frame.slot("with", "from")
    return bool(none and sort)


SIGNS: dict[str, Sign] = {
    "@none_of_sort": is_none_of_sort,
    "@without": lambda frame, _: [t.low for t in frame.rest[:1]] == ["no"],
    "@meal": is_meal,
    "@team_of": is_team_of,
    "@at_once": is_at_once,
    "@posted": is_posted,
    "@promoted": is_promoted,
    "@cannot": is_refusing,
    "@steady": is_steady,
    "@ruled": is_ruled,
    "@not_mine": is_not_mine,
    "@present": is_present,
    "@related": is_related,
    "@bare_role": is_bare_role,
    "@habitual": is_habitual,
    "@decision": is_decision,
    "@appointed": is_appointed,
    "@told": is_told_to_all,
    "@owned_thing": is_owned_thing,
    "@serious": is_serious,
    "@dwelling": is_dwelling,
    "@nothing_else": is_nothing_else,
    "@intransitive": is_intransitive,
    "@liked": is_liked,
    "@firmly": is_firm,
    "@left": has_left,
    "@rhythm": has_rhythm,
    "@arranged": is_arranged,
    "@filed": is_filed,
    "@on_topic": is_on_topic,
    "@pursued": is_pursued,
    "@resolved": is_resolved,
    "@decided": is_decided,
    "@dropped": is_dropped,
    "@business": is_business,
    "@owned": is_owned,
    "@hobby": is_hobby,
    "@frequent": is_frequent,
    "@refused": is_refused,
    "@life_object": is_life_object,
    "@lived": is_lived,
    "@policy": is_policy,
    "@plain_is": is_plain_attribute,
    "@attribute": is_attribute,
    "@project": is_project,
    "@verdict": is_verdict,
    "@stays": is_staying,
    "@winner": is_winner,
    "@at_work": is_at_work,
    "@call_me": is_calling_me,
    **SIGNS_OF_TRADE_AND_BODY,
    "@say_mean": lambda frame, _: "say" in {t.low for t in frame.lead},
}
