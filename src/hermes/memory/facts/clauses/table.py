"""From what a clause says to the fact it states: one row a kind of statement, written as data.

A row names who speaks of whom, the verbs, what must follow, and the fact. `needs` are slots as
`preposition|preposition:class`, `obj` being what follows the verb without one; the first gives the
value unless `value` says otherwise. The first row that fits wins; `riders` are read beside it.
"""
# ruff: noqa: E501 - a row is a line, however long

from dataclasses import dataclass

from hermes.types import FactKind as K

ANY_TIME = "present progressive perfect past future"
LASTING = "present progressive perfect"


@dataclass(frozen=True, slots=True)
class Row:
    """`who`: kinds of subject; `verbs`: lemmas, or classes with `@`."""

    who: str
    verbs: str
    needs: str
    kind: K
    attribute: str
    single: bool = False
    tenses: str = LASTING
    denied: str = "no"  # no, yes, either
    passive: str = "no"
    text: str = ""
    value: str = ""  # obj, clause, or a preposition; empty: the first need
    riders: bool = False
    ended: bool = False
    replaces: str = ""
    marks: str = ""  # words one of which must stand in the clause


ID, P, R, E, D, EV, OT = (
    K.IDENTITY,
    K.PREFERENCE,
    K.RELATIONSHIP,
    K.ENVIRONMENT,
    K.DECISION,
    K.EVENT,
    K.OTHER,
)
ME = "user"
US = "user team"
PEOPLE = "user team person name"
OTHERS = "person name"
THINGS = "own thing name it"
FREQUENT = (
    "every each daily weekly monthly usually always never rarely seldom only mondays tuesdays "
    "wednesdays thursdays fridays saturdays sundays weekends weekdays mornings evenings nights night "
    "week often sometimes mostly"
)

ROWS: tuple[Row, ...] = (
    # who one is
    Row(ME, "be", "obj:age", ID, "age", True, text="User is {v} years old"),
    Row(ME, "turn", "obj:age", ID, "age", True, ANY_TIME, text="User is {v} years old"),
    Row(OTHERS, "be", "obj:age", OT, "age", True),
    Row(PEOPLE, "be", "obj:diet", P, "diet", True),
    Row(PEOPLE, "be", "to|against:thing", OT, "allergy", marks="allergic intolerant @serious", text="{s} is allergic to {v}"),
    Row(PEOPLE, "be", "obj:condition", OT, "trait"),
    Row(PEOPLE, "be", "obj:role", ID, "role", True, riders=True),
    Row(ME, "be", "obj:trait", OT, "trait"),
    Row(ME, "be", "obj:fan", P, "likes", value="obj"),
    Row(ME, "be", "in:any", ID, "studies", True, marks="semester grade", riders=True),
    Row(ME, "be", "obj:nationality", ID, "nationality", True, riders=True),
    Row(ME, "be", "in:function", ID, "role", True, value="in"),
    Row(ME, "be", "at|with:org", ID, "employer", True, riders=True, text="User works at {v}"),
    Row(US, "be", "in:place", ID, "location", True, text="User lives in {v}", marks="@dwelling"),
    Row(US, "be", "near:place", ID, "location", True, text="User lives near {v}", marks="@dwelling"),
    Row(US, "be", "outside:place", ID, "location", True, text="User lives outside {v}", marks="@dwelling"),
    Row("person", "be", "from:place", ID, "hometown", True),
    Row(ME, "be", "from:place", ID, "hometown", True),
    Row(PEOPLE, "base", "in|out|near|at:loose_place", ID, "location", True, ANY_TIME, passive="either", text="{s} is based in {v}"),
    Row(ME, "be", "on|in:any", ID, "team", True, marks="team squad crew department"),
    Row(ME, "be", "into:general", P, "likes", marks="@at_once"),
    Row(ME, "be", "on:general", P, "likes", value="on", marks="keen"),
    Row(ME, "be", "on:general", P, "dislikes", denied="yes", value="on", marks="keen"),
    Row(ME, "be", "with:general", P, "likes", marks="obsessed"),
    Row(ME, "be", "obj:any", P, "dislikes", denied="yes", marks="fan", value="@of"),
    Row(ME, "be", "obj:any", P, "likes", marks="fond fan", value="@of"),
    Row(ME, "be", "obj:amount", OT, "height", marks="tall"),
    Row(ME, "be", "off:general", P, "diet", value="clause", marks="sugar meat dairy gluten alcohol caffeine coffee carbs bread wheat nicotine"),
    Row(ME, "be", "in:language", ID, "language", marks="fluent"),
    Row(ME, "be", "to:person", R, "spouse", True, marks="married", text="User is married to {v}"),
    Row(US, "be", "obj:amount", E, "team size", True, marks="people team shop employees engineers"),
    Row("team", "be", "obj:tool", E, "stack", marks="shop house company"),
    Row("team", "be", "obj:general", E, "business", marks="shop startup company agency studio ngo"),
    Row(ME, "be", "on|in:zone", ID, "timezone", True, text="User's timezone is {v}"),
    Row(US, "be", "on|in:tool", E, "@tool", marks="@nothing_else"),
    Row("team", "be", "off:tool", D, "@tool", ended=True, tenses=ANY_TIME),
    Row("team", "be", "obj:any", E, "certification", marks="certified compliant accredited"),
    # where one lives
    Row("user team person", "@live", "in|at:loose_place", ID, "location", True, text="{s} lives in {v}"),
    Row("user team person", "@live", "near|outside|around:loose_place", ID, "location", True),
    Row("person name", "@live", "with:any", OT, "location", value="clause"),
    Row("thing own name", "move", "to:address", E, "@noun url", True, ANY_TIME),
    Row(US, "move migrate", "to:tool off:any", D, "@tool", True, ANY_TIME, replaces="off"),
    Row(US, "move migrate", "to:tool from:system", D, "@tool", True, ANY_TIME, replaces="from"),
    Row(US, "move relocate migrate", "to|into:loose_place", ID, "location", True, ANY_TIME, text="User lives in {v}", replaces="from", marks="@intransitive"),
    Row(ME, "change", "to:person", ID, "name", True, ANY_TIME, marks="name", text="User's name is {v}"),
    Row(ME, "hold have", "obj:any", OT, "licence", marks="licence license passport citizenship degree certificate visa", value="obj"),
    Row("person", "have", "obj:any", OT, "has", marks="passport citizenship licence license visa degree"),
    Row(US, "be", "from:place", ID, "hometown", tenses="past", marks="originally"),
    Row(US, "grow", "in:place", ID, "hometown", tenses=ANY_TIME, text="User grew up in {v}"),
    Row(US, "be", "in|near:loose_place", ID, "location", True, marks="live living"),
    # work and study
    Row(PEOPLE, "@work", "as:any", ID, "role", True, LASTING, riders=True, text="{s} works as {v}"),
    Row("user team person", "@work", "at|for:org", ID, "employer", True, riders=True, text="{s} works at {v}"),
    Row(ME, "@work", "with:person", R, "colleague", text="User works with {v}", riders=True),
    Row(ME, "@work", "in:place", ID, "workplace", text="User works in {v}"),
    Row(ME, "@work", "out|from:place", ID, "workplace", text="User works from {v}"),
    Row(ME, "@work", "in|on:any", ID, "team", True, marks="team squad department"),
    Row(ME, "@work", "in:function", ID, "role", True, value="clause"),
    Row(ME, "@work", "", ID, "work_mode", True, value="clause", marks="part-time full-time remotely freelance nights shifts"),
    Row(ME, "train", "", P, "habit:training", tenses="progressive", value="clause", marks="pilot nurse teacher marathon triathlons triathlon half"),
    Row(ME, "@work", "obj:number", ID, "working_hours", True, value="clause"),
    Row(ME, "@work", "on:tool", E, "project"),
    Row(ME, "do", "obj:amount", ID, "working_hours", True, value="clause", marks="week day month"),
    Row(ME, "do", "obj:function", ID, "role", True, riders=True, value="clause"),
    Row(PEOPLE, "do", "obj:any", ID, "studies", True, marks="phd masters degree bachelor internship apprenticeship traineeship", value="clause", riders=True),
    Row(ME, "@post", "obj|after:business", ID, "role", True, riders=True, value="clause"),
    Row(PEOPLE, "@post", "obj|after:business", ID, "role", riders=True, value="clause"),
    Row(PEOPLE, "@post teach", "obj|after:general", ID, "role", riders=True, value="clause", marks="@posted"),
    Row(ME, "teach", "obj:general", ID, "role", True, riders=True, value="clause"),
    Row(PEOPLE, "teach", "obj:general", ID, "role", riders=True, value="clause"),
    Row("person name", "@post", "obj|after:any", R, "owns", value="clause", marks="@present"),
    Row(PEOPLE, "study", "obj:general", ID, "studies", True, riders=True, value="clause"),
    Row(PEOPLE, "learn", "obj:language", OT, "habit:learning", value="clause"),
    Row(US, "@join", "obj:org", ID, "employer", True, ANY_TIME, riders=True, text="User works at {v}"),
    Row(US, "start", "at:org", ID, "employer", True, ANY_TIME, riders=True, text="User works at {v}"),
    Row(ME, "@leave", "obj:org", ID, "employer", tenses="past perfect progressive present", ended=True, marks="@left"),
    Row(ME, "@leave", "at:org", ID, "employer", tenses="past perfect progressive present", ended=True, marks="job position"),
    Row(ME, "drive make", "obj:any", ID, "role", value="clause", marks="living"),
    Row(ME, "born raise", "in:place", ID, "hometown", tenses=ANY_TIME, passive="either", value="in"),
    Row(ME, "born", "in:number", ID, "birth year", True, ANY_TIME, passive="either", value="clause"),
    Row(ME, "born", "on|in:any", ID, "birthday", True, ANY_TIME, passive="either", value="clause"),
    Row(ME, "be", "at:org", ID, "employer", denied="yes", ended=True, marks="longer anymore"),
    Row(ME, "switch move", "to:any", ID, "team", True, ANY_TIME, marks="team squad department"),
    Row(ME, "report", "to:person", R, "manager", True, text="User reports to {v}"),
    Row(ME, "promote", "to:any", ID, "role", True, ANY_TIME, passive="yes"),
    Row(ME, "make appoint", "obj:role", ID, "role", True, ANY_TIME, passive="yes", riders=True),
    Row(ME, "freelance", "", ID, "role", value="clause"),
    Row("user", "lay", "", EV, "event:laid off", tenses=ANY_TIME, passive="either", value="clause", marks="off"),
    Row("user", "change", "obj:any", EV, "event:career", tenses="past perfect", value="clause", marks="careers career jobs"),
    Row("person", "have", "obj:any", EV, "event:baby", tenses="past perfect", value="clause", marks="baby twins"),
    # people take things over
    Row(OTHERS, "take", "over:any", R, "owns", tenses=ANY_TIME, value="clause"),
    Row(OTHERS, "own handle run lead manage review approve facilitate maintain coordinate chair", "obj:any", R, "owns", value="clause", marks="@present"),
    Row(OTHERS, "facilitate present moderate", "", R, "owns", value="clause", marks="from now"),
    Row(OTHERS, "replace", "obj:person", R, "role", tenses=ANY_TIME, value="clause"),
    Row(US, "hire", "obj:person", R, "colleague", tenses=ANY_TIME, value="clause"),
    Row(PEOPLE, "be", "on:any", EV, "event:leave", marks="parental maternity paternity sabbatical", value="clause"),
    Row(OTHERS, "be", "on:any", EV, "event:leave", marks="leave", value="clause"),
    # body and table
    Row(PEOPLE, "have", "obj:condition", OT, "trait"),
    Row(PEOPLE, "get", "obj:condition", OT, "trait"),
    Row(PEOPLE, "diagnose", "with:any", OT, "trait", tenses=ANY_TIME, passive="either"),
    Row(ME, "take", "obj:any", OT, "medication", marks="every daily morning evening mg tablets pills", value="clause"),
    Row("person own", "put", "on:any", OT, "medication", tenses=ANY_TIME, value="on", marks="me"),
    Row(PEOPLE, "@eat have do", "obj:general", P, "avoids", denied="yes", value="clause", marks="@cannot"),
    Row(ME, "work deal sleep read concentrate study think", "with|on|in|without:general", P, "avoids", denied="yes", value="clause", marks="@cannot"),
    Row(ME, "do", "obj:general", P, "avoids", denied="yes", value="clause", tenses="present", marks="food meat dairy spicy sugar caffeine drugs sports"),
    Row(PEOPLE, "@eat", "obj:general", P, "habit:@verb", denied="yes", value="clause"),
    Row(PEOPLE, "@eat", "", P, "habit:@verb", denied="yes", value="clause"),
    Row(ME, "@eat", "obj:general", P, "diet", True, value="clause", marks="meat fish"),
    Row(ME, "@eat", "obj:general", P, "habit:@verb", value="clause", marks="only never always again"),
    Row(ME, "give", "obj:general", P, "avoids", tenses=ANY_TIME, value="clause", marks="up"),
    Row(ME, "quit", "obj:activity", EV, "event:quit", tenses=ANY_TIME, value="clause"),
    Row(US, "keep", "obj:diet", P, "diet", True, value="clause"),
    # likes and dislikes
    Row(ME, "prefer", "obj:general", P, "@prefers", True, value="obj+"),
    Row(ME, "swear", "by:general", P, "likes", value="by"),
    Row(ME, "refuse", "to:any", P, "dislikes", value="clause"),
    Row("own thing name", "be", "obj:any", P, "dislikes", denied="yes", value="subject", marks="@not_mine"),
    Row(ME, "prefer", "to:any", P, "@prefers", value="clause"),
    Row(OTHERS, "prefer", "obj:general", P, "prefers", value="obj+"),
    Row(ME, "@like", "obj:general", P, "dislikes", denied="yes", value="obj+"),
    Row(ME, "stand bear", "obj:general", P, "dislikes", denied="yes", value="obj+"),
    Row(ME, "@like", "obj:general", P, "likes", value="obj+", marks="@liked"),
    Row(ME, "@like", "with:general", P, "likes", value="clause", marks="anything everything"),
    Row(ME, "@dislike", "obj:general", P, "dislikes", value="obj+", marks="@liked"),
    Row(ME, "find", "obj:general", P, "dislikes", value="obj+", marks="pointless useless annoying boring tedious ugly confusing painful distracting"),
    Row(ME, "find", "obj:general", P, "likes", value="obj+", marks="relaxing useful helpful calming fun"),
    Row("person", "@like", "obj:general", P, "likes"),
    Row("person", "@dislike", "obj:general", P, "dislikes"),
    Row("name", "@like", "obj:general", P, "likes"),
    Row("name", "@dislike", "obj:general", P, "dislikes"),
    Row("thing own", "bore", "obj:any", P, "dislikes", value="clause", marks="me"),
    Row("thing own", "drive", "obj:any", P, "dislikes", value="clause", marks="crazy mad nuts insane bananas wall"),
    # tongues and names
    Row(PEOPLE, "speak", "obj:language", ID, "language"),
    Row(PEOPLE, "grow", "obj|up:language", ID, "language", tenses=ANY_TIME),
    Row(ME, "go", "by:any", ID, "name", True, text="User goes by {v}"),
    Row("you other none", "call", "obj:any", ID, "name", True, marks="@call_me", text="User's name is {v}"),
    # tools
    Row(US, "use run", "obj:tool", E, "@tool", denied="yes", ended=True, marks="longer anymore more"),
    Row(US, "use run", "obj:tool", E, "avoids", denied="yes", value="clause", marks="n't nt"),
    Row(US, "switch move migrate transition change", "to|over|onto:tool", D, "@tool", True, ANY_TIME, replaces="from|off"),
    Row(US, "move migrate get", "off:tool", D, "@tool", tenses=ANY_TIME, ended=True, replaces="off"),
    Row(US, "replace", "with|by:tool", D, "@tool", True, ANY_TIME, replaces="obj"),
    Row(US, "swap ditch drop trade exchange", "for:tool", D, "@tool", True, ANY_TIME, replaces="obj"),
    Row(US, "go", "from:any to:tool", D, "@tool", True, ANY_TIME, value="to", replaces="from"),
    Row(US, "@decide", "on|for:tool", D, "@tool", True, ANY_TIME, replaces="of|over"),
    Row(US, "agree settle decide", "on:thing", D, "decision:@value", tenses=ANY_TIME, marks="@decided"),
    Row(ME, "decide", "to:any", D, "decision:@value", tenses="past perfect", value="clause", marks="@firmly"),
    Row("thing", "decide agree vote", "to|on|that:any", D, "decision:@value", tenses=ANY_TIME, value="clause", marks="team board committee"),
    Row("team", "@decide", "obj:tool", D, "@tool", True, ANY_TIME, replaces="over|of"),
    Row("team", "@decide", "against:any", D, "decision:@value", tenses=ANY_TIME, value="against"),
    Row("team", "decide agree vote", "obj|to|that:any", D, "decision:@value", tenses=ANY_TIME, value="clause", marks="@firmly"),
    Row("team", "go stick stay", "with|on:tool", D, "@tool", True, ANY_TIME),
    Row("team", "go", "with:any", D, "decision:@value", tenses=ANY_TIME, marks="@decided"),
    Row(US, "go", "with:thing for:thing", D, "decision:@value", tenses="past perfect progressive future"),
    Row("team", "keep", "obj:tool", D, "@tool", tenses="progressive present"),
    Row("team", "drop kill retire sunset scrap deprecate abandon discontinue remove stop", "obj:thing", D, "decision:drop @value", tenses=ANY_TIME, value="clause", marks="@dropped"),
    Row("team", "do", "obj:general", D, "decision:drop @value", denied="yes", marks="anymore more longer", value="clause"),
    Row("team", "roll", "out:tool", D, "@tool", True, ANY_TIME),
    Row("team", "adopt introduce", "obj:tool", D, "@tool", True, ANY_TIME),
    Row(US, "use", "obj:tool", E, "@tool", tenses=LASTING + " future"),
    Row("team", "use write run", "in|on:tool", E, "@tool"),
    Row(US, "run", "obj:tool", E, "@tool"),
    Row(US, "write code program develop build", "in|with:tool", E, "@tool"),
    Row(US, "rewrite rebuild", "in|with|on:tool", E, "@tool", True, "past perfect"),
    Row(US, "host deploy", "on|to|with|at|via:tool", E, "deploys_on", passive="either", tenses=ANY_TIME),
    Row(US, "keep store", "in|on:tool", E, "@object", value="clause"),
    Row("team", "keep", "for:amount", D, "policy:@object", value="clause"),
    Row(US, "target support", "obj:tool", E, "@tool"),
    Row("team", "bill invoice charge", "in:any", E, "practice:bill", value="clause"),
    Row("team", "sell make build serve", "obj:general", E, "business", value="clause", marks="@business"),
    Row(US, "ship deploy release pair meet", "on|every|obj|at:any", E, "schedule:@verb", value="clause", marks=FREQUENT + " afternoon"),
    Row("team", "@anything", "through|via|with:tool", E, "@tool", tenses="present", marks="@steady"),
    Row("team", "track log plan manage document write store keep do organise chat talk meet record", "in|on:tool", E, "@tool", tenses="present", marks="@steady"),
    Row("team", "keep", "obj:thing", D, "decision:keep @object", tenses="present progressive", value="clause", marks="@decision"),
    Row("team", "@anything", "on|in|with|through|via|from|to|by|obj:system", E, "@tool", tenses="present", marks="@steady"),
    Row(ME, "@anything", "on|in|with|via:system", E, "@tool", tenses="present", marks="@steady"),
    Row("team", "@anything", "obj|on|in|to|with|by|at:any", D, "policy:@verb", tenses="present progressive future", value="clause", denied="either", marks="@ruled"),
    # what one has
    Row(US, "have own", "obj:thing", E, "owns", marks="@owned"),
    Row("team", "have", "in:place", E, "@object place", marks="offices customers clients stores sites warehouses"),
    Row("team", "have", "obj:amount", E, "team size", True, marks="@team_of"),
    Row("team", "have serve", "obj:amount", E, "@object", marks="people employees engineers developers users customers restaurants clients nodes members stores"),
    Row(US, "have", "in:place", E, "@object location", value="in", marks="cabin flat house boat office garden apartment cottage"),
    Row(ME, "drive ride own", "obj:tool", E, "owns"),
    Row(ME, "build write maintain develop make", "obj:tool", E, "project", tenses="progressive present", marks="app library tool game site called cli plugin novel book"),
    # habits
    Row(ME, "@hobby", "obj|at|in:thing", P, "habit:@verb", tenses="present", value="clause", marks="@hobby"),
    Row(ME, "weigh", "obj:amount", OT, "weight", True, value="clause"),
    Row(ME, "bill charge earn invoice", "obj:amount", OT, "rate", True, value="clause"),
    Row(ME, "wear", "obj:any", OT, "trait", value="clause", marks="glasses lenses aids brace"),
    Row(ME, "@anything", "", P, "habit:@verb", tenses="present", value="clause", marks="@habitual"),
    Row(ME, "train", "for:general", P, "habit:train", value="clause"),
    Row(PEOPLE, "live", "on:any", E, "home", True, value="clause", marks="floor"),
    Row(ME, "retrain", "as:role", ID, "training", True, value="clause"),
    Row(ME, "moderate coach chair coordinate mentor referee", "obj:any", ID, "activity", tenses="present", value="clause"),
    Row(US, "upgrade", "to:tool", E, "@tool", True, "past perfect"),
    Row(ME, "give", "on:any", P, "avoids", tenses="past perfect", marks="up"),
    Row(ME, "step", "as:role", ID, "role", True, "past perfect", ended=True, marks="down"),
    Row(PEOPLE, "have", "obj:any", EV, "event:surgery", tenses="past perfect", value="clause", marks="surgery operation transplant bypass"),
    Row(ME, "get wake start finish", "at:number", P, "habit:@verb", tenses="present", value="clause", marks="up work"),
    Row(ME, "cycle bike walk run commute drive take", "to:any", P, "habit:@verb", tenses="present", value="clause", marks="work office school campus"),
    Row(ME, "have eat", "obj:any", P, "habit:@verb", tenses="present", value="clause", marks="@meal"),
    Row(ME, "read write meditate stretch", "before|in:any", P, "habit:@verb", tenses="present", value="clause", marks="bed"),
    Row(US, "@hobby @eat go take work do cook read wake get meet meditate walk exercise stretch pray practise practice journal nap sleep", "", P, "habit:@verb", tenses="present", denied="either", value="clause", marks="@frequent"),
    Row(ME, "take do check answer accept", "obj:general", P, "habit:@verb", tenses="present", denied="yes", value="clause", marks="@refused"),
    Row(ME, "@work @study think", "", P, "prefers", tenses="present", value="clause", marks="best better"),
    Row(ME, "mean", "obj:any", P, "vocabulary", value="clause", marks="@say_mean"),
    # turns of a life
    Row("user team person", "marry engage graduate retire divorce", "", EV, "event:@verb", tenses=ANY_TIME, passive="either", value="clause", marks="@lived"),
    Row("user team person", "pass", "obj:any", EV, "event:passed", tenses="past perfect", value="clause", marks="exam test driving bar finals"),
    Row("user team", "buy sell adopt publish finish complete break lose win run raise found launch", "obj:any", EV, "event:@verb", tenses="past perfect", value="clause", marks="@life_object"),
    Row("person", "pass", "", EV, "event:died", tenses=ANY_TIME, value="clause", marks="away"),
    Row("person name", "die", "", EV, "event:died", tenses=ANY_TIME, value="clause"),
    Row("team user", "acquire", "", EV, "event:acquired", tenses=ANY_TIME, passive="yes", value="clause"),
    Row("team user", "expect have", "obj:any", EV, "event:baby", tenses=ANY_TIME, value="clause", marks="baby twins"),
    Row("name person", "leave join", "obj:any", EV, "event:@verb", tenses=ANY_TIME, value="clause", marks="company us team"),
    # things, as they are
    Row("own thing name", "be happen run go take", "", E, "schedule:@noun", True, value="clause", marks="@rhythm"),
    Row("own thing", "be start begin happen", "at:number", E, "schedule:@noun", True, value="clause", marks="standup stand-up daily scrum sync planning retro"),
    Row(THINGS, "call name", "obj:any", E, "@noun", True, passive="yes", text="{s} is called {v}"),
    Row(THINGS, "be", "obj:any", E, "@noun", marks="called named", value="@called"),
    Row(THINGS, "be live sit run stay", "at|on|in|under:address", E, "@noun url", True, ANY_TIME[:7]),
    Row(THINGS, "be", "obj:address", E, "@noun", True),
    Row(THINGS, "go", "to|through|via|in:any", D, "policy:@noun", value="clause", marks="@policy"),
    Row(THINGS, "use run write build deploy ship", "obj|on|to|with|through|via|in|by:tool", E, "@runs", tenses=LASTING + " future", passive="either"),
    Row(THINGS, "host store log sync manage monitor track keep write build run", "with|in|on|by|through|via:tool", E, "@runs", passive="yes"),
    Row("you", "need use", "obj:tool", E, "@tool", marks="@told"),
    Row(THINGS, "host run test store log live sit talk sync manage speak go end land read connect point depend rely monitor handle serve back send push publish generate compile render", "obj|on|in|to|with|at|under|between|through|via|by|up|from|into:system", E, "@runs", tenses=LASTING + " future", passive="either"),
    Row("own thing", "cost take last hold", "obj:amount", E, "@noun @verb", value="clause", marks="@owned_thing"),
    Row(THINGS, "register incorporate locate headquarter", "in:place", E, "@noun @verb", passive="either"),
    Row(THINGS, "run listen live", "on:number", E, "@noun port", True, marks="port"),
    Row(THINGS, "be", "on:number", E, "@noun port", True, marks="port"),
    Row("name", "have", "obj:amount", E, "@unit", True),
    Row(THINGS, "have", "obj:amount", E, "@noun @unit", True),
    Row(THINGS, "need require support expect accept speak pay follow", "obj:value", E, "@noun @verb", value="clause"),
    Row(THINGS, "be", "in|on|at|behind:system", E, "@place", True),
    Row(THINGS, "replace", "by|with:tool", D, "@tool", True, ANY_TIME, passive="yes", replaces="subject"),
    Row("own thing", "move migrate switch", "to|onto:system", E, "@runs", True, "past perfect", replaces="from"),
    Row("own", "be", "obj:person", R, "@noun", True, marks="@related"),
    Row("thing", "be", "obj:person", R, "@noun", True, marks="@bare_role"),
    Row("own", "be", "obj:role", ID, "@noun", True),
    Row("own thing name", "be", "obj:value", E, "@noun", True, marks="@plain_is"),
    Row("it", "be", "obj:tool", E, "@tool", marks="@at_work"),
    Row("own", "be", "obj:thing", E, "@noun", True, marks="@attribute"),
    Row("own", "be", "about:thing", OT, "@noun topic", True, marks="thesis dissertation paper project book novel talk phd"),
    Row("own", "be", "in:place", E, "@noun location", True),
    Row("thing", "be", "in|at:place", E, "@noun location", True, marks="@appointed"),
    Row("own thing", "run", "obj|from:any", E, "@noun", True, value="clause", marks="january february march april may june july august september october november december"),
    Row("own thing", "expire end start begin", "in|with|at:number", E, "@noun @verb", True, value="clause"),
    Row("own thing", "start begin", "in:any", E, "@noun @verb", True, value="clause", marks="january february march april may june july august september october november december"),
    Row("name", "be", "obj:any", E, "what", value="obj", marks="@project"),
    Row("name", "be", "obj:role", ID, "role", riders=True),
    Row("name", "be", "obj:tool", E, "@tool", marks="app shop service site"),
    Row("name", "be", "obj:any", D, "decision:@noun", value="clause", marks="@verdict"),
    Row(THINGS, "be cut drop kill", "", D, "decision:@noun", passive="either", value="clause", marks="@verdict"),
    Row(THINGS, "stay remain", "", D, "policy:@noun", value="clause", marks="@stays"),
    Row("name thing", "win", "", D, "@tool", tenses="past perfect present", value="subject", marks="@winner"),
)  # fmt: skip
