"""Words that say nothing in a summary, words of mere courtesy, and words that mark what matters."""

import re

# Left out wherever they stand: articles, auxiliaries, pronouns of who speaks, and filling.
DROPPED = frozenset(
    """a an the is are was were be been being am i'm im i've ive i'd i'll you're you've you'll we're
    we've we'll he's she's they're they've it's its it that's there's here's what's let's lets
    i me my mine myself we us our ours ourselves you your yours yourself this that these those
    there here do does did has have had having will would shall of so well oh ah uh um hmm hey
    wow yeah just really very quite pretty actually basically literally simply totally
    definitely certainly probably maybe perhaps kind sort bit some such also too even ever
    always then than and but or as if which who whom whose what where when how why can could
    may might should to in at on for with by from into about up out over gonna wanna gotta get
    got goes one something anything everything much more most please guess know knew say says
    said tell tells see seen sure okay ok right now today's been her his him she he they them
    their theirs other same own all any both each only off again while during through because
    since""".split()
)
# Kept although they are short: without them a sentence says the opposite.
MEANING = frozenset(
    """no not never none nobody nothing without until till before after instead against under over
    above below between per except unless yes yesterday today tomorrow tonight last next ago every
    always only off if first least must""".split()
)
# Kept before a name, a number or a date, where they say which way round it is.
LEADING = frozenset("to from in at on by for with into since than as about over and or".split())
COURTESY = frozenset(
    """thanks thank thx great awesome amazing cool nice good wonderful fantastic lovely love glad
    happy hope sounds sound welcome wow congrats congratulations proud bye goodbye hello hi hey
    morning evening night luck care soon later enjoy understood noted got perfect excellent
    absolutely agreed exactly totally course worries problem anytime appreciate cheers haha lol true
    right interesting fun best wishes take talk chat support supportive inspiring incredible
    beautiful gorgeous cute sweet pleasure kind words excited exciting impressive wait catch
    up keep going doing did well hear heard anything else""".split()
)
AGREEING = re.compile(
    r"(?:yes|yep|yeah|yup|no|nope|nah|agreed|exactly|correct|right|true|sure|ok|okay|done|deal"
    r"|never|always|neither|both|ja|nein|oui|non|si|sí)\b",
    re.I,
)
TELLING = re.compile(
    r"""\b(?:decid\w+|decision|agreed|chose|choose|settled|went\ with|go(?:ing)?\ with|switch\w*
    |prefer\w*|hate[sd]?|always|never|must|deadline|due|until|launch\w*|release\w*|meeting|moved?
    |because|reason|cause[sd]?|fix(?:ed|es)?|fail\w*|error|broke\w*|allerg\w+|birthday|married
    |born|lives?|works?\ (?:at|for|as)|name(?:d|\ is)?|called|remember|remind|important|password
    |version|costs?|price|budget|total|plan(?:s|ned)?|start(?:s|ed)?|finish\w*|bought|sold|won|lost
    |recommend\w*|suggest\w*|instead|correct(?:ion)?|wrong|actually)\b""",
    re.I | re.X,
)
# They turn a sentence round, or bound what it says.
LIMITING = re.compile(
    r"""\b(?:not?|nor|never|none|nobody|nothing|nowhere|neither|cannot|\w+n['’]t|without|lack\w*
    |(?:do|does|did|is|are|was|were|ca|wo|could|would|should|have|has|had)nt|only|except|unless
    |until|hardly|barely|scarcely|rarely|seldom|stop(?:s|ped|ping)?|quit|cease[sd]?|few(?:er)?|less
    |against|instead|off|unable|refus\w+|den(?:y|ied|ies)|reject\w*|avoid\w*|forb\w+|banned
    |cancel\w*|prevent\w*|no\ longer|used\ to
    |nicht|nichts|nie|niemals|niemand|kein\w*|ohne|nur|außer|kaum|weder|weniger|gegen|statt
    |ne|pas|jamais|rien|aucune?|sans|sauf|seulement|moins|contre|nunca|jamás|nada|nadie|ning[uú]n\w*
    |tampoco|sin|salvo|excepto|solo|sólo|menos|contra|non|mai|niente|nulla|nessun\w*|senza|soltanto
    |meno|contro|não|nem|sem|apenas|exceto|niet|niets|nooit|geen|zonder|alleen|behalve|tegen
    |не|ни|нет|без|никогда|только|кроме)\b
    |[不没沒無无未別别只]|ない|ません|않|없|못""",
    re.I | re.X,
)
EXCLAIMED = re.compile(
    r"^(?:that(?:'s|\ is)|it(?:'s|\ is)|what|how|so|this\ is|you(?:'re|\ are)|sounds?|looks?)\b",
    re.I,
)
MONTHS = frozenset(
    """january february march april may june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday
    sunday""".split()
)
