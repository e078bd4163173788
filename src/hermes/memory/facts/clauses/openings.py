"""What begins at a word of a sentence: a clause, a question, a predicate."""

from hermes.memory.facts.clauses.tokens import Token


def begins_clause(tokens: list[Token], index: int) -> bool:
    """A subject and, soon after it, a finite verb."""
    if index >= len(tokens):
        return False
    if tokens[index].text in _QUOTES:
        index += 1  # "'badger' is the nas"
    first = tokens[min(index, len(tokens) - 1)]
    if first.tag == "PRON" and first.low not in {"one"}:
        return _verb_within(tokens, index + 1, 3)
    if first.tag == "PREP" and first.low not in {"to", "of", "with", "than"}:
        pronoun = next(
            (
                n
                for n, t in enumerate(tokens[index + 1 : index + 6], index + 1)
                if t.tag == "PRON" or (t.tag == "POSS" and t.low in {"my", "our"})
            ),
            0,
        )
        return bool(pronoun) and tokens[pronoun].tag == "PRON" and begins_clause(tokens, pronoun)
    if first.form == "VG" and index + 1 < len(tokens) and tokens[index + 1].low in {"is", "are"}:
        return index + 2 < len(tokens) and tokens[index + 2].tag != "VERB"  # "purchasing is Amaia"
    if first.tag in {"POSS", "DET", "NAME", "NOUN", "ADJ", "NUM"}:
        end = index
        while end < len(tokens) and end - index < 8 and _is_of_phrase(tokens[end]):
            end += 1
        several = tokens[end : end + 1] and tokens[end].low == "and" and end == index + 1
        if several and (verb := _after_both(tokens, end)):
            return tokens[verb].form == "VB" or tokens[verb].low in {"are", "were", "have"}
        while index < end < len(tokens) - 1 and tokens[end].tag == "ADV":
            end += 1  # "and her brother just moved"
        return (
            end > index
            and end < len(tokens)
            and is_finite(tokens[end])
            and (
                tokens[end].tag in {"BE", "HAVE", "AUX"}
                or tokens[end].form in {"VZ", "VD"}
                or (tokens[end].form == "VB" and tokens[end - 1].low.endswith("s"))
            )
        )
    return False


def _after_both(tokens: list[Token], place: int) -> int:
    """Where the verb may stand of "badger and the nas hang on it", of which `place` is "and"."""
    end = place + 1
    if not {t.tag for t in tokens[place + 1 : place + 2]} & {"DET", "POSS", "NAME"}:
        return 0
    while end < len(tokens) and tokens[end].tag in {"DET", "POSS", "NAME"}:
        end += 1
    named = end > place + 1 and tokens[end - 1].tag == "NAME"
    end += 0 if named else 1
    return end if end < len(tokens) else 0


_QUOTES = frozenset("'`‘’")


def _is_of_phrase(token: Token) -> bool:
    return token.tag in _PHRASE or token.text in _QUOTES | {"/", "&"}


_SHELLS = frozenset({"fish", "bash"})  # which read as verbs, too
_PHRASE = frozenset({"POSS", "DET", "NAME", "NOUN", "ADJ", "NUM", "GEN", "PREP", "ADDR"})


def begins_question(tokens: list[Token], index: int) -> bool:
    """ "…, how do I install it", "…, can you draft"."""
    if (
        index >= len(tokens)
        or tokens[index].tag not in {"WH", "AUX", "BE"}
        or tokens[index].low in {"that", "which", "who"}
    ):
        return False
    return any(t.tag in {"PRON", "AUX", "BE", "DET", "POSS"} for t in tokens[index + 1 : index + 4])


def begins_predicate(tokens: list[Token], index: int) -> bool:
    """A verb that leans on the subject of the clause before."""
    if index >= len(tokens):
        return False
    token = tokens[index]
    if token.low in _SHELLS and any(each.lemma in {"use", "run"} for each in tokens[:index]):
        return False  # "I use neovim and fish on a laptop"
    if token.tag in {"BE", "HAVE", "AUX"} and token.low not in {"be", "being"}:
        return not token.low.startswith("'")
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    return (
        token.tag == "VERB"
        and following is not None
        and (
            following.tag
            in {"PREP", "DET", "POSS", "NAME", "ADV", "OBJ", "NUM", "NOUN", "WH", "ADJ"}
            or (token.low == "need" and following.low == "help")
        )
    )


def _verb_within(tokens: list[Token], index: int, reach: int) -> bool:
    for token in tokens[index : index + reach]:
        if token.tag in {"BE", "HAVE", "AUX", "VERB"}:
            return True
        if token.tag not in {"ADV", "NEG", "INTJ"} and token.low != "both":
            return False
    return False


def is_finite(token: Token) -> bool:
    return (token.tag in {"BE", "HAVE", "AUX"} and token.low not in {"be", "been", "being"}) or (
        token.tag == "VERB" and token.form in {"VB", "VZ", "VD"}
    )
