"""Who someone is to the user, named in passing: "User's sister Leila lives in Shiraz"."""

import re

KIN = (
    "wife husband partner spouse girlfriend boyfriend fiance fiancee fiancé fiancée mother father "
    "mom mum dad sister brother son daughter cousin uncle aunt niece nephew grandmother "
    "grandfather grandson granddaughter friend colleague boss manager"
)
_NAME = r"[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)?"
_NAMED = re.compile(
    rf"^(?i:user's|their|my) (?P<relation>{'|'.join(KIN.split())}),? (?P<name>{_NAME})\b"
)


def find_kin(text: str) -> tuple[str, str] | None:
    """The relation and the name that a statement begins with, if it goes on to say more."""
    named = _NAMED.match(text)
    return (named["relation"], named["name"]) if named else None
