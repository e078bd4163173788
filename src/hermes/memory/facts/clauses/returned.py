"""One tool left for another that was used before: "no longer use fish, back to zsh"."""

import re

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.types import FactKind

_RETURN = re.compile(
    r"(?:i(?:'m| am)? )?no longer us(?:e|ing) (?P<gone>[\w.+#-]+(?: [\w.+#-]+)?),? "
    r"(?:and |but )?(?:i(?:'m| am)? )?(?:went )?back (?:to|on|with|using) "
    r"(?P<new>[\w.+#-]+(?: [\w.+#-]+)?)(?: now| again)?[.!]?",
    re.IGNORECASE,
)


def find_return(text: str) -> list[Candidate]:
    """What is used again, in the place of what is not used any more, and the end of that."""
    found = _RETURN.fullmatch(text.strip())
    if found is None:
        return []
    gone, new = found["gone"], found["new"]
    slot = find_purpose(new) or find_purpose(gone) or "uses"
    used = Candidate(
        f"User uses {new}", FactKind.ENVIRONMENT, USER, slot, new, single=True, replaces=gone
    )
    left = Candidate(
        f"User no longer uses {gone}", FactKind.ENVIRONMENT, USER, slot, gone, ended=True
    )
    return [used, left]
