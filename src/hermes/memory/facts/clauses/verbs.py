"""The verbs the reader knows: their forms, and the classes the table of facts speaks of."""

CLASSES = {
    "live": "live reside dwell settle",
    "work": "work freelance",
    "post": "teach lead manage head coordinate run maintain oversee supervise own handle review "
    "approve "
    "organise organize operate facilitate chair moderate administer look make sell design build "
    "coach train research edit produce repair restore breed grow farm direct curate",
    "study": "study learn",
    "like": "like love adore enjoy fancy",
    "dislike": "hate dislike loathe despise detest avoid mind",
    "prefer": "prefer",
    "use": "use deploy host write build code program develop keep store run target ship sit "
    "stand log talk sync serve bill sell keep support track",
    "decide": "decide agree choose pick settle standardise standardize adopt select opt commit "
    "conclude vote",
    "switch": "switch move migrate relocate replace swap ditch drop kill retire sunset scrap "
    "deprecate "
    "abandon port convert transition change",
    "keep": "keep stay stick remain",
    "have": "have get own possess",
    "call": "call name rename spell pronounce address",
    "speak": "speak",
    "want": "want need require expect ask",
    "due": "expire end start close begin finish launch ship open run lapse renew submit arrive "
    "land go follow deliver release hand happen",
    "shift": "move push postpone delay shift reschedule bring extend slip",
    "join": "join start",
    "leave": "leave quit resign",
    "life": "marry engage graduate pass buy sell adopt break publish win lose retire hire "
    "promote diagnose launch acquire raise found born die turn finish complete divorce",
    "eat": "eat drink smoke drive",
    "hobby": "play sing collect paint climb knit garden brew volunteer cycle swim hike sail dance "
    "draw bake cook ski row fence dive fish ride juggle box surf bike jog commute run",
    "take": "take",
    "other": "lay refuse swear wear share coach appoint deal register relocate",
    "report": "report cover",
    "say": "reckon swear joke brag complain "
    "say tell write claim think believe mention ask reply wonder suggest argue insist "
    "promise state list show",
    "order": "use say write answer give show send add put start begin end call suggest recommend "
    "explain apologise apologize repeat include schedule book speak talk reply format indent "
    "translate mention ask assume sign round abbreviate correct keep stick address cite quote "
    "avoid skip respond name spell convert write remind ping message email text plan propose "
    "summarise summarize hedge lecture praise open close greet cc leave drop omit stop switch "
    "do make provide return treat flag warn",
}
_MORE = """
know see find try ask help freeze retrain moderate coach chair coordinate mentor referee
upgrade step let come bring hold turn follow create add read spend win offer
remember consider appear wait serve die send expect cut reach raise pass decide pull return
explain hope carry thank receive allow happen stop create open walk win teach
break cost reduce check fix crash fail work look seem feel need become plan think go say
mean set put pay meet include continue understand watch speak lead start move like live believe
begin wake fly travel visit rent borrow lend apply register sign order cancel forget
kiss miss laugh cry sleep rest stand knock steal throw catch drive eat drink cook bake
test debug merge rebase push commit review compile import export parse install upgrade
update download upload connect disconnect restart reboot reproduce configure rotate own
rewrite rebuild
take give do make get have want use manage handle organise approve sit lie rain snow hang
""".split()

_IRREGULAR = {
    "be": "was been",
    "have": "had had",
    "do": "did done",
    "go": "went gone",
    "get": "got got",
    "make": "made made",
    "take": "took taken",
    "give": "gave given",
    "come": "came come",
    "see": "saw seen",
    "know": "knew known",
    "think": "thought thought",
    "say": "said said",
    "tell": "told told",
    "find": "found found",
    "leave": "left left",
    "keep": "kept kept",
    "begin": "began begun",
    "write": "wrote written",
    "run": "ran run",
    "hold": "held held",
    "bring": "brought brought",
    "buy": "bought bought",
    "sell": "sold sold",
    "lose": "lost lost",
    "win": "won won",
    "pay": "paid paid",
    "meet": "met met",
    "sit": "sat sat",
    "stand": "stood stood",
    "lead": "led led",
    "grow": "grew grown",
    "choose": "chose chosen",
    "speak": "spoke spoken",
    "eat": "ate eaten",
    "drink": "drank drunk",
    "drive": "drove driven",
    "break": "broke broken",
    "teach": "taught taught",
    "feel": "felt felt",
    "set": "set set",
    "put": "put put",
    "cut": "cut cut",
    "quit": "quit quit",
    "freeze": "froze frozen",
    "read": "read read",
    "rewrite": "rewrote rewritten",
    "rebuild": "rebuilt rebuilt",
    "send": "sent sent",
    "spend": "spent spent",
    "build": "built built",
    "fly": "flew flown",
    "ride": "rode ridden",
    "swim": "swam swum",
    "sing": "sang sung",
    "steal": "stole stolen",
    "throw": "threw thrown",
    "catch": "caught caught",
    "fall": "fell fallen",
    "wake": "woke woken",
    "become": "became become",
    "understand": "understood understood",
    "forget": "forgot forgotten",
    "mean": "meant meant",
    "let": "let let",
    "cost": "cost cost",
    "lie": "lay lain",
    "sleep": "slept slept",
    "draw": "drew drawn",
    "lend": "lent lent",
    "oversee": "oversaw overseen",
    "shut": "shut shut",
    "show": "showed shown",
    "hang": "hung hung",
    "born": "born born",
}
_DOUBLED = frozenset(
    "run get put set cut sit quit swap plan drop ship pin jog swim opt scrap log "
    "stop begin ban let chat sunset tap tag commit program skip slip rename".split()
) - {"rename"}
_VOWELS = "aeiou"
_HISSING = ("sses", "shes", "ches", "xes", "zzes", "oes")
_SHORTEST = 4  # letters: "was" and "his" are of no verb


def _past(lemma: str) -> tuple[str, str]:
    if lemma in _IRREGULAR:
        past, part = _IRREGULAR[lemma].split()
        return past, part
    if lemma.endswith("e"):
        return lemma + "d", lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ied", lemma[:-1] + "ied"
    stem = lemma + lemma[-1] if lemma in _DOUBLED else lemma
    return stem + "ed", stem + "ed"


def third(lemma: str) -> str:
    """The form after he, she, it."""
    if lemma in {"be", "have", "do", "go"}:
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[lemma]
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _gerund(lemma: str) -> str:
    if lemma == "die":
        return "dying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "ye")):
        return lemma[:-1] + "ing"
    return (lemma + lemma[-1] if lemma in _DOUBLED else lemma) + "ing"


def _forms() -> dict[str, tuple[str, str]]:
    known: dict[str, tuple[str, str]] = {}
    lemmas = {lemma for words in CLASSES.values() for lemma in words.split()} | set(_MORE)
    for lemma in sorted(lemmas - {"be"}):
        past, part = _past(lemma)
        for form, kind in (
            (part, "VN"),
            (past, "VD"),
            (_gerund(lemma), "VG"),
            (third(lemma), "VZ"),
            (lemma, "VB"),
        ):
            known.setdefault(form, (lemma, kind))
        known[lemma] = (lemma, "VB")
        if past == part:
            known.setdefault(past, (lemma, "VD"))
    known.update(
        {
            "born": ("born", "VN"),
            "based": ("base", "VN"),
            "switched": ("switch", "VD"),
            "left": ("leave", "VD"),
            "rang": ("ring", "VD"),
            "found": ("find", "VD"),
            "moving": ("move", "VG"),
            "standardised": ("standardise", "VD"),
            "retired": ("retire", "VD"),
        }
    )
    for form, (lemma, kind) in list(known.items()):
        if kind == "VN" and _past(lemma)[0] == form:
            known[form] = (lemma, "VD")
    return known


FORMS = _forms()


def base(form: str) -> str:
    """The verb that a form after he, she, it is of ("teaches"), known or not; others stay."""
    lemma, kind = FORMS.get(form, ("", ""))
    if lemma:
        return lemma if kind == "VZ" else form
    if len(form) < _SHORTEST or not form.endswith("s") or form.endswith(("ss", "us", "is")):
        return form
    if form.endswith("ies"):
        return form[:-3] + "y"
    return form[:-2] if form.endswith(_HISSING) else form[:-1]


CLASS_OF: dict[str, frozenset[str]] = {}
for _name, _words in CLASSES.items():
    for _lemma in _words.split():
        CLASS_OF[_lemma] = CLASS_OF.get(_lemma, frozenset()) | {_name}


def of_many(said: str) -> str:
    """ "is expecting a baby", said of one, as it is said of two."""
    verb, _, rest = said.partition(" ")
    bases = (verb.removesuffix("s"), verb.removesuffix("es"), f"{verb.removesuffix('ies')}y")
    base = _OF_MANY.get(verb) or next((each for each in bases if third(each) == verb), verb)
    return f"{base} {rest}".strip()


_OF_MANY = {"is": "are", "was": "were", "has": "have", "does": "do"}
