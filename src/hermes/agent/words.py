"""Whether an answer claims to have remembered something: such a claim must have a receipt."""

import re

_CLAIM = re.compile(
    r"\b(?:I(?:['’]ve| have|['’]ll| will)?(?: just| now)? (?:remember(?:ed)?|noted|saved|stored"
    r"|made a note|keep (?:that|this|it) in mind)\b"
    r"|(?:^|[.!?]\s+)(?:noted|remembered|saved|got it, (?:noted|saved))\b(?! that you| in )"
    r"|(?:saved|stored|added) (?:it |that |this )?(?:to|in) (?:my )?(?:memory|notes?)\b"
    r"|(?:ich habe|hab) (?:mir )?(?:das |es )?(?:gemerkt|notiert|gespeichert)"
    r"|ich merke mir|j['’]ai (?:noté|retenu|enregistré)|lo he (?:guardado|anotado))",
    re.IGNORECASE | re.MULTILINE,
)


def claims_to_remember(text: str) -> bool:
    return _CLAIM.search(text) is not None
