"""The words rules know: what a tool is for, what a person does, how people are related."""

import re

from hermes.memory.facts.rules.tools import TOOLS

TOOL_PURPOSE = {
    tool.replace("_", " "): purpose for purpose, tools in TOOLS.items() for tool in tools.split()
}
_ENGLISH_TOO = frozenset(
    "go next render fly swift express spring segment linear cursor phoenix arc edge signal teams "
    "warp fish black shortcut monday drone sketch mint arch chef puppet helm looker neon rest "
    "unleash nano solid remix oracle brave safari chrome lambda prefect temporal hatch "
    "resend "
    "sage flux reaper unity excel spark zoom things canva basecamp dart soap rider "
    "alpine parcel gin notion railway".split()
)

_WORD = re.compile(r"[\w.#+!/-]*[\w#+]")


def find_tool(value: str) -> tuple[str, str]:
    """The first known tool named in the value, as written, and what it is for; or two blanks."""
    tokens = list(_WORD.finditer(value))
    for index, token in enumerate(tokens):
        for width in (3, 2, 1):
            if index + width <= len(tokens):
                written = value[token.start() : tokens[index + width - 1].end()]
                purpose = TOOL_PURPOSE.get(_unversioned(written))
                if purpose and not _is_plain_english(written, alone=len(tokens) == 1):
                    return written, purpose
    return "", ""


def tool_purpose(value: str) -> str:
    return find_tool(value)[1]


def _unversioned(tool: str) -> str:
    return re.sub(r"[ -]?v?\d+(?:\.\d+)*\+?$", "", tool.lower()) or tool.lower()


def _is_plain_english(tool: str, *, alone: bool) -> bool:
    """`render`, `go`, `next` count as tools when written as names, or when nothing else is said."""
    return tool in _ENGLISH_TOO and not alone


PURPOSE_WORDS = {
    "db": "database",
    "database": "database",
    "main database": "database",
    "primary database": "database",
    "production database": "database",
    "prod database": "database",
    "data store": "database",
    "datastore": "database",
    "data warehouse": "data_warehouse",
    "warehouse": "data_warehouse",
    "cache": "cache",
    "caching": "cache",
    "queue": "queue",
    "message queue": "queue",
    "message broker": "queue",
    "broker": "queue",
    "task queue": "queue",
    "job queue": "queue",
    "framework": "framework",
    "web framework": "framework",
    "frontend framework": "framework",
    "backend framework": "framework",
    "backend": "backend",
    "back end": "backend",
    "back-end": "backend",
    "frontend": "frontend",
    "front end": "frontend",
    "front-end": "frontend",
    "api": "api",
    "stack": "stack",
    "tech stack": "stack",
    "language": "programming_language",
    "programming language": "programming_language",
    "main language": "programming_language",
    "hosting": "deploys_on",
    "host": "deploys_on",
    "hosting provider": "deploys_on",
    "cloud": "deploys_on",
    "cloud provider": "deploys_on",
    "deploy target": "deploys_on",
    "deployment": "deploys_on",
    "deployments": "deploys_on",
    "infra": "deploys_on",
    "infrastructure": "deploys_on",
    "production": "production",
    "prod": "production",
    "staging": "staging",
    "cluster": "cluster",
    "server": "server",
    "servers": "server",
    "ci": "ci",
    "cicd": "ci",
    "ci/cd": "ci",
    "ci pipeline": "ci",
    "pipeline": "ci",
    "build": "ci",
    "editor": "editor",
    "code editor": "editor",
    "text editor": "editor",
    "ide": "editor",
    "os": "os",
    "operating system": "os",
    "shell": "shell",
    "terminal": "terminal",
    "package manager": "package_manager",
    "dependency manager": "package_manager",
    "issue tracker": "issue_tracker",
    "tickets": "issue_tracker",
    "ticketing system": "issue_tracker",
    "project management": "issue_tracker",
    "task tracking": "issue_tracker",
    "tracker": "issue_tracker",
    "docs": "docs",
    "documentation": "docs",
    "wiki": "docs",
    "chat": "chat",
    "monitoring": "monitoring",
    "observability": "monitoring",
    "error tracking": "monitoring",
    "alerting": "monitoring",
    "logging": "logging",
    "auth": "auth",
    "authentication": "auth",
    "login": "auth",
    "sso": "auth",
    "payments": "payments",
    "payment processor": "payments",
    "billing": "payments",
    "testing": "testing",
    "tests": "testing",
    "test runner": "testing",
    "test framework": "testing",
    "linter": "linter",
    "linting": "linter",
    "formatter": "linter",
    "formatting": "linter",
    "browser": "browser",
    "orm": "orm",
    "bundler": "bundler",
    "build tool": "bundler",
    "repo": "repository",
    "repository": "repository",
    "main branch": "default_branch",
    "default branch": "default_branch",
    "branching model": "branching",
    "license": "license",
    "laptop": "machine",
    "work laptop": "machine",
    "computer": "machine",
    "machine": "machine",
    "dev machine": "machine",
    "workstation": "machine",
    "desktop": "machine",
    "phone": "phone_model",
    "keyboard": "keyboard",
    "monitor": "monitor",
    "gpu": "gpu",
    "python version": "python_version",
    "node version": "node_version",
    "java version": "java_version",
    "search": "search_engine",
    "search engine": "search_engine",
    "vector store": "database",
    "vector database": "database",
    "analytics": "analytics",
    "feature flags": "feature_flags",
    "email service": "email_service",
    "design tool": "design_tool",
    "version control": "version_control",
    "sprint length": "sprint_length",
    "sprints": "sprint_length",
    "release cycle": "release_cycle",
    "style guide": "style_guide",
    "coding style": "style_guide",
    "naming convention": "naming_convention",
    "domain": "domain",
    "port": "port",
    "web server": "web_server",
    "reverse proxy": "web_server",
    "router": "router",
    "registry": "registry",
    "standup": "standup",
    "daily standup": "standup",
    "timezone": "timezone",
}

_ROLE_HEADS = (
    "engineer developer dev programmer designer manager scientist analyst architect "
    "consultant teacher professor "
    "lecturer student researcher doctor nurse physician surgeon dentist lawyer attorney "
    "paralegal accountant "
    "writer author journalist editor photographer artist musician founder co-founder "
    "cofounder ceo cto cfo coo "
    "cpo cmo ciso vp director lead owner marketer recruiter administrator admin sysadmin sre "
    "devops freelancer "
    "contractor intern tester qa scrum-master product-manager pm tpm chef cook baker pilot "
    "mechanic electrician "
    "plumber carpenter therapist psychologist counselor psychiatrist veterinarian vet "
    "pharmacist biologist "
    "chemist physicist mathematician statistician economist historian librarian translator "
    "interpreter "
    "salesperson realtor banker trader investor auditor coach trainer officer coordinator "
    "specialist technician "
    "strategist producer filmmaker illustrator animator streamer blogger entrepreneur "
    "undergrad postdoc "
    "phd-student principal instructor tutor planner operator maintainer advisor adviser "
    "partner associate "
    "assistant clerk secretary controller bookkeeper farmer firefighter paramedic policeman "
    "soldier veteran "
    "barista bartender waiter stylist hairdresser gardener nutritionist dietitian radiologist "
    "cardiologist "
    "hobbyist geologist astronomer linguist sociologist anthropologist copywriter evangelist "
    "advocate actuary "
    "underwriter broker geneticist bioinformatician midwife optometrist pediatrician "
    "paediatrician neurologist "
    "solicitor barrister novelist playwright composer violinist pianist guitarist drummer "
    "singer dancer actor "
    "actress director-of-engineering head-of-engineering staff trainee apprentice postgrad "
    "graduate pensioner "
    "retiree caregiver homemaker superintendent foreman surveyor welder machinist head chief dba"
).split()
ROLE_HEAD = frozenset(_ROLE_HEADS)
ROLE_STARTS = (
    "head of ",
    "vp of ",
    "vp ",
    "director of ",
    "chief ",
    "lead for ",
    "lead of ",
    "co-founder of ",
)


def is_role(value: str) -> bool:
    """A line of work: its head noun is one ("senior data engineer", "head of design")."""
    plain_value = value.lower().strip()
    if plain_value.startswith(ROLE_STARTS):
        return True
    head = re.split(r"\b(?: at| for| in| of| with| on|,|/)\b", plain_value, maxsplit=1)[0].split()
    return bool(head) and len(head) <= 6 and head[-1].strip(".,)(") in ROLE_HEAD


_PETS = (
    "dog cat puppy kitten parrot rabbit hamster horse pet bird hen chicken turtle tortoise snake "
    "lizard goldfish ferret pony goat budgie canary gecko greyhound corgi labrador poodle beagle "
    "dachshund terrier spaniel husky collie retriever shepherd tabby guinea-pig cockatiel"
).split()
_ONE_EACH = (
    "wife husband partner spouse girlfriend boyfriend fiance fiancé fiancee fiancée mother father "
    "mom mum dad mother-in-law father-in-law stepmother stepfather stepdad stepmom landlord boss "
    "manager supervisor mentor assistant accountant lawyer doctor dentist therapist vet coach "
    "trainer professor advisor adviser tutor teacher lead deputy skip-level ex ex-husband ex-wife "
    "cardiologist physiotherapist psychiatrist gynaecologist dermatologist hairdresser babysitter "
    "nanny godmother godfather"
).split()
_SEVERAL = (
    "sister brother son daughter kid child baby cousin uncle aunt niece nephew friend colleague "
    "coworker co-worker teammate mentee client customer roommate flatmate housemate student "
    "neighbor neighbour stepson stepdaughter brother-in-law sister-in-law buddy twin grandmother "
    "grandfather grandma grandpa cofounder co-founder godson goddaughter"
).split()
RELATIONS = (*_ONE_EACH, *_SEVERAL, *_PETS)
MANY_RELATIONS = frozenset((*_SEVERAL, *_PETS))
PETS = frozenset(_PETS)
RELATION = "|".join(sorted((re.escape(each) for each in RELATIONS), key=len, reverse=True))
RELATION_QUALIFIER = (
    r"(?:(?:best|old|older|younger|elder|little|big|oldest|youngest|eldest|twin|new|"
    r"current|former|late|direct|"
    r"line|close|good|first|second|middle|baby|senior|skip-level|project|engineering|"
    r"product|team|tech|"
    r"thesis|phd|golden\ retriever|rescue|newborn|business|half|step)\s+)?"
)

SPOKEN_LANGUAGES = frozenset(
    "english spanish french german italian portuguese dutch polish russian ukrainian turkish "
    "arabic persian farsi "
    "hebrew hindi urdu bengali tamil telugu mandarin cantonese chinese japanese korean "
    "vietnamese thai swedish "
    "norwegian danish finnish greek czech hungarian romanian bulgarian serbian croatian "
    "catalan welsh irish "
    "swahili indonesian malay tagalog punjabi gujarati marathi esperanto latin icelandic "
    "slovak estonian "
    "latvian lithuanian basque galician afrikaans amharic yoruba igbo zulu nepali sinhala "
    "burmese khmer".split()
)

NATIONALITIES = frozenset(
    "american british english scottish welsh irish french german italian spanish portuguese "
    "dutch belgian swiss "
    "austrian polish russian ukrainian turkish greek swedish norwegian danish finnish "
    "icelandic czech hungarian "
    "romanian bulgarian serbian croatian canadian mexican brazilian argentinian chilean "
    "colombian peruvian "
    "indian pakistani bangladeshi nepali chinese taiwanese japanese korean vietnamese thai "
    "filipino indonesian "
    "malaysian singaporean australian egyptian moroccan nigerian kenyan ethiopian ghanaian iranian "
    "iraqi israeli lebanese syrian saudi emirati kiwi estonian latvian lithuanian slovak "
    "slovenian".split()
)

DIETS = frozenset(
    "vegan vegetarian pescatarian pescetarian gluten-free celiac coeliac lactose-intolerant "
    "teetotal teetotaler "
    "keto kosher halal diabetic flexitarian paleo".split()
)
