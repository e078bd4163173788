"""Who holds a thing in which role: "Marta owns Orion", "Orion is now owned by Jonas"."""

import re
from dataclasses import dataclass

_WHO = r"(?P<who>[\w][\w .'-]{1,30}?)"
_WHAT = r"(?:the\s+|our\s+|my\s+)?(?P<what>[^,;]{2,40}?)"
_NOUN = r"(?P<role>owner|lead|maintainer|manager|chair|head)"
_POST = (  # of which there is one
    r"(?:\w+\s+)?(?:lead|owner|master)|cto|ceo|cfo|coo|pm|manager|boss|team\s+leader|head\s+of\s+\w+|"
    r"director|chair|treasurer|president|landlord|(?:product|project|office)\s+manager"
)
_END = r"(?=\s+(?:now|from|since|as|these|instead|so|and)\b|[,;.!]|$)"
_SAID = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"^{_WHO}\s+(?:now\s+)?(?P<role>owns|leads|runs|maintains|handles|manages|chairs|reviews)\s+"
        rf"{_WHAT}{_END}",
        rf"^{_WHO}\s+is\s+(?:now\s+)?the\s+(?:new\s+)?{_NOUN}\s+(?:of|for)\s+{_WHAT}{_END}",
        rf"(?:^|\bthe\s+)(?:new\s+)?{_NOUN}\s+(?:of|for)\s+{_WHAT}\s+is\s+(?:now\s+)?{_WHO}{_END}",
        rf"^{_WHAT}\s+(?:is|are)\s+(?:now\s+)?(?P<role>owned|led|run|maintained|handled|managed|"
        rf"chaired|reviewed)\s+(?:now\s+)?by\s+{_WHO}{_END}",
        rf"^{_WHAT}\s+(?:now\s+)?(?P<role>belongs)\s+to\s+{_WHO}{_END}",
        rf"^{_WHAT}\s+is\s+{_WHO}['’]s\s+(?P<role>baby|job|responsibility|now)",
        rf"^{_WHO}\s+(?:has\s+|have\s+)?(?P<role>took|taken|takes|taking)\s+over\s+(?:as\s+)?{_WHAT}{_END}",
        rf"^{_WHO}\s+(?P<role>is)\s+(?:now\s+)?(?:our|my|the(?:\s+team's|\s+user's)?)\s+(?:new\s+)?(?P<what>{_POST}){_END}",
        rf"^(?:our|my|the|user's(?:\s+team's)?)\s+(?P<what>{_POST})\s+(?P<role>is)\s+(?:now\s+)?{_WHO}{_END}",
        rf"^{_WHO}\s+(?P<role>does)\s+(?:the|our|all)\s+{_WHAT}{_END}",
        rf"\b(?P<role>hand(?:ed|s))\s+{_WHAT}\s+(?:over\s+)?to\s+{_WHO}{_END}",
    )
)
_ROLES = {
    "led": "lead",
    "lead": "lead",
    "leads": "lead",
    "head": "lead",
    "run": "run",
    "runs": "run",
}
_ROLES |= dict.fromkeys(("manages", "managed", "manager"), "manage")
_ROLES |= dict.fromkeys(("maintains", "maintained", "maintainer"), "maintain")
_ROLES |= dict.fromkeys(("chairs", "chaired", "chair"), "chair")
_ROLES |= dict.fromkeys(("handles", "handled", "does"), "handle")
_ROLES |= dict.fromkeys(("reviews", "reviewed"), "review")
_HANDED = frozenset({"took", "taken", "takes", "taking", "handed", "hands", "now"})


@dataclass(frozen=True, slots=True)
class Holder:
    """Of a thing, in a role ("own" for having it as such); `handed` where it passes on."""

    who: str
    what: str
    role: str
    handed: bool = False

    def is_of_same(self, other: "Holder") -> bool:
        """Whether both speak of one role of one thing; what is handed on is whatever was held."""
        alike = self.role == other.role or self.handed or other.handed
        return alike and self.what.casefold() == other.what.casefold()


def find_holder(text: str) -> Holder | None:
    """Who a sentence says to hold what."""
    for pattern in _SAID:
        if found := pattern.search(text.strip(" .!")):
            role = found["role"].lower()
            return Holder(found["who"], found["what"], _ROLES.get(role, "own"), role in _HANDED)
    return None
